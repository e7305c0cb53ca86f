import { equalBytes } from '../bytes.ts';

/** Of a digest this much is kept: two that agree in it are taken for one. */
const BYTES = 16;
/** Numbers of one piece: few, for whoever makes a file chooses how far its numbers lie apart. */
const PIECE = 32;

export interface Difference {
  /** The lowest number under which the two have different digests. */
  readonly at: number;
  /** The highest number below it under which both have the same; null where there is none. */
  readonly last: number | null;
}

/** Digests by number, 16 bytes each: a ledger of a million records takes 16 MB. */
export class DigestsByNumber {
  readonly #pieces = new Map<number, { readonly bytes: Uint8Array; readonly has: Uint8Array }>();
  size = 0;

  /** @returns false where another digest is under the number, which stays */
  put(number: number, digest: Uint8Array): boolean {
    const kept = digest.subarray(0, BYTES);
    const there = this.get(number);
    if (there !== null) return equalBytes(there, kept);
    const key = Math.floor(number / PIECE);
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      piece = { bytes: new Uint8Array(PIECE * BYTES), has: new Uint8Array(PIECE) };
      this.#pieces.set(key, piece);
    }
    piece.bytes.set(kept, (number % PIECE) * BYTES);
    piece.has[number % PIECE] = 1;
    this.size++;
    return true;
  }

  get(number: number): Uint8Array | null {
    const piece = this.#pieces.get(Math.floor(number / PIECE));
    const place = number % PIECE;
    return piece?.has[place] === 1 ? piece.bytes.subarray(place * BYTES, (place + 1) * BYTES) : null;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<readonly [number: number, digest: Uint8Array]> {
    for (const key of [...this.#pieces.keys()].toSorted((a, b) => a - b)) {
      const piece = this.#pieces.get(key);
      for (let place = 0; place < PIECE; place++) {
        if (piece?.has[place] !== 1) continue;
        yield [key * PIECE + place, piece.bytes.subarray(place * BYTES, (place + 1) * BYTES)];
      }
    }
  }

  /** @returns how many numbers both have, and the first under which they differ */
  compare(other: DigestsByNumber): { readonly same: number; readonly difference: Difference | null } {
    let same = 0;
    let last: number | null = null;
    for (const [number, digest] of this) {
      const there = other.get(number);
      if (there === null) continue;
      if (!equalBytes(there, digest)) return { same, difference: { at: number, last } };
      same++;
      last = number;
    }
    return { same, difference: null };
  }
}
