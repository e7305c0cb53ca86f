/** Marks a place that is free; no key is negative. */
const FREE = -1;

const SMALLEST = 1024;

const NONE: readonly number[] = [];

/**
 * Numbers under keys, several perhaps under one: a hash table of two plain arrays with linear probing (Knuth, The Art of
 * Computer Programming 3, 6.4, algorithm L), a twentieth of the memory of a Map with texts. Keys are digests, so that nobody
 * can choose them to be in each other's way.
 */
export class KeyTable {
  #keys = new Float64Array(SMALLEST).fill(FREE);
  #values = new Float64Array(SMALLEST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param key a whole number from 0 to 2^48 - 1 (record-keys.ts) */
  add(key: number, value: number): void {
    if (this.#size >= this.#keys.length / 2) this.#grow();
    this.#put(key, value);
    this.#size++;
  }

  /** The numbers under a key, in no order. */
  all(key: number): readonly number[] {
    let found: number[] | null = null;
    for (let at = this.#placeOf(key); this.#keys[at] !== FREE; at = this.#next(at)) {
      if (this.#keys[at] === key) {
        found ??= [];
        found.push(this.#values[at] ?? 0);
      }
    }
    return found ?? NONE;
  }

  #placeOf(key: number): number {
    // A power of two: these are the key's lowest bits.
    return key & (this.#keys.length - 1);
  }

  #next(at: number): number {
    return at + 1 === this.#keys.length ? 0 : at + 1;
  }

  #put(key: number, value: number): void {
    let at = this.#placeOf(key);
    while (this.#keys[at] !== FREE) at = this.#next(at);
    this.#keys[at] = key;
    this.#values[at] = value;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2).fill(FREE);
    this.#values = new Float64Array(keys.length * 2);
    for (const [at, key] of keys.entries()) if (key !== FREE) this.#put(key, values[at] ?? 0);
  }
}
