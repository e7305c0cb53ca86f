/** The readers of a mutant side by side, and what they say of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../bytes.ts';
import type { Answer, Job } from './job.ts';
import type { Mutant } from './mutant.ts';
import type { Surroundings } from './surroundings.ts';
import { READERS, type ReaderName, type VERIFIERS, VerifierProcess } from './verifier-process.ts';

export interface Said extends Answer {
  readonly reader: ReaderName;
}

export type Answers = Readonly<Record<(typeof VERIFIERS)[number], Said>>;

/** Files as a reader gives them. */
export type GivenFiles = Omit<Surroundings, 'what'> & Pick<Mutant, 'file'>;

export interface Compared {
  readonly mutant: Mutant;
  /** What each reader of such files says, that of the protocol first. */
  readonly said: readonly Said[];
  /** Of all files together. */
  readonly bytes: number;
}

/** What a reader says of what it does not read to the end. */
const STOPS: ReadonlySet<string | null> = new Set(['MALFORMED', 'UNSUPPORTED_VERSION']);

/**
 * Whether all come to one verdict and one first finding, and show the same of the payloads; none broke down over it, and none calls
 * verified what was changed and not signed again.
 */
export function agree({ mutant, said }: Compared): boolean {
  const { verdict } = at(said, 0);
  const judgement = (one: Said): string =>
    mutant.isDamagedArchive === true && (one.verdict === 'unreadable' || STOPS.has(one.first))
      ? 'damaged'
      : `${one.verdict} ${one.first}`;
  const shown = said.map((one) => one.shown).filter((text) => text !== null);
  return (
    verdict !== 'crashed' &&
    !(mutant.isForged && verdict === 'verified') &&
    new Set(shown).size <= 1 &&
    said.every((one) => one.verdict !== 'crashed' && judgement(one) === judgement(at(said, 0)))
  );
}

/** Codes of the causes that the protocol's verifier names and another does not, as `CODE not by NAME`. */
export function unnamedCauses({ said }: Compared): string[] {
  const [own, ...others] = said;
  if (own === undefined || own.verdict === 'unreadable') return [];
  return others.flatMap(({ reader, codes }) =>
    own.roots.filter((code) => !codes.includes(code)).map((code) => `${code} not by ${reader}`),
  );
}

/** Files of a mutant in a folder, as a reader is given them. */
export class MutantFiles {
  readonly bytes: number;
  readonly job: Job;
  readonly #written: string[] = [];

  /** @param prefix of their paths */
  constructor(given: GivenFiles & Pick<Mutant, 'kind'>, id: number, prefix: string) {
    const { kind, trust, trustAgent, madeNotBefore, file, receipts, against, checkpoints } = given;
    const inFile = (bytes: Uint8Array): string => {
      const path = `${prefix}${id}-${this.#written.length}`;
      writeFileSync(path, bytes);
      this.#written.push(path);
      return path;
    };
    this.bytes = [file, ...receipts, ...against, ...checkpoints].reduce((sum, { length }) => sum + length, 0);
    this.job = {
      id,
      kind,
      trust,
      trustAgent,
      madeNotBefore,
      file: inFile(file),
      receipts: receipts.map(inFile),
      against: against.map(inFile),
      checkpoint: checkpoints.map(inFile),
    };
  }

  remove(): void {
    for (const path of this.#written) rmSync(path);
  }
}

export class Comparison {
  /** Where files of mutants are written. */
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-fuzz-'));
  readonly #verifiers = new Map(READERS.map((name) => [name, new VerifierProcess(name)]));
  #jobs = 0;

  /** Has every reader of such files judge a mutant. */
  async ask(mutant: Mutant): Promise<Compared> {
    const files = new MutantFiles(mutant, this.#jobs++, `${this.folder}/`);
    const said = await Promise.all(mutant.readers.map((reader) => this.#ask(reader, files.job)));
    files.remove();
    return { mutant, said, bytes: files.bytes };
  }

  /** Has the three verifiers judge a bundle or a proof of records. */
  async compare(given: GivenFiles): Promise<{ readonly answers: Answers }> {
    const files = new MutantFiles({ kind: 'bundle', ...given }, this.#jobs++, `${this.folder}/`);
    const [protocol, singleFile, python] = await Promise.all([
      this.#ask('protocol', files.job),
      this.#ask('single-file', files.job),
      this.#ask('python', files.job),
    ]);
    files.remove();
    return { answers: { protocol, 'single-file': singleFile, python } };
  }

  async #ask(reader: ReaderName, job: Job): Promise<Said> {
    const verifier = this.#verifiers.get(reader);
    if (verifier === undefined) throw new Error(`nobody is called ${reader}`);
    return { ...(await verifier.ask(job)), reader };
  }

  /** Lets the verifiers end and takes their files away. */
  stop(): void {
    for (const verifier of this.#verifiers.values()) verifier.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
