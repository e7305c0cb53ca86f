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
    const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
    // All zero marks an empty place: a value that is zero is moved aside.
    const first = view.getUint32(0) || 1;
    const added = this.#insert(first, view.getUint32(4), view.getUint32(8), view.getUint32(12));
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
