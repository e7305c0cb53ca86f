import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface LocalAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
}

/** A request to a local server, read whole. */
export interface LocalRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function answerTo(
  message: IncomingMessage,
  response: ServerResponse,
  handler: (request: LocalRequest) => LocalAnswer,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { status, headers, body } = handler({
    method: message.method ?? '',
    url: new URL(message.url ?? '/', 'http://local'),
    headers: message.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  });
  const isText = typeof body === 'string';
  response.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(isText ? body : body === undefined ? '' : JSON.stringify(body));
}

/** Serves plain HTTP on a free port of this machine, or on a Unix socket: then the port is 0. */
export async function serveLocally(
  handler: (request: LocalRequest) => LocalAnswer,
  socketPath?: string,
): Promise<LocalServer> {
  const server = createServer((message, response) => {
    answerTo(message, response, handler).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) =>
    socketPath === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(socketPath, resolve),
  );
  return {
    port: socketPath === undefined ? (server.address() as AddressInfo).port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
