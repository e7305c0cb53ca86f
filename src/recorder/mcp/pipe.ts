import type { Writable } from 'node:stream';

const NEWLINE = 0x0a;
/** No JSON text of an object or an array ends so, whatever stands before it. */
const NO_MESSAGE_END = Buffer.from('!\n');

/**
 * Writes, and waits while the reader is behind. Where the reader is gone nothing is written: how its process ended says more than
 * the broken pipe would.
 */
export function writeTo(stream: Writable, bytes: Uint8Array | string): Promise<void> {
  if (stream.destroyed || stream.writableEnded || stream.write(bytes)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}

/** Waits until all that was written has left this process, or its reader is gone. */
export function allWritten(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** What goes to one side of stdio: the other side's lines, and answers of the proxy, which must not come between two pieces of a line. */
export class Lines {
  readonly #output: Writable;
  readonly #held: string[] = [];
  readonly #close: () => void | Promise<void>;
  #withinLine = false;
  #isClosed = false;

  /** @param close closes what the output writes to */
  constructor(output: Writable, close: () => void | Promise<void>) {
    this.#output = output;
    this.#close = close;
  }

  async forward(bytes: Uint8Array): Promise<void> {
    this.#withinLine = bytes.at(-1) !== NEWLINE;
    const written = writeTo(this.#output, bytes);
    if (!this.#withinLine) for (const answer of this.#held.splice(0)) this.#output.write(answer);
    await written;
  }

  async answer(text: string): Promise<void> {
    if (this.#isClosed) return;
    if (this.#withinLine) this.#held.push(`${text}\n`);
    else await writeTo(this.#output, `${text}\n`);
  }

  /**
   * Ends a line of which only pieces were forwarded, so that it is no message: whoever wrote it chose where the pieces end, and they may be one
   * that is whole.
   */
  async endLine(): Promise<void> {
    if (this.#withinLine) await this.forward(NO_MESSAGE_END);
  }

  /** The other side writes nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#close();
  }
}
