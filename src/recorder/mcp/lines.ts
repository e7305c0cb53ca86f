import { type Received, Receiving } from '../seen/received.ts';

/** A part of a stream of lines, in order; all parts together are the stream, byte for byte. */
export type Part =
  /** A line with its end, or what stands after the last end of a line. */
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A piece of a line that is too long to be kept. */
  | { readonly kind: 'piece'; readonly bytes: Buffer }
  /** The last piece of such a line, with what is kept of all of it. */
  | { readonly kind: 'long'; readonly bytes: Buffer; readonly received: Received };

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
/** More than a stream gives at once. */
const CHUNK = 1 << 20;

/** Where the last byte is that is no white space; 0 where there is none. */
function lastMeaning(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === RETURN)) at--;
  return Math.max(0, at);
}

/** Cuts a stream into lines, of which it keeps one at most, and of one that is longer than `longest` bytes what `Receiving` keeps. */
export class LineSplitter {
  readonly #longest: number;
  readonly #atReturns: boolean;
  #kept: Buffer[] = [];
  #size = 0;
  #long: Receiving | null = null;
  #withheld: Buffer = Buffer.alloc(0);

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
    if (this.#long !== null) yield* this.#pieces(Buffer.alloc(0), true);
    else if (this.#kept.length > 0) yield this.#line(Buffer.alloc(0));
  }

  #line(last: Buffer): Part {
    const bytes = this.#kept.length === 0 ? last : Buffer.concat([...this.#kept, last]);
    this.#reset();
    return { kind: 'line', bytes };
  }

  /** The last byte of a line that means something comes with its last piece: whoever withholds that one has forwarded no whole message. */
  *#pieces(bytes: Buffer, last: boolean): Generator<Part> {
    const long = this.#long ?? new Receiving(this.#longest);
    this.#long = long;
    for (const kept of [...this.#kept, bytes]) long.data(kept);
    const all = Buffer.concat([...this.#kept, bytes]);
    this.#kept = [];
    if (last) {
      this.#reset();
      yield { kind: 'long', bytes: Buffer.concat([this.#withheld, all]), received: long.end() };
      this.#withheld = Buffer.alloc(0);
      return;
    }
    const whole = Buffer.concat([this.#withheld, all]);
    // More white space than this is let through: nothing sends it.
    const meaning = lastMeaning(whole);
    const from = whole.length - meaning > this.#longest + CHUNK ? whole.length : meaning;
    this.#withheld = Buffer.from(whole.subarray(from));
    if (from > 0) yield { kind: 'piece', bytes: whole.subarray(0, from) };
  }

  #reset(): void {
    this.#kept = [];
    this.#size = 0;
    this.#long = null;
  }
}
