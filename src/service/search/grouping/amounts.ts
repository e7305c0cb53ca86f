import { type Decimal, decimalText, halfOf, scaledTo } from '../../../actions/index.ts';
import type { GroupsAnswer, GroupsBody } from '../../../api/index.ts';

type Operation = GroupsBody['measures'][number]['op'];
type Measured = GroupsAnswer['data'][number]['measures'][number];

/** A number of a payload, exact, with the currency that stands beside it. */
export interface Amount {
  readonly number: Decimal;
  readonly currency: string | null;
  /** The nearest double: of two numbers with different ones, it tells which is greater. */
  readonly near: number;
  /** The digits as a double where that is exact, else NaN. */
  readonly digits: number;
  /** Of the number: who adds up a million looks at nothing behind the amount itself. */
  readonly scale: number;
}

export function amountOf(number: Decimal, currency: string | null): Amount {
  const digits = Number(number.digits);
  const near = Number(decimalText(number));
  return { number, currency, near, digits: Number.isSafeInteger(digits) ? digits : Number.NaN, scale: number.scale };
}

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [scaledTo(a, scale), scaledTo(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function compareAmounts(a: Amount, b: Amount): number {
  return a.near < b.near ? -1 : a.near > b.near ? 1 : compare(a.number, b.number);
}

/** Numbers of one currency, as far as a measure needs them. */
class Numbers {
  readonly #operation: Operation;
  /** Sum of digits by scale: numbers of one scale are added as they are, as long as doubles hold them whole. */
  readonly #sums: ({ small: number; large: bigint } | undefined)[] = [];
  /** For a median: what was added, and the nearest doubles of it. */
  readonly #all: Amount[] = [];
  #nears = new Float64Array(16);
  #extreme: Amount | null = null;
  #value: Decimal | null = null;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  add(amount: Amount): void {
    if (this.#operation === 'sum') this.#sum(amount);
    else if (this.#operation === 'median') this.#keep(amount);
    else if (
      this.#extreme === null ||
      compareAmounts(amount, this.#extreme) * (this.#operation === 'min' ? 1 : -1) < 0
    ) {
      this.#extreme = amount;
    }
  }

  /** Adds what others of the same measure were added up to. */
  merge(others: Numbers): void {
    others.#sums.forEach((sum, scale) => {
      if (sum === undefined) return;
      this.#sum({ number: { digits: BigInt(sum.small), scale }, digits: sum.small, scale });
      this.#sum({ number: { digits: sum.large, scale }, digits: Number.NaN, scale });
    });
    for (const amount of others.#all) this.#keep(amount);
    if (others.#extreme !== null) this.add(others.#extreme);
  }

  #keep(amount: Amount): void {
    const at = this.#all.push(amount) - 1;
    if (at === this.#nears.length) {
      const nears = new Float64Array(2 * at);
      nears.set(this.#nears);
      this.#nears = nears;
    }
    this.#nears[at] = amount.near;
  }

  #sum({ number, digits: exact, scale }: Pick<Amount, 'number' | 'digits' | 'scale'>): void {
    let sum = this.#sums[scale];
    if (sum === undefined) {
      sum = { small: 0, large: 0n };
      this.#sums[scale] = sum;
    }
    // Of what is no safe integer, NaN included, nothing is added as a double.
    if (Number.isSafeInteger(sum.small + exact)) sum.small += exact;
    else sum.large += number.digits;
  }

  /** Once all were added: of what is ordered by it, it is asked for twice. */
  get value(): Decimal {
    this.#value ??= this.#valued();
    return this.#value;
  }

  #valued(): Decimal {
    if (this.#operation === 'median') return median(this.#all, this.#nears.slice(0, this.#all.length).sort());
    if (this.#extreme !== null) return this.#extreme.number;
    const scale = Math.max(0, this.#sums.length - 1);
    let digits = 0n;
    this.#sums.forEach((sum, of) => {
      if (sum !== undefined) digits += scaledTo({ digits: BigInt(sum.small) + sum.large, scale: of }, scale);
    });
    return { digits, scale };
  }
}

/** The number at a place of the order, of which the nearest doubles are given: only those with the same one are compared exactly. */
function ranked(amounts: readonly Amount[], nears: Float64Array, place: number): Decimal {
  const near = nears[place];
  const same = amounts.filter((amount) => amount.near === near).sort(compareAmounts);
  return same[place - nears.indexOf(near ?? Number.NaN)]?.number ?? { digits: 0n, scale: 0 };
}

/** @param nears the nearest doubles of the amounts, in order */
function median(amounts: readonly Amount[], nears: Float64Array): Decimal {
  const middle = Math.floor(nears.length / 2);
  const upper = ranked(amounts, nears, middle);
  if (nears.length % 2 === 1) return upper;
  const lower = middle === 0 ? upper : ranked(amounts, nears, middle - 1);
  const scale = Math.max(upper.scale, lower.scale);
  return halfOf({ digits: scaledTo(upper, scale) + scaledTo(lower, scale), scale });
}

/** Currencies that a measure tells apart: whoever writes payloads chooses how many there are. */
export const MOST_CURRENCIES = 64;

/** What a measure comes to over a group. Amounts of different currencies are kept apart. */
export class Amounts {
  readonly #operation: Operation;
  readonly #of = new Map<string | null, Numbers>();
  #newest: Numbers | null = null;
  #currency: string | null = null;
  #without = 0;
  #more = 0;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /** Counts what has no number. */
  lack(count: number): void {
    this.#without += count;
  }

  add(amounts: readonly Amount[]): void {
    if (amounts.length === 0) this.#without++;
    for (let at = 0; at < amounts.length; at++) {
      const amount = amounts[at] as Amount;
      // Nearly always the currency of the one before.
      if (this.#newest === null || this.#currency !== amount.currency) {
        this.#newest = this.#numbersIn(amount.currency);
        this.#currency = amount.currency;
      }
      if (this.#newest === null) this.#more++;
      else this.#newest.add(amount);
    }
  }

  /**
   * Adds what others were added up to.
   * @returns false where there are more currencies than are told apart: which of them these are follows from the order of all amounts
   */
  merge(others: Amounts): boolean {
    if (others.#more > 0) return false;
    this.#without += others.#without;
    for (const [currency, numbers] of others.#of) {
      const own = this.#numbersIn(currency);
      if (own === null) return false;
      own.merge(numbers);
    }
    return true;
  }

  /** Null for a currency that is one too many. */
  #numbersIn(currency: string | null): Numbers | null {
    const known = this.#of.get(currency);
    if (known !== undefined || this.#of.size >= MOST_CURRENCIES) return known ?? null;
    const numbers = new Numbers(this.#operation);
    this.#of.set(currency, numbers);
    return numbers;
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
