/** Tries bundles on readers: a bundle that breaks a claim must not be verified by whoever relies on it. */
import type { FindingCode } from '../../src/protocol/index.ts';
import { ONE_OF } from '../support/extent.ts';
import { verifyFile } from '../support/verifying.ts';
import type { Signed } from './exporting.ts';
import type { Knowledge } from './knowledge.ts';
import { digestOf } from './world.ts';

/** A bundle of the adversary: how it was made, from the history to the manifest, and what it is. */
export interface Attempt {
  readonly steps: readonly string[];
  readonly made: Signed;
}

interface FalseGreen {
  readonly steps: readonly string[];
  readonly reader: string;
  readonly broken: string;
  readonly text: string;
}

/** An attempt that is looked for: of an adversary, with steps that contain these texts, on one reader. */
export interface Wanted {
  readonly adversary: string;
  readonly steps: readonly string[];
  readonly reader: string;
}

/** What an attempt on one reader came to. */
interface Tried {
  readonly adversary: string;
  readonly steps: readonly string[];
  readonly reader: string;
  readonly verdict: string;
  readonly codes: readonly FindingCode[];
}

/** Findings that are remarks: they keep no verdict from being `verified`. */
const REMARKS: ReadonlySet<FindingCode> = new Set(['KEY_SHARED']);

export class Exploration {
  /** Bundles tried, each text once. */
  bundles = 0;
  /** Of those with one reader each: how many break a claim, and so had to be refused. */
  breaking = 0;
  readonly falseGreens: FalseGreen[] = [];
  /** Breaking attempts that one code alone kept from `verified`, by code. */
  readonly heldBy = new Map<FindingCode, { count: number; readonly example: FalseGreen }>();
  /** How often each code stood among others. */
  readonly metBy = new Map<FindingCode, number>();
  /** The breaking attempts, without their bundles. */
  readonly tried: Tried[] = [];
  readonly #seen = new Set<string>();
  readonly #wanted: readonly Wanted[];

  /** @param wanted tried in every run; of the others the gate tries one of five */
  constructor(wanted: readonly Wanted[] = []) {
    this.#wanted = wanted;
  }

  async try(
    adversary: string,
    { steps, made: { bundle, text } }: Attempt,
    readers: readonly Knowledge[],
  ): Promise<void> {
    const digest = digestOf(`${readers.map(({ name }) => name).join()} ${text}`);
    if (this.#seen.has(digest)) return;
    this.#seen.add(digest);
    if (this.#seen.size % ONE_OF !== 0 && !this.#wanted.some((one) => isAttempt(one, adversary, steps))) return;
    this.bundles++;
    for (const { name, options, broken: breaks } of readers) {
      const broken = breaks(bundle);
      if (broken === null) continue;
      this.breaking++;
      const { verdict, findings } = await verifyFile(text, options);
      const attempt = { steps, reader: name, broken, text };
      if (verdict === 'verified') this.falseGreens.push(attempt);
      const codes = [...new Set(findings.map(({ code }) => code))].filter((code) => !REMARKS.has(code));
      this.tried.push({ adversary, steps, reader: name, verdict, codes });
      for (const code of codes) this.metBy.set(code, (this.metBy.get(code) ?? 0) + 1);
      const [only] = codes;
      if (codes.length !== 1 || only === undefined) continue;
      const held = this.heldBy.get(only);
      if (held === undefined) this.heldBy.set(only, { count: 1, example: attempt });
      else held.count++;
    }
  }

  find(wanted: Wanted): Tried | undefined {
    return this.tried.find((one) => one.reader === wanted.reader && isAttempt(wanted, one.adversary, one.steps));
  }
}

function isAttempt(wanted: Wanted, adversary: string, steps: readonly string[]): boolean {
  return wanted.adversary === adversary && wanted.steps.every((step) => steps.includes(step));
}
