import { type Decimal, decimalText, halfOf, scaledTo } from '../../../actions/index.ts';
import type { GroupsAnswer, GroupsBody } from '../../../api/index.ts';
import type { Amount } from './member-values.ts';

type Operation = GroupsBody['measures'][number]['op'];
type Measured = GroupsAnswer['data'][number]['measures'][number];

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [scaledTo(a, scale), scaledTo(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Numbers of one currency, as far as a measure needs them. */
class Numbers {
  readonly #operation: Operation;
  /** Sum of digits by scale: numbers of one scale are added as they are, as long as doubles hold them whole. */
  readonly #sums: ({ small: number; large: bigint } | undefined)[] = [];
  readonly #all: Decimal[] = [];
  #extreme: Decimal | null = null;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  add(number: Decimal): void {
    if (this.#operation === 'sum') this.#sum(number);
    else if (this.#operation === 'median') this.#all.push(number);
    else if (this.#extreme === null || compare(number, this.#extreme) * (this.#operation === 'min' ? 1 : -1) < 0) {
      this.#extreme = number;
    }
  }

  #sum({ digits, scale }: Decimal): void {
    let sum = this.#sums[scale];
    if (sum === undefined) {
      sum = { small: 0, large: 0n };
      this.#sums[scale] = sum;
    }
    const small = Number(digits);
    if (Number.isSafeInteger(small) && Number.isSafeInteger(sum.small + small)) sum.small += small;
    else sum.large += digits;
  }

  get value(): Decimal {
    if (this.#operation === 'median') return median(this.#all);
    if (this.#extreme !== null) return this.#extreme;
    const scale = Math.max(0, this.#sums.length - 1);
    let digits = 0n;
    this.#sums.forEach((sum, of) => {
      if (sum !== undefined) digits += scaledTo({ digits: BigInt(sum.small) + sum.large, scale: of }, scale);
    });
    return { digits, scale };
  }
}

function median(numbers: Decimal[]): Decimal {
  const sorted = numbers.toSorted(compare);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? { digits: 0n, scale: 0 };
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1] ?? upper;
  const scale = Math.max(upper.scale, lower.scale);
  return halfOf({ digits: scaledTo(upper, scale) + scaledTo(lower, scale), scale });
}

/** Currencies that a measure tells apart: whoever writes payloads chooses how many there are. */
export const MOST_CURRENCIES = 64;

/** What a measure comes to over a group. Amounts of different currencies are kept apart. */
export class Amounts {
  readonly #operation: Operation;
  readonly #of = new Map<string | null, Numbers>();
  #without = 0;
  #more = 0;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  add(amounts: readonly Amount[]): void {
    if (amounts.length === 0) this.#without++;
    for (const { number, currency } of amounts) {
      let numbers = this.#of.get(currency);
      if (numbers === undefined) {
        if (this.#of.size >= MOST_CURRENCIES) {
          this.#more++;
          continue;
        }
        numbers = new Numbers(this.#operation);
        this.#of.set(currency, numbers);
      }
      numbers.add(number);
    }
  }

  /** What groups are ordered by: nothing where there are several currencies. */
  get order(): Decimal | null {
    const [only] = this.#of.values();
    return this.#of.size === 1 && only !== undefined ? only.value : null;
  }

  get measured(): Measured {
    const amounts = Array.from(this.#of, ([currency, { value }]) => ({ value: decimalText(value), currency }));
    amounts.sort((a, b) => ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1));
    return { amounts, without: this.#without, more: this.#more };
  }
}

/** The greater number first; what has none last. */
export function byAmount(a: Decimal | null, b: Decimal | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(b, a);
}
