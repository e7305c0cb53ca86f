import { DigestSet, type Sha256, utf8 } from '../../../protocol/index.ts';

/** Keys that are told apart for ever, in some 15 bytes each; beyond that an unknown key may be one that was forgotten. */
const MAX_SEEN = 4_000_000;

/** 128 bits of a hash as a short string: keys of others may be of any length. */
function shortOf(hashed: Uint8Array): string {
  return String.fromCharCode(...hashed.subarray(0, 16));
}

/**
 * The newest of many states, by a key of any length. A state that was used least recently is handed over and dropped when
 * there are too many; a key that comes back after that is noticed.
 */
export class RecentMap<V> {
  readonly #limit: number;
  readonly #hash: Sha256;
  readonly #onDrop: (value: V) => void;
  readonly #values = new Map<string, V>();
  readonly #seen = new DigestSet(64);
  #keys = 0;
  /** How many keys came back whose state was gone. */
  returned = 0;

  constructor(limit: number, hash: Sha256, onDrop: (value: V) => void = () => {}) {
    this.#limit = limit;
    this.#hash = hash;
    this.#onDrop = onDrop;
  }

  /** How many different keys there were. */
  get size(): number {
    return this.#keys;
  }

  /** The state of a key, made where there is none. */
  at(key: string, make: () => V): V {
    const hashed = this.#hash(utf8(key));
    const short = shortOf(hashed);
    let value = this.#values.get(short);
    if (value !== undefined) this.#values.delete(short);
    else {
      if (this.#keys < MAX_SEEN && this.#seen.add(hashed)) this.#keys++;
      else this.returned++;
      value = make();
      this.#dropOldest();
    }
    this.#values.set(short, value);
    return value;
  }

  /** The state of a key that is still there, without using it. */
  find(key: string): V | undefined {
    return this.#values.get(shortOf(this.#hash(utf8(key))));
  }

  values(): Iterable<V> {
    return this.#values.values();
  }

  #dropOldest(): void {
    if (this.#values.size < this.#limit) return;
    for (const [key, value] of this.#values) {
      this.#values.delete(key);
      this.#onDrop(value);
      return;
    }
  }
}
