import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { CancelSignal } from '../protocol/index.ts';

/** Thrown at the first byte that is not the same: nothing further has to be made. */
export class Differs extends Error {}

/** Holds what is written against a file, byte for byte. */
export class AgainstFile extends Writable {
  readonly #file: FileHandle;
  readonly #signal: CancelSignal | undefined;
  #at = 0;

  constructor(file: FileHandle, signal: CancelSignal | undefined) {
    super({ highWaterMark: 1024 * 1024 });
    this.#file = file;
    this.#signal = signal;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#compare(chunk).then(() => done(), done);
  }

  async #compare(chunk: Buffer): Promise<void> {
    this.#signal?.throwIfAborted();
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(chunk.length), 0, chunk.length, this.#at);
    if (bytesRead < chunk.length || Buffer.compare(buffer, chunk) !== 0) throw new Differs();
    this.#at += chunk.length;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#file.stat().then(({ size }) => done(size === this.#at ? null : new Differs()), done);
  }
}
