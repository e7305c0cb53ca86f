/** A receiver of webhooks as somebody outside would write one: HTTPS, and the public library to verify what comes. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Certificate, makeCertificate } from '../support/tls.ts';

export interface Received {
  readonly id: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  /** What the library makes of it. @throws where the signature does not fit */
  verify(): unknown;
}

export type Reply = (response: ServerResponse, received: Received) => void;

/** Refuses a request by its status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end('the answer');

export class Receiver {
  readonly certificate: Certificate;
  readonly secret: string;
  readonly received: Received[] = [];
  /** How the next requests are answered, one each; then with 204. */
  readonly replies: Reply[] = [];
  /** Cuts every connection before a word is said. */
  isDown = false;
  connections = 0;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  private constructor(secret: string, names?: readonly string[]) {
    this.secret = secret;
    this.certificate = makeCertificate(names);
    this.#server = createServer(this.certificate, (request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      if (this.isDown) socket.destroy();
    });
  }

  static async start(secret = 'a secret of the receiver', names?: readonly string[]): Promise<Receiver> {
    const receiver = new Receiver(secret, names);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/hook', host = '127.0.0.1'): string {
    return `https://${host}:${this.port}${path}`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = request.headers as Record<string, string>;
    const received: Received = {
      id: headers['webhook-id'] ?? '',
      body,
      headers: request.headers,
      verify: () => new Webhook(this.secret, { format: 'raw' }).verify(body, headers),
    };
    this.received.push(received);
    (this.replies.shift() ?? status(204))(response, received);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
