import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createServer, Agent as HttpAgent, request as httpRequest } from '../../node/light.ts';
import { messageOf } from '../../protocol/light.ts';
import { isListenedOn, listenOnOwnSocket } from '../base/own-socket.ts';
import { RecordError } from '../base/record-error.ts';
import { HttpExchange, type Upstream } from './http-exchange.ts';
import { isOurs, withoutToken } from './http-headers.ts';
import { HttpSessions } from './http-sessions.ts';
import type { RecordingSettings } from './recording.ts';

/** Where a proxy listens: on a port of 127.0.0.1, 0 for any, or on a Unix socket that its user alone can open. */
export type HttpProxyPlace =
  | {
      readonly port: number;
      /** What the path of a request has to begin with; null where every program on this machine may call. */
      readonly token: string | null;
    }
  | { readonly socket: string };

export interface HttpProxySettings {
  /** Of the server's endpoint, http or https. */
  readonly upstream: URL;
  readonly at: HttpProxyPlace;
  /** For what goes wrong with one request. */
  readonly say: (text: string) => void;
}

export interface HttpProxy {
  /** What to give the client instead of the server's own URL; of one on a socket the host says nothing. */
  readonly url: string;
  /** Kept once every connection is closed and what was seen is handed over. */
  close(): Promise<void>;
}

/**
 * Listens and forwards every request that shows the token, where there is one, to the origin of a server, under the path without it, and
 * its response back.
 * @throws RecordError FOLDER_UNUSABLE; the error of the system where the port cannot be had, such as EADDRINUSE
 */
export async function proxyHttp(settings: HttpProxySettings, recordingSettings: RecordingSettings): Promise<HttpProxy> {
  const { upstream, at, say } = settings;
  const token = 'socket' in at ? null : at.token;
  const sessions = new HttpSessions(recordingSettings);
  const to = upstreamOf(upstream);
  const running = new Set<Promise<void>>();
  let exchanges = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // No page in a browser reaches a socket.
    if ('port' in at && !isOurs(request.headers, portOf(server))) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Only programs on this machine may call.\n');
      return;
    }
    // Not `http://…`, which names a server by itself, nor `*`: what is forwarded is a path of the one server.
    if (request.url?.startsWith('/') !== true) {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('The address has to be a path.\n');
      return;
    }
    const address = token === null ? request.url : addressIn(request, token);
    if (address === null) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Call the address that the proxy printed.\n');
      return;
    }
    request.url = address;
    try {
      await new HttpExchange(request, response, sessions, String(++exchanges), upstream.pathname).run(to);
    } catch (error) {
      say(`a request failed: ${messageOf(error)}`);
      response.destroy();
    }
  };
  const addressIn = ({ method, url = '/' }: IncomingMessage, token: string): string | null => {
    const address = withoutToken(url, token);
    // What a server tells anybody of itself has its path at the root, and so has where an older one is to be sent to.
    const isPublic = (method === 'GET' || method === 'HEAD') && url.startsWith('/.well-known/');
    if (address !== null || !(isPublic || sessions.isEndpoint(url))) return address;
    return isPublic ? url.replace(`/${token}`, '') : url;
  };
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const done = handle(request, response).finally(() => running.delete(done));
    running.add(done);
  });
  await listen(server, at);
  const origin = 'socket' in at ? 'http://localhost' : `http://127.0.0.1:${portOf(server)}`;
  const shown = token === null ? '' : `/${token}`;
  return {
    url: `${origin}${shown}${upstream.pathname}${upstream.search}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all(running);
      sessions.closeAll();
      await recordingSettings.handing.idle();
    },
  };
}

async function listen(server: Server, at: HttpProxyPlace): Promise<void> {
  if ('port' in at) {
    await once(server.listen(at.port, '127.0.0.1'), 'listening');
    return;
  }
  const { socket } = at;
  if (await isListenedOn(socket)) throw new RecordError('FOLDER_UNUSABLE', `${socket} is in use: name another one`);
  await listenOnOwnSocket(server, socket, 'name a shorter one');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a server on TCP has a port');
  return address.port;
}

function upstreamOf({ protocol, hostname, port, host }: URL): Upstream {
  const isTls = protocol === 'https:';
  // A connection for each request: one that is kept may be closed by the server just as a call is sent, which cannot be sent twice.
  const agent = isTls ? new HttpsAgent() : new HttpAgent();
  const open = isTls ? httpsRequest : httpRequest;
  const address = { hostname: hostname.replace(/^\[|\]$/g, ''), ...(port === '' ? {} : { port }), agent };
  return { host, open: (method, path, headers) => open({ ...address, method, path, headers }) };
}
