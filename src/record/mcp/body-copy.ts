import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Takes the bytes of a body, decoded, in order. */
export interface CopyTarget {
  data(bytes: Buffer): void;
}

type Decoder = Transform | 'identity' | 'unknown';

/**
 * A copy of a body that is forwarded as it is. The copy is decoded as its `Content-Encoding` says; each chunk is dealt with before the
 * next is shown.
 */
export class BodyCopy {
  readonly #target: CopyTarget;
  readonly #decoder: Decoder;
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #decoded = 0;
  /** Bytes of the body as it was sent. */
  size = 0;
  /** Whether some of it could not be decoded, or was too much. */
  broken: boolean;

  /** @param limit of the decoded bytes; what is beyond is not shown */
  constructor(encoding: string | undefined, limit: number, target: CopyTarget) {
    this.#target = target;
    this.#limit = limit;
    this.#decoder = decoderOf(encoding);
    this.broken = this.#decoder === 'unknown';
    if (typeof this.#decoder === 'string') return;
    this.#decoder.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#decoder.on('error', () => {
      this.broken = true;
    });
  }

  async show(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    this.#hash.update(chunk);
    if (this.broken) return;
    if (this.#decoder === 'identity') this.#take(chunk);
    else await this.#decode((decoder, done) => decoder.write(chunk, done));
  }

  async end(): Promise<void> {
    if (!this.broken) await this.#decode((decoder, done) => decoder.end(done));
    this.stop();
  }

  stop(): void {
    if (typeof this.#decoder !== 'string') this.#decoder.destroy();
  }

  /** Of the body as it was sent: 64 lowercase hex digits. To be asked once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  #decode(step: (decoder: Transform, done: () => void) => void): Promise<void> {
    const decoder = this.#decoder;
    if (typeof decoder === 'string') return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        decoder.off('close', done);
        resolve();
      };
      decoder.once('close', done);
      step(decoder, done);
    });
  }

  #take(bytes: Buffer): void {
    this.#decoded += bytes.length;
    if (this.#decoded <= this.#limit) this.#target.data(bytes);
    else {
      this.broken = true;
      this.stop();
    }
  }
}

function decoderOf(encoding: string | undefined): Decoder {
  switch (encoding?.trim().toLowerCase() ?? 'identity') {
    case 'identity':
    case '':
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return createZstdDecompress();
    default:
      return 'unknown';
  }
}

/** Keeps all of a body. */
export class WholeBody implements CopyTarget {
  readonly #chunks: Buffer[] = [];

  data(bytes: Buffer): void {
    this.#chunks.push(bytes);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
