import { sha256, utf8 } from '../../../src/protocol/index.ts';
import { at } from '../bytes.ts';
import { SeededRandom } from '../random.ts';

/** Choices that are the same for the same labels. */
export class Draw {
  readonly #random: SeededRandom;

  constructor(...labels: readonly (string | number)[]) {
    this.#random = new SeededRandom(new DataView(sha256(utf8(labels.join(' '))).buffer).getUint32(0));
  }

  /** A whole number from 0 up to a limit, that one excluded. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  /** True so many times out of a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length));
  }

  /** One of a list whose entries say how often they are wanted. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let rest = this.below(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of list) {
      rest -= weight;
      if (rest < 0) return value;
    }
    throw new RangeError('there is nothing to choose from');
  }
}
