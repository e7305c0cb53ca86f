import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../store/base/service-error.ts';
import { type JsonBounds, JsonCounter } from './json-bounds.ts';

/** A body with fewer bytes than this is not counted. */
const NOT_WORTH_COUNTING = 16 * 1024;

/** Refuses a body as soon as what has arrived of it holds too much. It never resolves: the body may have more to come. */
function exceeding(request: IncomingMessage, bounds: JsonBounds): Promise<never> {
  const counter = new JsonCounter(bounds);
  return new Promise((_, reject) => {
    request.on('data', (chunk: Buffer) => {
      try {
        counter.take(chunk);
      } catch (error) {
        request.removeAllListeners('data');
        reject(error);
      }
    });
  });
}

/**
 * Refuses a body that is compressed: what it unpacks to has no bound that its own size tells.
 * @throws ServiceError VALIDATION_ERROR
 */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new ServiceError(
    'VALIDATION_ERROR',
    'Content-Encoding: the service takes no compressed bodies; send the body as it is, without this header',
  );
}

/**
 * All pieces of a body in one. A body that has as many bytes as it announces is Node's to see to: one with fewer never ends.
 * @throws ServiceError PAYLOAD_TOO_LARGE; whatever the connection failed with
 */
function wholeBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): void => {
      request.removeAllListeners('data').pause();
      reject(new ServiceError('PAYLOAD_TOO_LARGE', `the request body has more than ${maxBytes} bytes`));
    };
    if (!request.readable) return reject(new Error('the connection was closed'));
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge();
    const pieces: Buffer[] = [];
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > maxBytes) tooLarge();
      else pieces.push(piece);
    });
    request.once('end', () => {
      const [first] = pieces;
      resolve(first?.length === length ? first : Buffer.concat(pieces));
    });
    request.once('error', reject);
    // After an end this changes nothing.
    request.once('close', () => reject(new Error('the connection was closed')));
  });
}

/**
 * Reads a body whole. An attacker chooses what is in it: it is counted in the pieces in which it arrives, so that none takes the
 * thread for long.
 * @param bounds null for what is not JSON
 * @throws ServiceError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  bounds: JsonBounds | null,
): Promise<Uint8Array> {
  try {
    const whole = wholeBody(request, maxBytes);
    // A small body is parsed faster than it is counted.
    if (bounds === null || bytesToCome(request, maxBytes) < NOT_WORTH_COUNTING) return await whole;
    // What is dropped ends as one that did not arrive whole.
    whole.catch(() => undefined);
    return await Promise.race([whole, exceeding(request, bounds)]);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('VALIDATION_ERROR', 'the request body did not arrive whole');
  }
}

/** How many bytes of body a request may bring: what it announces, or where it does not say, all that it may have. */
export function bytesToCome({ headers }: IncomingMessage, maxBytes: number): number {
  // RFC 9112 §6.3: without either header there is no body.
  if (headers['transfer-encoding'] !== undefined) return maxBytes;
  return Math.min(Number(headers['content-length'] ?? 0), maxBytes);
}
