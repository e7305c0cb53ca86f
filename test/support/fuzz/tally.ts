/** What came of many mutants, in numbers. */
import { agree, type Compared, unnamedCauses } from './compare.ts';
import { VERIFIERS, type VerifierName } from './verifier-process.ts';

/** A verifier's process may take so much memory, and so many times the honest time per byte. */
const MEMORY_BYTES = 256 * 2 ** 20;
const TIMES_HONEST = 5;
/** Below so many bytes what is measured is what every verification costs. */
const LEAST_BYTES = 10_000;

interface Cost {
  peak: number;
  honestMs: number;
  honestBytes: number;
  slowest: number;
  slowestOf: number | null;
}

const more = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
const sorted = (counts: ReadonlyMap<string, number>): object =>
  Object.fromEntries([...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));

/** How many times as long as for an honest file of its size. */
function timesHonest(name: VerifierName, cost: Cost, { answers, bytes }: Compared): number {
  const { cpuMs } = answers[name];
  if (cpuMs === null || cost.honestBytes === 0) return 0;
  return cpuMs / Math.max(bytes, LEAST_BYTES) / (cost.honestMs / cost.honestBytes);
}

export class Tally {
  mutants = 0;
  readonly differing: number[] = [];
  readonly slow: number[] = [];
  readonly large: number[] = [];
  readonly verdicts = new Map<string, number>();
  readonly ways = new Map<string, number>();
  readonly codes = new Map<string, number>();
  readonly #unnamed = new Map<string, number>();
  readonly #costs = new Map<VerifierName, Cost>(
    VERIFIERS.map((name) => [name, { peak: 0, honestMs: 0, honestBytes: 0, slowest: 0, slowestOf: null }]),
  );

  add(compared: Compared): void {
    const { mutant, answers } = compared;
    this.mutants++;
    const { verdict, codes } = answers.protocol;
    more(this.verdicts, verdict);
    more(this.ways, `${mutant.way} ${verdict}`);
    for (const code of codes) more(this.codes, code);
    if (agree(compared)) for (const what of unnamedCauses(compared)) more(this.#unnamed, what);
    else this.differing.push(mutant.number);
    for (const [name, cost] of this.#costs) this.#count(name, cost, compared);
  }

  /** Whether a verifier took too long: to be measured again, since other things run on the machine. */
  isSlow(compared: Compared): boolean {
    return [...this.#costs].some(([name, cost]) => timesHonest(name, cost, compared) > TIMES_HONEST);
  }

  #count(name: VerifierName, cost: Cost, compared: Compared): void {
    const { mutant, answers, bytes } = compared;
    const { cpuMs, peakBytes } = answers[name];
    const counted = Math.max(bytes, LEAST_BYTES);
    if (peakBytes > MEMORY_BYTES && peakBytes > cost.peak) this.large.push(mutant.number);
    cost.peak = Math.max(cost.peak, peakBytes);
    if (mutant.way === 'honest' && cpuMs !== null) {
      cost.honestMs += cpuMs;
      cost.honestBytes += counted;
    }
    const ratio = timesHonest(name, cost, compared);
    if (ratio <= cost.slowest) return;
    cost.slowest = ratio;
    cost.slowestOf = mutant.number;
    if (ratio > TIMES_HONEST) this.slow.push(mutant.number);
  }

  /** Everything, for printing. */
  summary(): object {
    const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
    const costs = [...this.#costs].map(([name, cost]) => [
      name,
      {
        honest_ns_per_byte: Math.round((cost.honestMs * 1e6) / Math.max(1, cost.honestBytes)),
        slowest_to_honest: Math.round(cost.slowest * 100) / 100,
        slowest_mutant: cost.slowestOf,
        memory_mib_at_most: mebibytes(cost.peak),
      },
    ]);
    return {
      mutants: this.mutants,
      verdicts: sorted(this.verdicts),
      ways: sorted(this.ways),
      verdicts_differ: this.differing,
      too_slow: this.slow,
      too_large: this.large,
      codes: sorted(this.codes),
      causes_not_named_by_others: sorted(this.#unnamed),
      costs: Object.fromEntries(costs),
    };
  }
}
