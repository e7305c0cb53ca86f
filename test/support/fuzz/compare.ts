/** The three verifiers side by side: the same mutant for each, and what they say of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Job } from './job.ts';
import type { Mutant } from './mutant.ts';
import { VERIFIERS, type VerifierName, VerifierProcess } from './verifier-process.ts';

export type Answers = Readonly<Record<VerifierName, Answer>>;

export interface Compared {
  readonly mutant: Mutant;
  readonly answers: Answers;
  /** Of all files together. */
  readonly bytes: number;
}

/** Whether all come to one verdict and one first finding, and show the same of the payloads, and none broke down over it. */
export function agree({ answers }: Compared): boolean {
  const { verdict, first } = answers.protocol;
  const shown = VERIFIERS.map((name) => answers[name].shown).filter((text) => text !== null);
  return (
    verdict !== 'crashed' &&
    new Set(shown).size <= 1 &&
    VERIFIERS.every((name) => answers[name].verdict === verdict && answers[name].first === first)
  );
}

/** Codes of the causes that the protocol's verifier names and another does not, as `CODE not by NAME`. */
export function unnamedCauses({ answers }: Compared): string[] {
  if (answers.protocol.verdict === 'unreadable') return [];
  return VERIFIERS.slice(1).flatMap((name) =>
    answers.protocol.roots
      .filter((code) => !answers[name].codes.includes(code))
      .map((code) => `${code} not by ${name}`),
  );
}

/** The answers to one mutant, each with the shorter of two times. */
export function fasterOf(one: Compared, other: Compared): Compared {
  const faster = (name: VerifierName): Answer => {
    const [first, second] = [one.answers[name].cpuMs, other.answers[name].cpuMs];
    return { ...one.answers[name], cpuMs: first === null || second === null ? null : Math.min(first, second) };
  };
  const [protocol, singleFile, python] = [faster('protocol'), faster('single-file'), faster('python')];
  return { ...one, answers: { protocol, 'single-file': singleFile, python } };
}

export class Comparison {
  readonly #folder = mkdtempSync(join(tmpdir(), 'countersign-fuzz-'));
  readonly #verifiers = VERIFIERS.map((name) => new VerifierProcess(name));
  #jobs = 0;

  async compare(mutant: Mutant): Promise<Compared> {
    const id = this.#jobs++;
    const written: string[] = [];
    const inFile = (bytes: Uint8Array): string => {
      const path = join(this.#folder, `${id}-${written.length}`);
      writeFileSync(path, bytes);
      written.push(path);
      return path;
    };
    const { trust, trustAgent, madeNotBefore } = mutant;
    const job: Job = {
      ...{ id, trust, trustAgent, madeNotBefore },
      file: inFile(mutant.file),
      receipts: mutant.receipts.map(inFile),
      against: mutant.against.map(inFile),
      checkpoint: mutant.checkpoints.map(inFile),
    };
    const [protocol, singleFile, python] = await Promise.all(this.#verifiers.map((verifier) => verifier.ask(job)));
    for (const path of written) rmSync(path);
    if (protocol === undefined || singleFile === undefined || python === undefined)
      throw new Error('a verifier is missing');
    const bytes = [mutant.file, ...mutant.receipts, ...mutant.against, ...mutant.checkpoints].reduce(
      (sum, { length }) => sum + length,
      0,
    );
    return { mutant, answers: { protocol, 'single-file': singleFile, python }, bytes };
  }

  /** Lets the verifiers end and takes their files away. */
  stop(): void {
    for (const verifier of this.#verifiers) verifier.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
