import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
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
    const whole = getRawBody(request, { limit: maxBytes, length: request.headers['content-length'] ?? null });
    // A small body is parsed faster than it is counted.
    if (bounds === null || bytesToCome(request, maxBytes) < NOT_WORTH_COUNTING) return await whole;
    // What is dropped ends as one that did not arrive whole.
    whole.catch(() => undefined);
    return await Promise.race([whole, exceeding(request, bounds)]);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new ServiceError('PAYLOAD_TOO_LARGE', `the request body has more than ${maxBytes} bytes`);
    }
    throw new ServiceError('VALIDATION_ERROR', 'the request body did not arrive whole');
  }
}

/** How many bytes of body a request may bring: what it announces, or where it does not say, all that it may have. */
export function bytesToCome({ headers }: IncomingMessage, maxBytes: number): number {
  // RFC 9112 §6.3: without either header there is no body.
  if (headers['transfer-encoding'] !== undefined) return maxBytes;
  return Math.min(Number(headers['content-length'] ?? 0), maxBytes);
}
