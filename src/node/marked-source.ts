import type { BundleSource } from '../protocol/index.ts';

/** A bundle in which a text is looked for as its bytes are read. */
export class MarkedSource {
  readonly #source: BundleSource;
  readonly #mark: Buffer;
  #isMarked = false;

  /** @param mark at least one character, found where it stands without JSON escapes */
  constructor(source: BundleSource, mark: string) {
    this.#source = source;
    this.#mark = Buffer.from(mark);
  }

  readonly source: BundleSource = () => this.#read();

  /** Whether the text occurred in what was read. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const mark = this.#mark;
    let tail: Uint8Array = new Uint8Array(0);
    for await (const chunk of this.#source()) {
      if (!this.#isMarked) {
        const border = Buffer.concat([tail, chunk.subarray(0, mark.length)]);
        this.#isMarked =
          border.includes(mark) || Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes(mark);
        tail = chunk.length < mark.length ? border.subarray(-mark.length) : chunk.slice(-mark.length);
      }
      yield chunk;
    }
  }
}
