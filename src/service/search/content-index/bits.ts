/** A set of record numbers from 0 up to a size, one bit for each. */
export class Bits {
  readonly size: number;
  readonly words: Uint32Array;

  constructor(size: number, words = new Uint32Array(Math.ceil(size / 32))) {
    this.size = size;
    this.words = words;
  }

  static all(size: number): Bits {
    const bits = new Bits(size);
    bits.words.fill(0xffffffff);
    return bits.#trim();
  }

  /** Numbers beyond the size are never in the set. */
  #trim(): this {
    const rest = this.size % 32;
    const last = this.words.length - 1;
    if (rest !== 0) this.words[last] = (this.words[last] ?? 0) & (2 ** rest - 1);
    return this;
  }

  add(n: number): void {
    const word = n >>> 5;
    this.words[word] = (this.words[word] ?? 0) | (1 << (n & 31));
  }

  has(n: number): boolean {
    return ((this.words[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;
  }

  copy(): Bits {
    return new Bits(this.size, this.words.slice());
  }

  /** Keeps what is in the other as well. */
  and(other: Bits): this {
    for (let i = 0; i < this.words.length; i++) this.words[i] = (this.words[i] ?? 0) & (other.words[i] ?? 0);
    return this;
  }

  /** Adds what is in the other. */
  or(other: Bits): this {
    for (let i = 0; i < this.words.length; i++) this.words[i] = (this.words[i] ?? 0) | (other.words[i] ?? 0);
    return this;
  }

  /** Takes out what is in the other. */
  without(other: Bits): this {
    for (let i = 0; i < this.words.length; i++) this.words[i] = (this.words[i] ?? 0) & ~(other.words[i] ?? 0);
    return this;
  }

  /** What is not in the set, as a set. */
  inverted(): Bits {
    const inverted = new Bits(
      this.size,
      this.words.map((word) => ~word),
    );
    return inverted.#trim();
  }

  /** Takes out everything from a number on. */
  below(end: number): this {
    for (let n = Math.max(0, end); n < this.size && n % 32 !== 0; n++) this.delete(n);
    this.words.fill(0, Math.min(this.words.length, Math.ceil(Math.max(0, end) / 32)));
    return this;
  }

  delete(n: number): void {
    const word = n >>> 5;
    this.words[word] = (this.words[word] ?? 0) & ~(1 << (n & 31));
  }

  count(): number {
    return this.#count(null);
  }

  /** How many are in the other as well. */
  countIn(other: Bits): number {
    return this.#count(other.words);
  }

  #count(others: Uint32Array | null): number {
    const { words } = this;
    let total = 0;
    for (let i = 0; i < words.length; i++) {
      const word = others === null ? (words[i] as number) : (words[i] as number) & (others[i] ?? 0);
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
        visit(i * 32 + (31 - Math.clz32(lowest)));
        word ^= lowest;
      }
    }
  }

  /** The greatest number below `end`, or -1. */
  before(end: number): number {
    let n = Math.min(end, this.size) - 1;
    while (n >= 0) {
      const word = (this.words[n >>> 5] ?? 0) & (0xffffffff >>> (31 - (n & 31)));
      if (word !== 0) return (n & ~31) + (31 - Math.clz32(word));
      n = (n & ~31) - 1;
    }
    return -1;
  }

  /** The smallest number from `start` on, or -1. */
  from(start: number): number {
    let n = Math.max(0, start);
    while (n < this.size) {
      const word = (this.words[n >>> 5] ?? 0) & (0xffffffff << (n & 31));
      if (word !== 0) return (n & ~31) + (31 - Math.clz32(word & -word));
      n = (n & ~31) + 32;
    }
    return -1;
  }
}
