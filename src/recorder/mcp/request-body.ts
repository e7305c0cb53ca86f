import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { BodyCopy, WholeBody } from './body-copy.ts';
import { writeTo } from './pipe.ts';

/** A body that was read as far as it may be kept. */
export interface ReadBody {
  readonly chunks: readonly Buffer[];
  /** Decoded; null for one that is too long, or cannot be decoded. */
  readonly copy: Buffer | null;
  /** Whether `chunks` are all of it. */
  readonly isWhole: boolean;
}

/**
 * Reads a body up to a bound; what is beyond stays in the request.
 * @throws the error of a connection that broke
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const whole = new WholeBody();
  const copy = new BodyCopy(request.headers['content-encoding'], limit, whole);
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= limit) {
    const chunk: Buffer | null = request.read();
    if (chunk !== null) {
      chunks.push(chunk);
      size += chunk.length;
      await copy.show(chunk);
    } else if (request.readableEnded) {
      await copy.end();
      return { chunks, copy: copy.broken ? null : whole.bytes, isWhole: true };
    } else await moreOf(request);
  }
  copy.stop();
  return { chunks, copy: null, isWhole: false };
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

/** Forwards what was read, and what is left. @returns the digest and size in bytes of all of it */
export async function forwardBody(
  { chunks, isWhole }: ReadBody,
  rest: IncomingMessage,
  to: Writable,
): Promise<{ sha256: string; size: number }> {
  const copy = new BodyCopy('not decoded', 0, new WholeBody());
  const pass = async (chunk: Buffer): Promise<void> => {
    await copy.show(chunk);
    await writeTo(to, chunk);
  };
  for (const chunk of chunks) await pass(chunk);
  if (!isWhole) for await (const chunk of rest) await pass(chunk);
  to.end();
  return { sha256: copy.sha256(), size: copy.size };
}
