import { type DigestParts, DigestSet, type Sha256, utf8 } from '../../../protocol/index.ts';

/** Keys that are told apart for ever, in some 15 bytes each; beyond that an unknown key may be one that was forgotten. */
const MAX_SEEN = 4_000_000;

/** 128 bits of a hash as a short string: keys of others may be of any length. */
function shortOf(hashed: Uint8Array): string {
  return String.fromCharCode(...hashed.subarray(0, 16));
}

export interface RecentState<V> {
  readonly values: Map<string, V>;
  readonly seen: DigestParts;
  keys: number;
  returned: number;
}

export const newRecent = <V>(): RecentState<V> => ({
  values: new Map(),
  seen: new DigestSet(64).parts,
  keys: 0,
  returned: 0,
});

/**
 * The newest of many states, by a key of any length. A state that was used least recently is handed over and dropped when
 * there are too many; a key that comes back after that is noticed.
 */
export class RecentMap<V> {
  readonly #limit: number;
  readonly #hash: Sha256;
  readonly #onDrop: (value: V) => void;
  readonly #state: RecentState<V>;
  readonly #seen: DigestSet;

  constructor(limit: number, hash: Sha256, state: RecentState<V>, onDrop: (value: V) => void = () => {}) {
    this.#state = state;
    this.#seen = new DigestSet(64, state.seen);
    this.#limit = limit;
    this.#hash = hash;
    this.#onDrop = onDrop;
  }

  /** How many different keys there were. */
  get size(): number {
    return this.#state.keys;
  }

  /** How many keys came back whose state was gone. */
  get returned(): number {
    return this.#state.returned;
  }

  /** The state of a key, made where there is none. */
  at(key: string, make: () => V): V {
    const hashed = this.#hash(utf8(key));
    const short = shortOf(hashed);
    const state = this.#state;
    let value = state.values.get(short);
    if (value !== undefined) state.values.delete(short);
    else {
      if (state.keys < MAX_SEEN && this.#seen.add(hashed)) state.keys++;
      else state.returned++;
      value = make();
      this.#dropOldest();
    }
    state.values.set(short, value);
    return value;
  }

  /** The state of a key that is still there, without using it. */
  find(key: string): V | undefined {
    return this.#state.values.get(shortOf(this.#hash(utf8(key))));
  }

  values(): Iterable<V> {
    return this.#state.values.values();
  }

  #dropOldest(): void {
    const { values } = this.#state;
    if (values.size < this.#limit) return;
    for (const [key, value] of values) {
      values.delete(key);
      this.#onDrop(value);
      return;
    }
  }
}
