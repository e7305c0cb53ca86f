import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { codeOf } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import { type NewCondenser, type Received, Receiving } from '../seen/received.ts';
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
  /** What makes a longer one shorter, so that it is read all the same: see `Received`. Where there is nothing, it is refused. */
  readonly longer: NewCondenser | null;
  readonly mayBePacked: boolean;
  /**
   * Whether its sender may not say where it ends, or end before that: a hook whose standard input stays open, and one whose program gave
   * up. Whatever arrived is read.
   */
  readonly isOfHook?: boolean;
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
    const { limit, longer } = form;
    if (longer === null && Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
    let own = 0;
    const hold = (bytes: number): void => {
      if (this.#held + bytes > MOST_BYTES) throw new RequestRefused('BUSY', 'too much is sent at once: try again');
      this.#held += bytes;
      own += bytes;
    };
    try {
      return await this.#work(await wholeBody(await sourceOf(request, isPacked), form, hold), use);
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
  { bytes, most }: Source,
  { limit, longer, isOfHook = false }: BodyForm,
  hold: (bytes: number) => void,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const body = new Receiving(limit, longer ?? undefined);
    let quiet: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(quiet);
      bytes.off('data', take).off('end', end);
      resolve(body.end(isOfHook));
    };
    const take = (chunk: Buffer): void => {
      clearTimeout(quiet);
      try {
        const bound = longer === null ? Math.min(limit, most()) : most();
        if (body.size + chunk.length > bound) throw tooLarge(bound);
        if (body.size + chunk.length <= limit) hold(chunk.length);
        body.data(chunk);
      } catch (error) {
        bytes.off('data', take).pause();
        reject(error);
        return;
      }
      if (!isOfHook || !endsObject(chunk)) return;
      quiet = setTimeout(() => {
        if (body.isComplete) end();
      }, QUIET_MS);
    };
    bytes.on('data', take);
    bytes.once('end', end);
    bytes.on('error', (error) => {
      clearTimeout(quiet);
      // Nobody waits for its answer any more: what came is recorded all the same.
      if (isOfHook && body.size > 0) end();
      else reject(failureOf(error));
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

/** Bytes as they come, and how many there may be of those that came so far. */
interface Source {
  readonly bytes: Readable;
  most(): number;
}

async function sourceOf(request: IncomingMessage, isPacked: boolean): Promise<Source> {
  if (!isPacked) return { bytes: request, most: () => Number.POSITIVE_INFINITY };
  // Loaded for exporters alone.
  const { createGunzip } = await import('node:zlib');
  let packed = 0;
  request.on('data', (chunk: Buffer) => {
    packed += chunk.length;
  });
  const bytes = createGunzip();
  request.once('error', (error) => bytes.destroy(error));
  return { bytes: request.pipe(bytes), most: () => Math.max(LEAST_UNPACKED, packed * MOST_RATIO) };
}

/** What a body that cannot be read to its end ended with. */
function failureOf(error: Error): Error {
  if (!(codeOf(error) ?? '').startsWith('Z_')) return error;
  return new RecordError('EVENT_INVALID', 'the body is not whole gzip', { cause: error });
}

function tooLarge(limit: number, cause?: unknown): RecordError {
  return new RecordError('EVENT_TOO_LARGE', `the body has more than ${limit} bytes`, { cause });
}
