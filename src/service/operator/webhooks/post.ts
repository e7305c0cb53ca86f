import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { codeOf } from '../../../protocol/index.ts';
import { AddressRefused, type Connecting, connectTo } from './connect.ts';

/** What is sent. */
export interface Message {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an attempt went: `error` is null where it succeeded, `status` where there was no answer. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
}

/** An outcome with what the answer said, as far as it was read: the receiver chooses it. */
export interface Posted extends Outcome {
  readonly text: string;
}

/** How much of an answer's body is read. */
const MAX_ANSWER_BYTES = 16_384;

function exchange(socket: TLSSocket, { url, headers, body }: Message, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
      createConnection: () => socket,
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.on('close', () => reject(new Error('the connection ended without an answer')));
    sent.end(body);
  });
}

/** Lets the receiver finish its answer, as far as that is short; its status has decided already. */
function drain(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (): void => resolve(Buffer.concat(chunks).toString('utf8'));
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) end();
      else chunks.push(chunk);
    });
    answer.on('error', end);
    answer.on('close', end);
  });
}

function judge(status: number): Outcome {
  if (status >= 200 && status < 300) return { status, error: null };
  // The place that a redirect names is the receiver's choice: following it would go round the checks of the address.
  if (status >= 300 && status < 400) return { status, error: `HTTP ${status}: redirects are not followed` };
  return { status, error: `HTTP ${status}` };
}

function describe(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = codeOf(error) ?? '';
  // Those of the DOM are numbers, which say nothing to anybody.
  return /^[A-Z]/.test(code) ? `no answer: ${code}` : 'no answer';
}

/**
 * One attempt, from lookup to the end of the answer within a time limit.
 * @param stop ends the attempt at once
 * @returns how it went, or null where it was stopped before that was known
 */
export async function post(
  message: Message,
  connecting: Connecting,
  timeLimitMs: number,
  stop: AbortSignal,
): Promise<Posted | null> {
  const limit = AbortSignal.timeout(timeLimitMs);
  const signal = AbortSignal.any([limit, stop]);
  let socket: TLSSocket | undefined;
  try {
    socket = await connectTo(message.url, connecting, signal);
    const answer = await exchange(socket, message, signal);
    const text = await drain(answer);
    return { ...judge(answer.statusCode ?? 0), text };
  } catch (error) {
    if (stop.aborted) return null;
    const why = limit.aborted ? `no answer within ${timeLimitMs / 1000} s` : describe(error);
    return { status: null, error: why, text: '' };
  } finally {
    socket?.destroy();
  }
}
