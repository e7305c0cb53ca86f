import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { CancelSignal } from '../../protocol/index.ts';

/** Thrown at the first byte that is not the same: nothing further has to be made. */
export class Differs extends Error {}

/** Is told how far a comparison is, in bytes. */
export type ComparisonProgress = (done: number, total: number) => void;

export interface AgainstMeans {
  readonly signal?: CancelSignal | undefined;
  /** Is told how many bytes were compared so far. */
  readonly onCompared?: ((compared: number) => void) | undefined;
}

/** Holds what is written against a file, byte for byte. */
export class AgainstFile extends Writable {
  readonly #file: FileHandle;
  readonly #signal: CancelSignal | undefined;
  readonly #onCompared: AgainstMeans['onCompared'];
  #at = 0;

  constructor(file: FileHandle, { signal, onCompared }: AgainstMeans) {
    super({ highWaterMark: 1024 * 1024 });
    this.#file = file;
    this.#signal = signal;
    this.#onCompared = onCompared;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#compare(chunk).then(() => done(), done);
  }

  async #compare(chunk: Buffer): Promise<void> {
    this.#signal?.throwIfAborted();
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(chunk.length), 0, chunk.length, this.#at);
    if (bytesRead < chunk.length || Buffer.compare(buffer, chunk) !== 0) throw new Differs();
    this.#at += chunk.length;
    this.#onCompared?.(this.#at);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#file.stat().then(({ size }) => done(size === this.#at ? null : new Differs()), done);
  }
}
