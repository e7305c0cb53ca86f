import type { IncomingMessage } from 'node:http';
import { RecordError } from '../base/record-error.ts';
import { type Received, Receiving, received } from '../seen/received.ts';
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

/** After this long without a further byte a body that is a whole JSON object has ended, whatever the other side keeps open, in milliseconds. */
const QUIET_MS = 250;

const [BRACE_END, NEWLINE, RETURN] = [0x7d, 0x0a, 0x0d];

/** How a body is read. */
export interface BodyForm {
  /** Bytes that are kept whole, packed and unpacked. */
  readonly limit: number;
  /** Whether a longer one is JSON, which is read all the same: see `Received`. Others are refused. */
  readonly isJson: boolean;
  readonly mayBePacked: boolean;
  /** Whether it may have ended though its sender does not say so: a hook whose standard input stays open. */
  readonly mayStayOpen?: boolean;
}

/** The bodies of requests, whose memory is bounded however many come at once, and however long they are. */
export class Bodies {
  #held = 0;
  readonly #room = new Room(MOST_WORKED_ON);

  /**
   * Reads a body, and holds its bytes against the bound until `use` is done with it. Large ones wait until there is room to work on them.
   * @throws RecordError EVENT_TOO_LARGE, EVENT_INVALID; RequestRefused BUSY; what `use` throws
   */
  async with<T>(request: IncomingMessage, form: BodyForm, use: (body: Received) => Promise<T>): Promise<T> {
    const isPacked = packing(request, form.mayBePacked);
    const isBounded = !form.isJson || isPacked;
    if (isBounded && Number(request.headers['content-length'] ?? 0) > form.limit) throw tooLarge(form.limit);
    let own = 0;
    const hold = (bytes: number): void => {
      if (this.#held + bytes > MOST_BYTES) throw new RequestRefused('BUSY', 'too much is sent at once: try again');
      this.#held += bytes;
      own += bytes;
    };
    try {
      const body = await wholeBody(request, form, isBounded, hold);
      if (!isPacked) return await this.#work(body, use);
      const unpacked = await unpackWithin(body.json ?? Buffer.alloc(0), form.limit);
      hold(unpacked.length);
      return await this.#work(received(unpacked), use);
    } finally {
      this.#held -= own;
    }
  }

  #work<T>(body: Received, use: (body: Received) => Promise<T>): Promise<T> {
    const size = body.json?.length ?? 0;
    return size <= SMALL_BYTES ? use(body) : this.#room.with(size, () => use(body));
  }
}

/**
 * By events: an iterator over the stream makes several promises for each body.
 * @param hold takes the bytes that are kept
 */
function wholeBody(
  request: IncomingMessage,
  { limit, mayStayOpen = false }: BodyForm,
  isBounded: boolean,
  hold: (bytes: number) => void,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const body = new Receiving(limit);
    let quiet: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(quiet);
      request.off('data', take).off('end', end);
      resolve(body.end());
    };
    const take = (chunk: Buffer): void => {
      clearTimeout(quiet);
      try {
        if (isBounded && body.size + chunk.length > limit) throw tooLarge(limit);
        if (body.size + chunk.length <= limit) hold(chunk.length);
        body.data(chunk);
      } catch (error) {
        request.off('data', take).pause();
        reject(error);
        return;
      }
      if (!mayStayOpen || !endsObject(chunk)) return;
      quiet = setTimeout(() => {
        if (body.isComplete) end();
      }, QUIET_MS);
    };
    request.on('data', take);
    request.once('end', end);
    request.on('error', (error) => {
      clearTimeout(quiet);
      reject(error);
    });
  });
}

/** Whether bytes end as a JSON object does, and perhaps a line. */
function endsObject(bytes: Buffer): boolean {
  let at = bytes.length - 1;
  while (at > 0 && (bytes[at] === NEWLINE || bytes[at] === RETURN)) at--;
  return bytes[at] === BRACE_END;
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
