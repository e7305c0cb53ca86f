import { quantile } from '../figures.ts';
import { flushRate } from '../flush-rate.ts';

/** One run of one round. */
export interface Sample {
  readonly perSecond: number;
  /** Signatures a second that one core verified in the same round. */
  readonly native: number;
  /** Flushes a second that the disk made just before; only where the work is durable. */
  readonly flushes?: number;
}

interface Range {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

function range(values: readonly number[], digits: number): Range {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => Number(quantile(sorted, share).toFixed(digits));
  return { median: at(0.5), min: at(0), max: at(1) };
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

  /** Medians and extremes over the rounds; ratios are taken within each round. */
  summary(name: string, work: string) {
    const runs = this.#runs.get(name) ?? [];
    const flushes = runs.flatMap((run) => (run.flushes === undefined ? [] : [run.flushes]));
    return {
      perSecond: range(
        runs.map(({ perSecond }) => perSecond),
        0,
      ),
      ratioToNativeVerify: range(
        runs.map(({ perSecond, native }) => perSecond / native),
        3,
      ),
      ...(flushes.length === 0 ? {} : { flushesPerSecondBefore: range(flushes, 0) }),
      work,
    };
  }
}
