import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './cleanup.ts';
import { until } from './until.ts';

/** What becomes of a request; the default is to pass it on and its answer back. */
export type Fate =
  | { readonly kind: 'pass' }
  /** The service gets it, but its answer is lost. */
  | { readonly kind: 'lose answer' }
  /** The service never gets it. */
  | { readonly kind: 'lose request' }
  /** The service never gets it; this is answered instead. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** Passed on, the answer's text changed on the way back. */
  | { readonly kind: 'change'; readonly change: (text: string) => string }
  /** Passed on once this has come true. */
  | { readonly kind: 'hold'; readonly until: (body: string) => boolean };

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A bad network between agent and service: loses, delays and changes what a test says, on a fixed address. */
export class TestProxy {
  readonly #server: Server;
  /** Where the service is now. */
  target: string;
  /** Requests as they came, in order. */
  readonly seen: Passed[] = [];
  /** Whether the service is told by which name it was asked for, as who signs requests needs. */
  readonly #keepsHost: boolean;
  readonly #fates: { readonly path: RegExp; readonly fate: Fate }[] = [];

  private constructor(target: string, keepsHost: boolean) {
    this.target = target;
    this.#keepsHost = keepsHost;
    this.#server = createServer((incoming, outgoing) => {
      this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async start(target: string, keepsHost = false): Promise<TestProxy> {
    const proxy = new TestProxy(target, keepsHost);
    proxy.#server.listen(0, '127.0.0.1');
    atEnd(() => {
      proxy.#server.close();
      proxy.#server.closeAllConnections();
    });
    await until('the proxy', () => proxy.#server.listening);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Says what becomes of the next requests to a path, one after the other. */
  next(path: RegExp, ...fates: readonly Fate[]): void {
    this.#fates.push(...fates.map((fate) => ({ path, fate })));
  }

  /** From now on everything passes again. */
  clear(): void {
    this.#fates.length = 0;
  }

  /** The bodies of what came for a path. */
  bodies(path: RegExp): string[] {
    return this.seen.filter((passed) => path.test(passed.path)).map(({ body }) => body);
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [method, path, bytes] = [incoming.method ?? '', incoming.url ?? '', await buffer(incoming)];
    const body = bytes.toString('utf8');
    this.seen.push({ method, path, body });
    const index = this.#fates.findIndex((candidate) => candidate.path.test(path));
    const fate: Fate = this.#fates.splice(index, index < 0 ? 0 : 1)[0]?.fate ?? { kind: 'pass' };
    if (fate.kind === 'lose request') {
      outgoing.destroy();
      return;
    }
    if (fate.kind === 'answer') {
      outgoing.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers }).end(fate.body);
      return;
    }
    if (fate.kind === 'hold') await until('what the proxy waits for', () => fate.until(body));
    const { host, ...others } = incoming.headers;
    const headers = this.#keepsHost ? { host, ...others } : others;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(this.target + path, { method, headers }, resolve)
        .on('error', reject)
        .end(bytes);
    });
    const answerBytes = await buffer(answer);
    if (fate.kind === 'lose answer') {
      outgoing.destroy();
      return;
    }
    const { 'content-length': __, 'transfer-encoding': ___, ...answered } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, answered);
    outgoing.end(fate.kind === 'change' ? fate.change(answerBytes.toString('utf8')) : answerBytes);
  }
}
