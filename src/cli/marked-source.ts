import { AGENT_ACTION_PROFILE } from '../profile/index.ts';
import type { BundleSource } from '../protocol/index.ts';

const MARK = Buffer.from(AGENT_ACTION_PROFILE);

/** A bundle in which the name of the payload profile is looked for as it is read: others need no second reading. */
export class MarkedSource {
  readonly #source: BundleSource;
  #isMarked = false;

  constructor(source: BundleSource) {
    this.#source = source;
  }

  readonly source: BundleSource = () => this.#read();

  /** Whether the name occurred in what was read. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let tail: Uint8Array = new Uint8Array(0);
    for await (const chunk of this.#source()) {
      if (!this.#isMarked) {
        const border = Buffer.concat([tail, chunk.subarray(0, MARK.length)]);
        this.#isMarked =
          border.includes(MARK) || Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes(MARK);
        tail = chunk.length < MARK.length ? border.subarray(-MARK.length) : chunk.slice(-MARK.length);
      }
      yield chunk;
    }
  }
}
