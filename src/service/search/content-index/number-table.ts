const WORDS = new Uint32Array(2);
const DOUBLE = new Float64Array(WORDS.buffer);

/** Drawn for each process: whoever writes the numbers cannot make them collide. */
const [LOW = 0, HIGH = 0] = crypto.getRandomValues(new Uint32Array(2)).map((drawn) => drawn | 1);

/** A number that looks random, of the bits of a double: of 0 and -0 it is the same. */
function scattered(value: number): number {
  DOUBLE[0] = value + 0;
  let mixed = Math.imul(WORDS[0] as number, LOW) ^ Math.imul(WORDS[1] as number, HIGH);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Doubles by the order in which they came, from 1 on; it does not take NaN. A Map keeps an object for each of a million numbers, and takes ten times
 * as long.
 */
export class NumberTable {
  #values = new Float64Array(1024);
  #places = new Int32Array(2048);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The numbers by their places, of which the first stands for none. Those that come later are not in it. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#size + 1);
  }

  /** The place of a number in the order; 0 where it never came. */
  find(value: number): number {
    return this.#places[this.#at(value)] as number;
  }

  /** The same, of a number that has one from now on. */
  add(value: number): number {
    const at = this.#at(value);
    const known = this.#places[at] as number;
    if (known !== 0) return known;
    this.#size++;
    this.#values[this.#size] = value;
    this.#places[at] = this.#size;
    if (this.#size + 1 === this.#values.length) this.#grow(2 * this.#values.length);
    return this.#size;
  }

  /** Makes room for as many more numbers at once. @param likely how many there may be behind them: where it grows, for these as well */
  reserve(count: number, likely = 0): void {
    const needed = this.#size + count + 2;
    if (needed > this.#values.length) this.#grow(2 ** Math.ceil(Math.log2(needed + likely)));
  }

  #at(value: number): number {
    const mask = this.#places.length - 1;
    let at = scattered(value) & mask;
    for (let id = this.#places[at] as number; id !== 0 && this.#values[id] !== value; ) {
      at = (at + 1) & mask;
      id = this.#places[at] as number;
    }
    return at;
  }

  #grow(room: number): void {
    const values = new Float64Array(room);
    values.set(this.#values);
    this.#values = values;
    this.#places = new Int32Array(2 * values.length);
    for (let id = 1; id <= this.#size; id++) this.#places[this.#at(values[id] as number)] = id;
  }
}
