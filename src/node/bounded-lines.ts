import { createHash, type Hash } from 'node:crypto';

/** A line of a file, as much of it as is kept. */
export interface BoundedLine {
  /** From 1. */
  readonly line: number;
  /** UTF-8 without the end of the line; of a longer line its head. Bytes that are no text are replaced. */
  readonly text: string;
  /** SHA-256 of all its bytes in hex, and how many they are, where it is longer than what is kept. */
  readonly cut?: { readonly bytes: number; readonly sha256: string };
}

const NEWLINE = 0x0a;

/** Cuts a stream into lines. Memory is bounded by what is kept of one line, however long it is. */
export class BoundedLines {
  readonly #keep: number;
  #parts: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;
  #hash: Hash = createHash('sha256');
  #line = 1;

  /** @param keep bytes of a line */
  constructor(keep: number) {
    this.#keep = keep;
  }

  /** @returns the lines that end in the chunk */
  *push(chunk: Uint8Array): Generator<BoundedLine> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, end));
      yield this.#ended();
      from = end + 1;
    }
    this.#take(chunk.subarray(from));
  }

  /** @returns what stands after the last end of a line; null where nothing does */
  rest(): BoundedLine | null {
    return this.#bytes === 0 ? null : this.#ended();
  }

  #take(part: Uint8Array): void {
    this.#bytes += part.length;
    this.#hash.update(part);
    if (this.#kept >= this.#keep) return;
    // A copy, which a Buffer's slice is not: the chunk may be filled again.
    const kept = Buffer.from(part.subarray(0, this.#keep - this.#kept));
    this.#parts.push(kept);
    this.#kept += kept.length;
  }

  #ended(): BoundedLine {
    const text = new TextDecoder().decode(Buffer.concat(this.#parts)).replace(/\r$/, '');
    const sha256 = this.#hash.digest('hex');
    const cut = this.#bytes > this.#keep ? { cut: { bytes: this.#bytes, sha256 } } : {};
    this.#parts = [];
    this.#kept = 0;
    this.#bytes = 0;
    this.#hash = createHash('sha256');
    return { line: this.#line++, text, ...cut };
  }
}
