import type { IncomingMessage } from 'node:http';
import { RecordError } from '../base/record-error.ts';
import { RequestRefused } from './answers.ts';
import { Room } from './room.ts';

/** Bytes of all bodies that are read or worked on at once. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Bytes of large bodies that are worked on at once: the values of one can take fifty times its size. */
const MOST_WORKED_ON = 2 * 1024 * 1024;

/** Bodies up to this size wait for no other one. */
const SMALL_BYTES = 64 * 1024;

/** Texts of telemetry shrink to a twentieth; what shrinks further than this is made to fill the memory. */
const MOST_RATIO = 100;

const LEAST_UNPACKED = 64 * 1024;

/** The bodies of requests, whose memory is bounded however many come at once. */
export class Bodies {
  #held = 0;
  readonly #room = new Room(MOST_WORKED_ON);

  /**
   * Reads a body, and holds its bytes against the bound until `use` is done with it. Large ones wait until there is room to work on them.
   * @param limit bytes, packed and unpacked
   * @throws RecordError EVENT_TOO_LARGE, EVENT_INVALID; RequestRefused BUSY; what `use` throws
   */
  async with<T>(
    request: IncomingMessage,
    { limit, mayBePacked }: { readonly limit: number; readonly mayBePacked: boolean },
    use: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    const isPacked = packing(request, mayBePacked);
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
    let own = 0;
    const hold = (bytes: number): void => {
      if (this.#held + bytes > MOST_BYTES) throw new RequestRefused('BUSY', 'too much is sent at once: try again');
      this.#held += bytes;
      own += bytes;
    };
    try {
      const body = await wholeBody(request, limit, hold);
      if (!isPacked) return await this.#work(body, use);
      const unpacked = await unpackWithin(body, limit);
      hold(unpacked.length);
      return await this.#work(unpacked, use);
    } finally {
      this.#held -= own;
    }
  }

  #work<T>(body: Buffer, use: (body: Buffer) => Promise<T>): Promise<T> {
    return body.length <= SMALL_BYTES ? use(body) : this.#room.with(body.length, () => use(body));
  }
}

/** By events: an iterator over the stream makes several promises for each body. */
function wholeBody(request: IncomingMessage, limit: number, hold: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      try {
        size += chunk.length;
        if (size > limit) throw tooLarge(limit);
        hold(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        request.off('data', take).pause();
        reject(error);
      }
    };
    request.on('data', take);
    request.once('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('error', reject);
  });
}

function packing({ headers }: IncomingMessage, mayBePacked: boolean): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return false;
  if (mayBePacked && encoding === 'gzip') return true;
  throw new RecordError('EVENT_INVALID', `the content encoding ${encoding.slice(0, 40)} is not taken here`);
}

async function unpackWithin(body: Buffer, limit: number): Promise<Buffer> {
  const most = Math.min(limit, Math.max(LEAST_UNPACKED, body.length * MOST_RATIO));
  try {
    // Loaded for exporters alone.
    const { gunzip } = await import('node:zlib');
    return await new Promise((resolve, reject) => {
      gunzip(body, { maxOutputLength: most }, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
    });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(most, error);
    throw new RecordError('EVENT_INVALID', 'the body is not whole gzip', { cause: error });
  }
}

function tooLarge(limit: number, cause?: unknown): RecordError {
  return new RecordError('EVENT_TOO_LARGE', `the body has more than ${limit} bytes`, { cause });
}
