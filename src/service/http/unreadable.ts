import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from '../../api/index.ts';
import { STATUS_CODES } from '../../node/light.ts';
import type { RefusalLog } from './refusal-log.ts';

function answerText(code: ErrorCode, message: string, requestId: string): string {
  const status = ERROR_STATUS[code];
  const envelope: ErrorEnvelope = { error: { code, message, request_id: requestId } };
  const body = JSON.stringify(envelope);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/**
 * Gives the interface's envelope to what never becomes a request, for which Node itself would answer without a body: what
 * is not HTTP, headers beyond 16 KiB, a body that ends too early or too late, an expectation that Node does not know.
 */
export function answerUnreadable(server: Server, listener: RequestListener, refusals?: RefusalLog): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Browsers open connections ahead: an answer to a request that nobody made is taken for that to the first one made.
    if (socket instanceof Socket && socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const response = answering.get(socket);
    // In the middle of another answer nothing can be said any more.
    if (!socket.writable || (response?.headersSent && !response.writableFinished)) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const isLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const code = isLarge ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_ERROR';
    const message = isLarge
      ? 'the headers and the address have more than 16 KiB'
      : 'the request is not well-formed HTTP';
    refusals?.write(`unreadable ${code}`, { request_id: requestId, reason: error.code }, 'request', 'info');
    socket.end(answerText(code, message, requestId), () => socket.destroy());
  });
}
