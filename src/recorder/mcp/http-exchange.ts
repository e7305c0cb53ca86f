import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../protocol/light.ts';
import type { Received } from '../seen/received.ts';
import { type CallEnd, cancelled, unknown } from './call-ends.ts';
import { hasBody, mediaType, requestHeaders, responseHeaders } from './http-headers.ts';
import type { Connection, HttpSessions } from './http-sessions.ts';
import { MCP } from './mcp-protocol.ts';
import { type Reading, type RpcId, readMessages } from './message.ts';
import { writeTo } from './pipe.ts';
import { LONGEST_PARSED, type Recording, type Refusal } from './recording.ts';
import { type ForwardedBody, forwardBody, type ReadBody, readBody } from './request-body.ts';
import { ResponseCopy } from './response-copy.ts';
import { recordedSession } from './said.ts';

/** Opens a request to the server. */
export type OpenUpstream = (method: string, path: string, headers: readonly string[]) => ClientRequest;

export interface Upstream {
  /** As the `Host` field has it. */
  readonly host: string;
  readonly open: OpenUpstream;
}

const BRACE = 0x7b;

/** The first revision in which closing a stream cancels its request. */
const CLOSING_CANCELS = '2026-07-28';

/** One request of a client, its response, and what is recorded of both. */
export class HttpExchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #sessions: HttpSessions;
  readonly #session: string | null;
  /** Of the server's endpoint. */
  readonly #path: string;
  #connection: Connection;
  /** Of the requests in the body. */
  #ids: readonly RpcId[] = [];
  #begins = false;
  /** Whether the client was answered by the proxy while the server waited for the end of the request. */
  #isRefusedLate = false;
  #endpoint: string | null = null;

  /**
   * @param name tells it from every other exchange
   * @param path of the server's endpoint
   */
  constructor(request: IncomingMessage, response: ServerResponse, sessions: HttpSessions, name: string, path: string) {
    this.#request = request;
    this.#path = path;
    this.#response = response;
    this.#sessions = sessions;
    const session = request.headers['mcp-session-id'];
    this.#session = typeof session === 'string' && session !== '' ? session : null;
    this.#connection = sessions.of(this.#session, request.url ?? '/', name);
  }

  /** @throws what is wrong with one of both connections */
  async run(upstream: Upstream): Promise<void> {
    // Whatever it calls itself: a server may read it all the same.
    const isMessage = hasBody(this.#request);
    const body = isMessage ? await readBody(this.#request, LONGEST_PARSED) : null;
    await this.#recording.room();
    if (body !== null && (await this.#isRefused(body))) return;
    const { method = 'GET', url = '/', rawHeaders } = this.#request;
    const request = upstream.open(method, url, requestHeaders(rawHeaders, upstream.host));
    const onClose = (): void => {
      if (!this.#response.writableFinished) request.destroy();
    };
    this.#response.once('close', onClose);
    try {
      const [response] = await Promise.all([responseTo(request), this.#send(body, request)]);
      await this.#answer(response);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#response.off('close', onClose);
      request.destroy();
    }
  }

  async #isRefused({ copy, isReadable, isWhole }: ReadBody): Promise<boolean> {
    if (copy !== null) return this.#refuse(await this.#recorded(copy));
    // A body that is longer is recorded, and may be refused, before its last bytes are forwarded.
    return isReadable && !isWhole
      ? false
      : this.#refuse(await this.#recording.isUnread('client', this.#recordedSession));
  }

  /** Records what is in a body. @returns why it may not be forwarded */
  async #recorded(copy: Received): Promise<Refusal | null> {
    const reading = copy.json && readMessages(copy.json, MCP.acts);
    if (this.#isElsewhere(copy.json ?? Buffer.alloc(0), reading)) return null;
    const messages = reading?.messages ?? [];
    this.#ids = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
    this.#begins =
      this.#connection.scope !== '' &&
      messages.some((message) => message.kind === 'request' && message.method === 'initialize');
    if (this.#begins) this.#connection = { ...this.#connection, recording: this.#sessions.begin() };
    return this.#recording.beforeForwarding('client', copy, this.#connection.scope, this.#recordedSession);
  }

  #refuse(refusal: Refusal | null): boolean {
    if (refusal === null) return false;
    this.#response.writeHead(200, { 'Content-Type': 'application/json' }).end(refusal.answer);
    return true;
  }

  /**
   * A form or an object for another path than the endpoint, as OAuth has them there: no message that was garbled. The server may
   * find its endpoint under other spellings of the path, so that the body has to be foreign as well.
   */
  #isElsewhere(body: Uint8Array, reading: Reading | null): boolean {
    const { headers, url = '/' } = this.#request;
    if (this.#session !== null || url.split('?', 1)[0] === this.#path) return false;
    if (reading !== null) return reading.foreign;
    // A form has its braces encoded, and without one there is no object, in whichever encoding.
    return mediaType(headers['content-type']) === 'application/x-www-form-urlencoded' && !body.includes(BRACE);
  }

  async #send(body: ReadBody | null, request: ClientRequest): Promise<void> {
    if (body === null) {
      for await (const chunk of this.#request) await writeTo(request, chunk);
      request.end();
      return;
    }
    await forwardBody(body, this.#request, request, async (whole) => this.#mayEnd(whole, body, request));
    if (body.isWhole && body.copy === null) {
      const { copy } = body.reading;
      this.#recording.tooLong('client', { sha256: copy.sha256(), size: copy.size }, this.#recordedSession);
    }
  }

  async #mayEnd(
    { received, ...whole }: ForwardedBody,
    { isReadable }: ReadBody,
    request: ClientRequest,
  ): Promise<boolean> {
    if (received === null) this.#recording.tooLong('client', whole, this.#recordedSession);
    // What cannot be read counts as an action; of what never could, it was asked before.
    const unread = async () => (isReadable ? this.#recording.isUnread('client', this.#recordedSession) : null);
    const refusal = received === null ? await unread() : await this.#recorded(received);
    if (refusal === null) return true;
    this.#isRefusedLate = this.#refuse(refusal);
    request.destroy();
    return false;
  }

  async #answer(response: IncomingMessage): Promise<void> {
    const { statusCode = 502, statusMessage = '', rawHeaders } = response;
    this.#learnSession(response, statusCode);
    const copy = this.#copyOf(response);
    this.#response.sendDate = false;
    this.#response.writeHead(statusCode, statusMessage, responseHeaders(rawHeaders));
    this.#response.flushHeaders();
    try {
      for await (const chunk of response) {
        // Shown first, so that what the client does next cannot be recorded before it.
        await copy?.show(chunk);
        await writeTo(this.#response, chunk);
        await this.#recording.room();
      }
      await copy?.end();
    } finally {
      copy?.stop();
    }
    this.#response.end();
    this.#over(statusCode);
  }

  #learnSession({ headers }: IncomingMessage, status: number): void {
    const isGood = status >= 200 && status < 300;
    const named = headers['mcp-session-id'];
    if (this.#begins && isGood) this.#sessions.begun(this.#recording, typeof named === 'string' ? named : null);
    if (this.#request.method === 'DELETE' && this.#session !== null && isGood) this.#sessions.endSession(this.#session);
  }

  #copyOf(response: IncomingMessage): ResponseCopy | null {
    return ResponseCopy.of(response, {
      message: (message) => this.#recording.forwarded('server', message, this.#connection.scope, this.#recordedSession),
      room: () => this.#recording.room(),
      event: ({ type, data }) => {
        if (type !== 'endpoint' || this.#request.method !== 'GET' || this.#endpoint !== null) return;
        const named = URL.parse(String(data.json ?? ''), `http://localhost${this.#request.url ?? '/'}`);
        if (named === null) return this.#recording.unreadable('server');
        this.#endpoint = named.pathname + named.search;
        this.#connection = { recording: this.#sessions.atEndpoint(this.#endpoint), scope: '' };
      },
      tooLong: (whole) => {
        this.#recording.tooLong('server', whole, this.#recordedSession);
        this.#gaveUp(unknown('not_read', 'The response was too long to be read.'));
      },
      unreadable: () => this.#recording.unreadable('server'),
    });
  }

  /** The response is over. In a session, one that did not come may come on another stream. */
  #over(status: number): void {
    if (this.#endpoint !== null) this.#sessions.endEndpoint(this.#endpoint);
    if (status >= 400) {
      this.#gaveUp({ stage: 'failed', outcome: { status: 'error', error: { type: `http_${status}` } } });
    } else if (this.#connection.scope !== '') {
      this.#gaveUp(unknown('no_response', 'The exchange ended without a response.'));
    }
  }

  /** One of the two connections broke. */
  #fail(error: unknown): void {
    if (this.#isRefusedLate) return;
    if (this.#endpoint !== null) this.#sessions.endEndpoint(this.#endpoint);
    const closedByClient = this.#response.destroyed;
    const revision = this.#request.headers['mcp-protocol-version'];
    const cancels = typeof revision === 'string' && revision >= CLOSING_CANCELS;
    if (closedByClient && cancels) this.#gaveUp(cancelled('The client closed the stream.'));
    else if (this.#connection.scope !== '' || !this.#response.headersSent) {
      this.#gaveUp(unknown('connection_lost', messageOf(error)));
    }
    if (closedByClient) return;
    if (this.#response.headersSent) this.#response.destroy();
    else this.#response.writeHead(502, { 'Content-Type': 'text/plain' }).end('The MCP server cannot be reached.\n');
  }

  #gaveUp(end: CallEnd): void {
    this.#recording.gaveUp('client', this.#ids, this.#connection.scope, end);
  }

  get #recording(): Recording {
    return this.#connection.recording;
  }

  get #recordedSession(): string | null {
    return this.#session === null ? null : recordedSession(this.#session);
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('the server closed the connection')));
    // Later ones concern the response, which is broken off as well.
    request.on('error', () => undefined);
  });
}
