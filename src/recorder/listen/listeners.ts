import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { createServer, writeDurablyNow } from '../../node/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { isShown, keptToken } from '../base/kept-token.ts';
import { listenOnOwnSocket } from '../base/own-socket.ts';
import { failureAnswer, INTERNAL_ANSWER, RequestRefused, send } from './answers.ts';
import { type RequestParts, Requests } from './requests.ts';

/** Lets a request through. @throws RequestRefused UNAUTHORIZED */
type Guard = (request: IncomingMessage) => void;

/** The socket's file can be opened by its user alone. */
const anyone: Guard = () => undefined;

/**
 * Every user of the machine, and every page in a browser, can reach a TCP port: a request has to show the token, and must have been
 * sent to this address. A page that was led here by its own name (DNS rebinding) has that name in its Host header.
 */
function tokenGuard(token: string, port: () => number): Guard {
  return ({ headers }) => {
    const isHere = headers.host === `127.0.0.1:${port()}` || headers.host === `localhost:${port()}`;
    if (isHere && isShown(headers.authorization ?? '', `Bearer ${token}`)) return;
    throw new RequestRefused('UNAUTHORIZED', 'show the token of the recorder, at its address');
  };
}

/**
 * When a process started, in ticks since the machine did (proc_pid_stat(5), starttime): tells it from a later one that got the same
 * id. The hook's script reads the same field.
 * @returns null where there is no such process, or the system does not say
 */
function processStart(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses, with whatever characters it has; starttime is the 22nd.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** Connections at once, and requests that are worked on at once. */
const MOST_CONNECTIONS = 256;
const MOST_REQUESTS = 128;

/** How long a request may take to arrive, and a connection to do nothing, in milliseconds. */
const ARRIVAL_MS = 10_000;
/** How often is looked for those that took longer. */
const LOOK_MS = 5_000;
const IDLE_MS = 60_000;

/** How long a stop waits for requests that are worked on, in milliseconds. */
const STOP_MS = 2_000;

/** The recorder's ways in, while it runs. */
export interface Listeners {
  /** Such as http://127.0.0.1:34567; null where there is no port. */
  readonly url: string | null;
  close(): Promise<void>;
}

/** Those of a user's own recorder. */
export interface OwnListeners extends Listeners {
  readonly url: string;
  readonly port: number;
}

/**
 * Listens on the Unix socket and on a free port of 127.0.0.1, and writes where it does. The folder is held by the caller's lock: a
 * socket that lies there is one that a crash left.
 * @throws RecordError FOLDER_UNUSABLE
 */
export async function openListeners(home: RecorderHome, parts: RequestParts): Promise<OwnListeners> {
  const token = keptToken(home.token);
  const requests = new Requests(parts);
  const handler = handlerOf(requests, parts);
  let port = 0;
  const tcp = makeServer(handler(tokenGuard(token, () => port)));
  await listen(tcp, { host: '127.0.0.1', port: 0 });
  port = (tcp.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${port}`;
  const servers = [tcp];
  if (process.platform !== 'win32') {
    const local = makeServer(handler(anyone));
    try {
      await listenOnOwnSocket(local, home.socket, 'name a folder with a shorter path in COUNTERSIGN_RECORDER');
    } catch (error) {
      await stop(tcp);
      throw error;
    }
    servers.push(local);
  }
  writeDurablyNow(home.address, `${JSON.stringify({ pid: process.pid, port, url })}\n`);
  // Hooks look here whether a recorder runs: what the file names has to listen by now.
  const ownPid = `${process.pid}\n${processStart(process.pid) ?? ''}\n`;
  writeDurablyNow(home.pid, ownPid);
  rmSync(home.away, { force: true });
  return {
    url,
    port,
    close: async () => {
      if (readText(home.pid) === ownPid) for (const path of [home.pid, home.address]) rmSync(path, { force: true });
      await Promise.all(servers.map(stop));
      await requests.close();
    },
  };
}

/**
 * Listens on a socket that was opened by whoever started this process, and nowhere else: its file lies where the one user can connect
 * whose actions are recorded, and whoever opened it keeps it open, with those who wait, while the recorder is started again.
 * @param descriptor of a Unix socket that listens
 */
export async function listenOnInherited(descriptor: number, parts: RequestParts): Promise<Listeners> {
  const requests = new Requests(parts);
  const server = makeServer(handlerOf(requests, parts)(anyone));
  await listen(server, { fd: descriptor });
  return { url: null, close: () => stop(server).then(() => requests.close()) };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What answers requests, whichever way they came in. */
function handlerOf(requests: Requests, { onError }: Pick<RequestParts, 'onError'>): (guard: Guard) => Handler {
  let running = 0;
  return (guard) => async (request, response) => {
    running++;
    try {
      guard(request);
      if (running > MOST_REQUESTS) throw new RequestRefused('BUSY', 'too many requests at once: try again');
      const answer = await requests.answer(request);
      // A hook whose standard input stays open was answered before its end.
      send(response, answer, !request.complete);
    } catch (error) {
      const failure = failureAnswer(error);
      const isCutOff = request.destroyed && !request.complete;
      if (failure === null && !isCutOff) onError(error);
      send(response, failure ?? INTERNAL_ANSWER, !request.complete);
    } finally {
      running--;
    }
  };
}

function makeServer(handler: Handler): Server {
  // The handler deals with its failures itself.
  const server = createServer({ connectionsCheckingInterval: LOOK_MS }, (request, response) => {
    void handler(request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = ARRIVAL_MS;
  server.requestTimeout = ARRIVAL_MS;
  server.keepAliveTimeout = IDLE_MS;
  return server;
}

function listen(server: Server, where: ListenOptions | { readonly fd: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
