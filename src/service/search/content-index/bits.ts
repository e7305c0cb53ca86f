/** The numbers from one to another; with both of them, or without. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly isClosed: boolean;
}

/** A set of record numbers from `start` up to a size, one bit for each. Sets that are combined may begin at other numbers. */
export class Bits {
  readonly start: number;
  readonly size: number;
  readonly words: Uint32Array;
  /** Words that a set from 0 has before these. */
  readonly skipped: number;

  constructor(size: number, start = 0, words = new Uint32Array(Math.max(0, ((size + 31) >>> 5) - (start >>> 5)))) {
    this.start = start;
    this.size = size;
    this.words = words;
    this.skipped = start >>> 5;
  }

  static all(size: number, start = 0): Bits {
    const bits = new Bits(size, start);
    bits.words.fill(0xffffffff);
    return bits.trim();
  }

  /** Takes out what is beside the numbers that the set is of, which share words with them. */
  trim(): this {
    const last = this.words.length - 1;
    if (this.size % 32 !== 0) this.words[last] = (this.words[last] ?? 0) & (2 ** (this.size % 32) - 1);
    this.words[0] = (this.words[0] ?? 0) & (0xffffffff << (this.start & 31));
    return this;
  }

  /** Adds a number; one before the words of the set, or behind them, is left out. */
  add(n: number): void {
    const word = (n >>> 5) - this.skipped;
    this.words[word] = (this.words[word] ?? 0) | (1 << (n & 31));
  }

  /** Adds those whose value lies in an interval; NaN does in none. This runs over all records of a ledger: so it calls nothing. */
  addWithin(values: Float64Array, { low, high, isClosed }: Interval): this {
    const end = Math.min(this.size, values.length);
    for (let n = this.start; n < end; ) {
      const word = (n >>> 5) - this.skipped;
      const next = Math.min(end, (n | 31) + 1);
      let bits = 0;
      for (; n < next; n++) {
        const value = values[n] as number;
        if (isClosed ? value >= low && value <= high : value > low && value < high) bits |= 1 << (n & 31);
      }
      this.words[word] = (this.words[word] ?? 0) | bits;
    }
    return this;
  }

  has(n: number): boolean {
    return ((this.words[(n >>> 5) - this.skipped] ?? 0) & (1 << (n & 31))) !== 0;
  }

  copy(): Bits {
    return new Bits(this.size, this.start, this.words.slice());
  }

  /** The numbers of the set from one on, up to a size. */
  within(start: number, size: number): Bits {
    return new Bits(size, start).or(this).trim();
  }

  /** Keeps what is in the other as well. */
  and(other: Bits): this {
    const shift = this.skipped - other.skipped;
    for (let i = 0; i < this.words.length; i++) this.words[i] = (this.words[i] ?? 0) & (other.words[i + shift] ?? 0);
    return this;
  }

  /** Adds what is in the other. */
  or(other: Bits): this {
    const shift = this.skipped - other.skipped;
    const end = Math.min(this.words.length, other.words.length - shift);
    for (let i = Math.max(0, -shift); i < end; i++)
      this.words[i] = (this.words[i] ?? 0) | (other.words[i + shift] ?? 0);
    return this;
  }

  /** Takes out what is in the other. */
  without(other: Bits): this {
    const shift = this.skipped - other.skipped;
    for (let i = 0; i < this.words.length; i++) this.words[i] = (this.words[i] ?? 0) & ~(other.words[i + shift] ?? 0);
    return this;
  }

  delete(n: number): void {
    const word = (n >>> 5) - this.skipped;
    this.words[word] = (this.words[word] ?? 0) & ~(1 << (n & 31));
  }

  count(): number {
    return this.#count(null);
  }

  /** How many are in the other as well. */
  countIn(other: Bits): number {
    return this.#count(other);
  }

  #count(other: Bits | null): number {
    const { words } = this;
    const shift = other === null ? 0 : this.skipped - other.skipped;
    let total = 0;
    for (let i = 0; i < words.length; i++) {
      const word = other === null ? (words[i] as number) : (words[i] as number) & (other.words[i + shift] ?? 0);
      if (word === 0) continue;
      let pairs = word - ((word >>> 1) & 0x55555555);
      pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
      total += (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return total;
  }

  get isEmpty(): boolean {
    return this.words.every((word) => word === 0);
  }

  /** Calls with each number of the set, in rising order. */
  each(visit: (n: number) => void): void {
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i] ?? 0;
      while (word !== 0) {
        const lowest = word & -word;
        visit((i + this.skipped) * 32 + (31 - Math.clz32(lowest)));
        word ^= lowest;
      }
    }
  }

  /** The greatest number below `end`, or -1. */
  before(end: number): number {
    let n = Math.min(end, this.size) - 1;
    while (n >= this.start) {
      const word = (this.words[(n >>> 5) - this.skipped] ?? 0) & (0xffffffff >>> (31 - (n & 31)));
      if (word !== 0) return (n & ~31) + (31 - Math.clz32(word));
      n = (n & ~31) - 1;
    }
    return -1;
  }

  /** The smallest number from `start` on, or -1. */
  from(start: number): number {
    let n = Math.max(this.start, start);
    while (n < this.size) {
      const word = (this.words[(n >>> 5) - this.skipped] ?? 0) & (0xffffffff << (n & 31));
      if (word !== 0) return (n & ~31) + (31 - Math.clz32(word & -word));
      n = (n & ~31) + 32;
    }
    return -1;
  }
}
