import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** How long the headers of a request may take to arrive, and then its body where it is no upload, in milliseconds. */
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;

/** How long an upload may pause, in milliseconds. */
const PAUSE_MS = 30_000;

/** How often connections that have had their time are looked for, in milliseconds. */
const LOOK_MS = 1000;

/** What one address other than this machine's own may take of all connections. */
const SHARE_OF_ADDRESS = 0.5;

/** Requests whose body is an upload: however long it takes, it only has to come on. */
const uploads = new WeakSet<IncomingMessage>();

/** Gives the body of a request the time of an upload. */
export function allowUploadTime(request: IncomingMessage): void {
  uploads.add(request);
}

export interface ConnectionLimits {
  /** Connections at once, of everybody. */
  readonly most: number;
  readonly bodyMs?: number;
  readonly pauseMs?: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** What is arriving or being answered, or was last; null before the first request. */
  last: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** When it was opened, when its request began, or when more of an upload was last seen to have come. */
  since: number;
  bytesRead: number;
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** How readily a connection is closed to make room for another, 0 first; null where it is being answered. */
function rankOf({ last }: Connection): 0 | 1 | 2 | null {
  if (last === null) return 0;
  if (!last.request.complete) return 2;
  return last.response.writableFinished ? 1 : null;
}

/**
 * Bounds what connections can hold: how many there are, and how long a request may take to arrive. Where there are too many, the
 * new one is let in and one that does nothing is closed: one that never brought a whole head of a request, the oldest first,
 * then one between two requests, then one whose body has been arriving the longest. So whoever merely opens connections keeps
 * nobody else out. One that is being answered is never closed; where all are, the new one is.
 */
export class Connections {
  readonly #limits: Required<ConnectionLimits>;
  readonly #open = new Map<Socket, Connection>();
  readonly #ofAddress = new Map<string, number>();

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = { bodyMs: BODY_MS, pauseMs: PAUSE_MS, ...limits };
    server.headersTimeout = HEADERS_MS;
    // Node would count uploads as well.
    server.requestTimeout = 0;
    // With TLS `connection` tells of the bare socket, which no request names later; what never gets beyond the handshake
    // the bound below and the handshake's own limit of time end.
    const isTls = server instanceof TlsServer;
    if (isTls) server.maxConnections = 2 * limits.most;
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request, response) => this.#begin(request, response));
    const look = setInterval(() => this.#closeLate(), LOOK_MS).unref();
    server.once('close', () => clearInterval(look));
  }

  get sockets(): Iterable<Socket> {
    return this.#open.keys();
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const connection = { socket, address, last: null, since: performance.now(), bytesRead: 0 };
    this.#open.set(socket, connection);
    const ofAddress = (this.#ofAddress.get(address) ?? 0) + 1;
    this.#ofAddress.set(address, ofAddress);
    socket.once('close', () => this.#remove(connection));
    const { most } = this.#limits;
    if (this.#open.size > most) this.#makeRoom(connection, () => true);
    else if (ofAddress > most * SHARE_OF_ADDRESS && !isLoopback(address)) {
      this.#makeRoom(connection, (other) => other.address === address);
    }
  }

  #remove({ socket, address }: Connection): void {
    if (!this.#open.delete(socket)) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }

  #makeRoom(added: Connection, among: (connection: Connection) => boolean): void {
    let chosen = added;
    let lowest = Number.POSITIVE_INFINITY;
    for (const connection of this.#open.values()) {
      const rank = rankOf(connection);
      if (connection === added || rank === null || !among(connection)) continue;
      if (rank > lowest || (rank === lowest && connection.since >= chosen.since)) continue;
      chosen = connection;
      lowest = rank;
    }
    this.#close(chosen);
  }

  /** At once, not when the event comes: until then it would count. */
  #close(connection: Connection): void {
    this.#remove(connection);
    connection.socket.destroy();
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.last = { request, response };
    connection.since = performance.now();
  }

  #closeLate(): void {
    const { bodyMs, pauseMs } = this.#limits;
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { socket, last } = connection;
      if (last === null || last.request.complete) continue;
      const isUpload = uploads.has(last.request);
      if (isUpload && socket.bytesRead > connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.since = now;
      } else if (now - connection.since > (isUpload ? pauseMs : bodyMs)) this.#close(connection);
    }
  }
}
