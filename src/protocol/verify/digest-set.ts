function word(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/**
 * A set of 128-bit values in one flat array: sixteen bytes a place instead of the hundred that a Set of strings takes, so
 * that reuse is noticed over millions of records in bounded memory. Values are random or hashed; two different ones that
 * agree in 128 bits do not occur.
 */
export class DigestSet {
  #words = new Uint32Array(4 * 1024);
  #size = 0;

  /**
   * @param bytes at least 16; the first 16 count
   * @returns whether the value was new
   */
  add(bytes: Uint8Array): boolean {
    // All zero marks an empty place: a value that is zero is moved aside.
    const first = word(bytes, 0) || 1;
    const added = this.#insert(first, word(bytes, 4), word(bytes, 8), word(bytes, 12));
    if (added && ++this.#size * 6 > this.#words.length) this.#grow();
    return added;
  }

  #insert(a: number, b: number, c: number, d: number): boolean {
    const words = this.#words;
    const mask = words.length / 4 - 1;
    // The value is as good as random already; a sender who picks colliding places only slows down his own check.
    for (let place = (a ^ d) & mask; ; place = (place + 1) & mask) {
      const at = place * 4;
      if (words[at] === 0) {
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
        return true;
      }
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return false;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 4) {
      if (old[at] !== 0) {
        this.#insert(old[at] as number, old[at + 1] as number, old[at + 2] as number, old[at + 3] as number);
      }
    }
  }
}
