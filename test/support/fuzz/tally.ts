/** What came of many mutants, in numbers. */
import { agree, type Compared, unnamedCauses } from './compare.ts';
import type { Kind } from './job.ts';
import type { ReaderName } from './verifier-process.ts';

/** Below so many bytes what is measured is what every verification costs. */
const LEAST_BYTES = 10_000;

/** What one reader took for one mutant. */
export interface Taken {
  readonly number: number;
  readonly reader: ReaderName;
  readonly kind: Kind;
  /** Of all its files together. */
  readonly bytes: number;
  /** Of the processor's time, for a byte. */
  readonly nsPerByte: number;
}

/** What honest files of a kind cost a reader. */
interface Honest {
  ns: number;
  bytes: number;
}

const more = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
const sorted = (counts: ReadonlyMap<string, number>): object =>
  Object.fromEntries([...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
const nameOf = ({ reader, kind }: Pick<Taken, 'reader' | 'kind'>): string => `${reader} ${kind}`;

export class Tally {
  mutants = 0;
  readonly differing: number[] = [];
  readonly codes = new Map<string, number>();
  /** Honest mutants, by kind: what others of the kind are measured against. */
  readonly honest = new Map<Kind, { readonly number: number; readonly bytes: number }[]>();
  readonly #ways = new Map<string, number>();
  readonly #firsts = new Map<string, number>();
  readonly #unnamed = new Map<string, number>();
  readonly #taken: Taken[] = [];
  readonly #costs = new Map<string, Honest>();
  readonly #peaks = new Map<ReaderName, number>();

  add(compared: Compared): void {
    const { mutant, said, bytes } = compared;
    this.mutants++;
    const [own] = said;
    for (const code of own?.codes ?? []) more(this.codes, code);
    more(this.#ways, `${mutant.way} ${own?.verdict}`);
    more(this.#firsts, own?.first ?? 'none');
    if (agree(compared)) for (const what of unnamedCauses(compared)) more(this.#unnamed, what);
    else this.differing.push(mutant.number);
    if (mutant.isHonest) {
      const known = this.honest.get(mutant.kind) ?? [];
      known.push({ number: mutant.number, bytes });
      this.honest.set(mutant.kind, known);
    }
    for (const { reader, cpuMs, peakBytes } of said) {
      this.#peaks.set(reader, Math.max(this.#peaks.get(reader) ?? 0, peakBytes));
      if (cpuMs === null) continue;
      const counted = Math.max(bytes, LEAST_BYTES);
      const { number, kind } = mutant;
      this.#taken.push({ number, reader, kind, bytes, nsPerByte: (cpuMs * 1e6) / counted });
      if (!mutant.isHonest) continue;
      const cost = this.#costs.get(nameOf({ reader, kind })) ?? { ns: 0, bytes: 0 };
      this.#costs.set(nameOf({ reader, kind }), { ns: cost.ns + cpuMs * 1e6, bytes: cost.bytes + counted });
    }
  }

  /** How many times as long as honest files of its kind take the same reader, for a byte; 0 where none was there. */
  #timesHonest(taken: Taken): number {
    const honest = this.#costs.get(nameOf(taken));
    return honest === undefined || honest.ns === 0 ? 0 : (taken.nsPerByte * honest.bytes) / honest.ns;
  }

  /** The mutants, each with a reader, that took the longest for their size. */
  slowest(most: number): readonly Taken[] {
    const ranked = this.#taken.map((taken) => [this.#timesHonest(taken), taken] as const);
    return ranked
      .sort(([one], [other]) => other - one)
      .slice(0, most)
      .map(([, taken]) => taken);
  }

  /** Everything, for printing. */
  summary(): object {
    const costs = [...this.#costs].map(([name, { ns, bytes }]) => [name, Math.round(ns / bytes)]);
    const peaks = [...this.#peaks].map(([reader, bytes]) => [reader, Math.round(bytes / 2 ** 20)]);
    return {
      mutants: this.mutants,
      differ: this.differing,
      ways: sorted(this.#ways),
      first_findings: sorted(this.#firsts),
      codes: sorted(this.codes),
      causes_not_named_by_others: sorted(this.#unnamed),
      honest_ns_per_byte: Object.fromEntries(costs),
      mib_at_most_of_processes_that_stay: Object.fromEntries(peaks),
    };
  }
}
