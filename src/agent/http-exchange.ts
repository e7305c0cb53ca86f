import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request to an HTTP server. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How long until the whole answer is there, in milliseconds; no bound where it is left out. */
  readonly timeoutMs?: number;
  /** Ends the request; its reason is then what is thrown. */
  readonly signal?: AbortSignal;
  /** The most that the answer may have, in bytes; no bound where it is left out. */
  readonly maxBytes?: number;
  /** False for a connection that is not kept for the next request. */
  readonly agent?: false;
  /** The Unix socket on which the server listens; the host of the address says nothing then. */
  readonly socketPath?: string;
}

/** What a server answered, whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request, over a connection that is kept for the next one unless it is told otherwise, and follows no redirect: a token goes where it was meant to go.
 * Node's `fetch` does the same, and takes 5 MB of memory for it in a process that is to stay small.
 * @throws Error where there is no whole answer, or it is a redirect
 */
export function exchange(
  url: string,
  { body, timeoutMs, maxBytes = Number.POSITIVE_INFINITY, signal: given, ...options }: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const address = new URL(url);
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signal = timeout && given ? AbortSignal.any([timeout, given]) : (timeout ?? given);
    const fail = (error: unknown): void => {
      if (given?.aborted) reject(given.reason);
      else reject(timeout?.aborted ? tooLate(timeoutMs) : error);
    };
    const request = moduleFor(address).request(address, { ...options, ...(signal && { signal }) }, (answer) => {
      read(answer, maxBytes, resolve, fail);
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** With the code that the system has for a connection. */
function tooLate(timeoutMs: number | undefined): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' });
}

/** An import would read every export of the module, and so load what it has besides. */
function moduleFor({ protocol }: URL): typeof import('node:http') | typeof import('node:https') {
  if (protocol === 'http:') return process.getBuiltinModule('node:http');
  if (protocol === 'https:') return process.getBuiltinModule('node:https');
  throw new TypeError(`${protocol} is no protocol of the web`);
}

function read(
  answer: IncomingMessage,
  maxBytes: number,
  resolve: (whole: HttpAnswer) => void,
  reject: (error: unknown) => void,
): void {
  const { statusCode: status = 0, headers } = answer;
  const chunks: Buffer[] = [];
  let size = 0;
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) answer.destroy(new Error(`the answer has more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  answer.on('error', reject);
  answer.once('end', () => {
    if (status >= 300 && status < 400) reject(new Error(`HTTP ${status}: a redirect is not followed`));
    else resolve({ status, headers, body: Buffer.concat(chunks) });
  });
}

/** @throws the signal's reason once it is aborted */
export async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    // What the timer throws only has the reason as its cause.
    throw signal?.aborted ? signal.reason : error;
  }
}
