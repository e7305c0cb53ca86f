import { flushRate } from '../flush-rate.ts';

/** One run of one round. */
export interface Sample {
  readonly perSecond: number;
  /** Signatures a second that one core verified in the same round. */
  readonly native: number;
  /** Flushes a second that the disk made just before; only where the work is durable. */
  readonly flushes?: number;
}

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** In the order of the rounds. */
  readonly rounds: readonly number[];
}

/** With few rounds the middle matters: of an even number it lies between two. */
function median(sorted: readonly number[]): number {
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function spread(values: readonly number[], digits: number): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const short = (value: number): number => Number(value.toFixed(digits));
  return {
    median: short(median(sorted)),
    min: short(Math.min(...sorted)),
    max: short(Math.max(...sorted)),
    rounds: values.map(short),
  };
}

/** The runs of all rounds, by name. */
export class Samples {
  readonly #runs = new Map<string, Sample[]>();

  add(name: string, sample: Sample): void {
    const runs = this.#runs.get(name);
    if (runs === undefined) this.#runs.set(name, [sample]);
    else runs.push(sample);
  }

  /** Measures the disk, then runs something that depends on it. @param run answers with records a second */
  async durable(name: string, native: number, run: () => Promise<number>): Promise<void> {
    const flushes = flushRate();
    this.add(name, { perSecond: await run(), native, flushes });
  }

  /** Medians, extremes and all rounds; ratios are taken within each round. */
  summary(name: string, work: string) {
    const runs = this.#runs.get(name) ?? [];
    const flushes = runs.flatMap((run) => (run.flushes === undefined ? [] : [run.flushes]));
    return {
      perSecond: spread(
        runs.map(({ perSecond }) => perSecond),
        0,
      ),
      ratioToNativeVerify: spread(
        runs.map(({ perSecond, native }) => perSecond / native),
        3,
      ),
      ...(flushes.length === 0 ? {} : { flushesPerSecondBefore: spread(flushes, 0) }),
      work,
    };
  }
}
