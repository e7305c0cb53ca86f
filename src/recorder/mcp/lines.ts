import { createHash, type Hash } from 'node:crypto';

/** A part of a stream of lines, in order; all parts together are the stream, byte for byte. */
export type Part =
  /** A line with its end, or what stands after the last end of a line. */
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A piece of a line that is too long to be kept. */
  | { readonly kind: 'piece'; readonly bytes: Buffer }
  /** The last piece of such a line, with the digest and size in bytes of all of it. */
  | { readonly kind: 'long'; readonly bytes: Buffer; readonly sha256: string; readonly size: number };

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts a stream into lines, of which it keeps one at most, and of one that is longer than `longest` bytes nothing. */
export class LineSplitter {
  readonly #longest: number;
  readonly #atReturns: boolean;
  #kept: Buffer[] = [];
  #size = 0;
  #hash: Hash | null = null;

  /** @param atReturns whether a carriage return alone ends a line too, as it does for some readers, Python's among them */
  constructor(longest: number, { atReturns = false } = {}) {
    this.#longest = longest;
    this.#atReturns = atReturns;
  }

  *push(chunk: Buffer): Generator<Part> {
    let from = 0;
    // Looked for once more only where it is passed: else many lines would have the rest of the chunk searched for each.
    let next = this.#atReturns ? chunk.indexOf(RETURN) : -1;
    while (from < chunk.length) {
      if (next >= 0 && next < from) next = chunk.indexOf(RETURN, from);
      const newline = chunk.indexOf(NEWLINE, from);
      const end = next >= 0 && (newline < 0 || next < newline) ? next : newline;
      const bytes = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      from += bytes.length;
      this.#size += bytes.length;
      if (this.#size > this.#longest) yield* this.#pieces(bytes, end >= 0);
      else if (end < 0) this.#kept.push(bytes);
      else yield this.#line(bytes);
    }
  }

  /** What is left where the stream ends within a line. */
  *end(): Generator<Part> {
    if (this.#hash !== null) yield* this.#pieces(Buffer.alloc(0), true);
    else if (this.#kept.length > 0) yield this.#line(Buffer.alloc(0));
  }

  #line(last: Buffer): Part {
    const bytes = this.#kept.length === 0 ? last : Buffer.concat([...this.#kept, last]);
    this.#reset();
    return { kind: 'line', bytes };
  }

  *#pieces(bytes: Buffer, last: boolean): Generator<Part> {
    this.#hash ??= createHash('sha256');
    for (const kept of this.#kept) {
      this.#hash.update(kept);
      yield { kind: 'piece', bytes: kept };
    }
    this.#kept = [];
    this.#hash.update(bytes);
    if (!last) {
      yield { kind: 'piece', bytes };
      return;
    }
    const part: Part = { kind: 'long', bytes, sha256: this.#hash.digest('hex'), size: this.#size };
    this.#reset();
    yield part;
  }

  #reset(): void {
    this.#kept = [];
    this.#size = 0;
    this.#hash = null;
  }
}
