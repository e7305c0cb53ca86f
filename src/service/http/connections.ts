import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** How long the headers of a request may take to arrive, and then its body where it is no upload, in milliseconds. */
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;

/** How long a connection stays between two requests, in milliseconds: longer than clients and proxies keep theirs, 60 s as a rule. */
const IDLE_MS = 75_000;

/** How long an upload may pause, in milliseconds. */
const PAUSE_MS = 30_000;

/** How long a reader may take nothing of an answer that is there, in milliseconds. */
const UNREAD_MS = 30_000;

/** How often connections that have had their time are looked for, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Requests on one connection without their whole answer. Programs may send the next before that (RFC 9112, section 9.3.2: whoever
 * does repeats what the end of a connection leaves unanswered). One packet can hold a thousand, and each costs memory until it is answered.
 */
const MOST_UNANSWERED = 64;

/** What one address other than this machine's own may take of all connections. */
const SHARE_OF_ADDRESS = 0.5;

/** Requests whose body is an upload: however long it takes, it only has to come on. */
const uploads = new WeakSet<IncomingMessage>();

/** Gives the body of a request the time of an upload. */
export function allowUploadTime(request: IncomingMessage): void {
  uploads.add(request);
}

/** Answers that are held back: nothing is lost with them but a refusal. */
const heldBack = new WeakSet<ServerResponse>();

/** Lets the connection of an answer be closed as if that were there already. */
export function mayBeClosed(response: ServerResponse): void {
  heldBack.add(response);
}

export interface ConnectionLimits {
  /** Connections at once, of everybody. */
  readonly most: number;
  readonly headersMs?: number;
  readonly bodyMs?: number;
  readonly pauseMs?: number;
  readonly unreadMs?: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** What is arriving or being answered, or was last; null before the first request. */
  last: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** Requests whose whole answer is not on the way yet. */
  unanswered: number;
  /** When it was opened, when its request began, or when more of an upload or an answer was last seen to have gone over it. */
  since: number;
  bytesRead: number;
  bytesWritten: number;
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Whether an answer, or a part of it, is there for a reader who has not taken it yet. */
function isUnread({ socket }: Connection): boolean {
  return socket.writableLength > 0;
}

/** How readily a connection is closed to make room for another, 0 first; null where its answer is being made. */
function rankOf(connection: Connection): 0 | 1 | 2 | 3 | null {
  const { last } = connection;
  if (last === null) return 0;
  if (!last.request.complete) return 2;
  if (last.response.writableFinished || heldBack.has(last.response)) return 1;
  return isUnread(connection) ? 3 : null;
}

/**
 * Bounds what connections can hold: how many there are, and how long a request may take to arrive. Where there are too many, the
 * new one is let in and one that does nothing is closed: one that never brought a whole head of a request, the oldest first,
 * then one between two requests, then one whose body has been arriving the longest, then one that has read nothing of its answer
 * for the longest. So whoever merely opens connections, or asks and does not read, keeps nobody else out. One whose answer is
 * being made is never closed; where all are, the new one is.
 */
export class Connections {
  readonly #limits: Required<ConnectionLimits>;
  readonly #open = new Map<Socket, Connection>();
  readonly #ofAddress = new Map<string, number>();

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = { headersMs: HEADERS_MS, bodyMs: BODY_MS, pauseMs: PAUSE_MS, unreadMs: UNREAD_MS, ...limits };
    server.headersTimeout = this.#limits.headersMs;
    server.keepAliveTimeout = IDLE_MS;
    // Of a connection on which nothing moves: Node sees by the system's queue whether a reader takes anything.
    server.timeout = this.#limits.unreadMs;
    server.on('timeout', (socket: Socket) => this.#atRest(socket));
    // Node would count uploads as well.
    server.requestTimeout = 0;
    // With TLS `connection` tells of the bare socket, which no request names later; what never gets beyond the handshake
    // the bound below and the handshake's own limit of time end.
    const isTls = server instanceof TlsServer;
    if (isTls) server.maxConnections = 2 * limits.most;
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket));
    const look = setInterval(() => this.#closeLate(), LOOK_MS).unref();
    server.once('close', () => clearInterval(look));
  }

  get sockets(): Iterable<Socket> {
    return this.#open.keys();
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const none = { last: null, unanswered: 0, bytesRead: 0, bytesWritten: 0 };
    const connection: Connection = { socket, address, since: performance.now(), ...none };
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

  /**
   * Takes a request up.
   * @returns false where it is one too many of its connection, which is closed: nobody is to answer it
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return false;
    if (connection.unanswered === MOST_UNANSWERED) {
      this.#close(connection);
      return false;
    }
    connection.unanswered++;
    response.once('close', () => connection.unanswered--);
    connection.last = { request, response };
    connection.since = performance.now();
    return true;
  }

  /** Nothing has moved for a while: closes it but where it is our turn, or that of a body, which has its own time. */
  #atRest(socket: Socket): void {
    const connection = this.#open.get(socket);
    const rank = connection === undefined ? 0 : rankOf(connection);
    if (rank !== null && rank !== 2) socket.destroy();
  }

  #closeLate(): void {
    const { bodyMs, pauseMs } = this.#limits;
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { socket, last } = connection;
      if (last === null) continue;
      if (last.request.complete) {
        if (socket.bytesWritten > connection.bytesWritten) connection.since = now;
        connection.bytesWritten = socket.bytesWritten;
        continue;
      }
      const isUpload = uploads.has(last.request);
      if (isUpload && socket.bytesRead > connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.since = now;
      } else if (now - connection.since > (isUpload ? pauseMs : bodyMs)) this.#close(connection);
    }
  }
}
