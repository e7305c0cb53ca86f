import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { type Received, Receiving } from '../seen/received.ts';
import { BodyCopy, MOST_DECODED } from './body-copy.ts';
import { writeTo } from './pipe.ts';

/** A body that was read as far as it may be held back. */
export interface ReadBody {
  readonly chunks: readonly Buffer[];
  /** What is known of all of it, decoded; null for one that is too long to be held back, or cannot be decoded. */
  readonly copy: Received | null;
  /** Whether `chunks` are all of it. */
  readonly isWhole: boolean;
  /** Whether it can be decoded. */
  readonly isReadable: boolean;
  readonly reading: BodyReading;
}

/** A copy of a body, and what is kept of it. */
class BodyReading {
  readonly kept: Receiving;
  readonly copy: BodyCopy;

  constructor(encoding: string | undefined, limit: number) {
    this.kept = new Receiving(limit);
    this.copy = new BodyCopy(encoding, MOST_DECODED, { data: (bytes) => this.kept.data(bytes) });
  }
}

/**
 * Reads a body up to a bound; what is beyond stays in the request.
 * @throws the error of a connection that broke
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const reading = new BodyReading(request.headers['content-encoding'], limit);
  const { copy, kept } = reading;
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= limit && !kept.isLong) {
    const chunk: Buffer | null = request.read();
    if (chunk !== null) {
      chunks.push(chunk);
      size += chunk.length;
      await copy.show(chunk);
    } else if (request.readableEnded) {
      await copy.end();
      const isReadable = !copy.broken;
      return { chunks, copy: isReadable ? kept.end() : null, isWhole: true, isReadable, reading };
    } else await moreOf(request);
  }
  return { chunks, copy: null, isWhole: false, isReadable: !copy.broken, reading };
}

/** Kept once there is more to read, or the end. */
function moreOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      request.off('readable', more).off('end', more).off('error', broken).off('close', broken);
    };
    const more = (): void => {
      stop();
      resolve();
    };
    const broken = (error?: Error): void => {
      stop();
      reject(error ?? new Error('the client closed the connection'));
    };
    request.on('readable', more).on('end', more).on('error', broken).on('close', broken);
  });
}

/** What is known of a body that was forwarded but for its last bytes. */
export interface ForwardedBody {
  readonly sha256: string;
  readonly size: number;
  /** Null for one that cannot be decoded. */
  readonly received: Received | null;
}

/**
 * Forwards what was read, and what is left.
 * @param mayEnd asked of a body that was not whole before its last bytes are forwarded: without them it is no message
 */
export async function forwardBody(
  { chunks, isWhole, reading }: ReadBody,
  rest: IncomingMessage,
  to: Writable,
  mayEnd: (body: ForwardedBody) => Promise<boolean>,
): Promise<void> {
  const { copy, kept } = reading;
  if (isWhole) {
    for (const chunk of chunks) await writeTo(to, chunk);
    to.end();
    return;
  }
  let held = Buffer.alloc(0);
  const pass = async (chunk: Buffer): Promise<void> => {
    const all = Buffer.concat([held, chunk]);
    held = all.subarray(Math.max(0, all.length - HELD));
    if (all.length > HELD) await writeTo(to, all.subarray(0, all.length - HELD));
  };
  for (const chunk of chunks) await pass(chunk);
  for await (const chunk of rest) {
    await copy.show(chunk);
    await pass(chunk);
  }
  await copy.end();
  const body = { sha256: copy.sha256(), size: copy.size, received: copy.broken ? null : kept.end() };
  if (!(await mayEnd(body))) return;
  await writeTo(to, held);
  to.end();
}

/** Bytes at the end of a long body that are forwarded once it is recorded. */
const HELD = 65_536;
