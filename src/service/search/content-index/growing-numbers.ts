/** Whole numbers that grow at their end. */
export class Numbers {
  #values = new Uint32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  at(place: number): number {
    return this.#values[place] ?? 0;
  }

  /** The text of some UTF-16 units, no more than a word has: made at once, since one that is put together keeps all its parts. */
  textOf(from: number, to: number): string {
    return String.fromCharCode(...this.#values.subarray(from, to));
  }
}

/**
 * Puts rows in the order of the numbers of their terms; rows of one term stay in theirs.
 * @param terms by row the number of its term @param count of terms
 * @returns the rows in that order, and for each term where its own end
 */
export function orderOf(terms: Numbers, count: number): { readonly order: Uint32Array; readonly ends: Uint32Array } {
  /** Where the rows of each term begin, and, once they are in their order, end. */
  const ends = new Uint32Array(count + 1);
  const add = (at: number, more: number): number => {
    const before = ends[at] ?? 0;
    ends[at] = before + more;
    return before;
  };
  for (let row = 0; row < terms.length; row++) add(terms.at(row) + 1, 1);
  for (let number = 0; number < count; number++) add(number + 1, ends[number] ?? 0);
  const order = new Uint32Array(terms.length);
  for (let row = 0; row < terms.length; row++) order[add(terms.at(row), 1)] = row;
  return { order, ends };
}
