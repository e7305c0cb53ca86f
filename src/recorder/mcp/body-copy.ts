import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Takes the bytes of a body, decoded, in order. */
export interface CopyTarget {
  data(bytes: Buffer): void;
  /** Kept once more may come: a few packed bytes may be many. */
  room?(): Promise<void>;
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
  #failure: unknown;
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
    const decoder = this.#decoder;
    decoder.on('data', (bytes: Buffer) => {
      try {
        this.#take(bytes);
        decoder.pause();
        void (target.room?.() ?? Promise.resolve()).then(() => decoder.resume());
      } catch (error) {
        // Thrown by a listener of a stream, it would end the process: it comes out of `show` and `end`.
        this.#failure = error;
        this.broken = true;
        this.stop();
      }
    });
    this.#decoder.on('error', () => {
      this.broken = true;
    });
  }

  /** @throws what the target throws */
  async show(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    this.#hash.update(chunk);
    if (this.broken) return;
    if (this.#decoder === 'identity') this.#take(chunk);
    else await this.#decode((decoder, done) => decoder.write(chunk, done));
  }

  /** @throws what the target throws */
  async end(): Promise<void> {
    if (!this.broken) await this.#decode((decoder, done) => decoder.once('end', done).end());
    this.stop();
  }

  stop(): void {
    if (typeof this.#decoder !== 'string') this.#decoder.destroy();
  }

  /** Of the body as it was sent: 64 lowercase hex digits. To be asked once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  async #decode(step: (decoder: Transform, done: () => void) => void): Promise<void> {
    const decoder = this.#decoder;
    if (typeof decoder === 'string') return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        decoder.off('close', done);
        resolve();
      };
      decoder.once('close', done);
      step(decoder, done);
    });
    if (this.#failure !== undefined) throw this.#failure;
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

/** @param encodings RFC 9110, section 8.4: a list in any case, in which `identity` means nothing; of several real ones none is decoded */
function decoderOf(encodings: string | undefined): Decoder {
  const names = (encodings ?? '').split(',').map((name) => name.trim().toLowerCase());
  const [encoding, ...others] = names.filter((name) => name !== '' && name !== 'identity');
  if (others.length > 0) return 'unknown';
  switch (encoding) {
    case undefined:
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

/** The most that a body is decoded to, in bytes: a packed one may be made to take for ever. */
export const MOST_DECODED = 1 << 30;
