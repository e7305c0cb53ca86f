import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../node/light.ts';
import { StartError } from '../store/base/service-error.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import { Connections } from './connections.ts';
import type { RefusalLog } from './refusal-log.ts';
import { answerUnreadable } from './unreadable.ts';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /**
   * Takes no more connections and waits for the requests in progress.
   * @param giveUp has those end that read for their answer
   */
  close(giveUp: () => void): Promise<void>;
}

/** How long a stop waits before it gives up what reads for an answer, and then before it closes connections, in milliseconds. */
const READING_GRACE_MS = 2000;
const GRACE_MS = 5000;
/** How often a stop closes connections whose last request has been answered: they would stay open for another one. */
const IDLE_CHECK_MS = 50;

/** A request without Host is for the application to refuse, in the form that errors have. */
const OPTIONS = { requireHostHeader: false, connectionsCheckingInterval: 1000 };

/** How long a TLS handshake may take, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/** What listening takes of the settings. */
export type ListenSettings = Pick<Settings, 'host' | 'port' | 'tlsCert' | 'tlsKey' | 'maxConnections'>;

function makeServer({ tlsCert, tlsKey }: ListenSettings, listener: RequestListener): Server {
  if (tlsCert === null || tlsKey === null) return createServer(OPTIONS, listener);
  try {
    return createTlsServer(
      { ...OPTIONS, handshakeTimeout: HANDSHAKE_MS, cert: readFileSync(tlsCert), key: readFileSync(tlsKey) },
      listener,
    );
  } catch (error) {
    throw new StartError('SETTING_INVALID', `--tls-cert ${tlsCert} and --tls-key cannot be used`, { cause: error });
  }
}

/** @throws StartError ADDRESS_UNAVAILABLE, SETTING_INVALID */
export async function listen(
  settings: ListenSettings,
  listener: RequestListener,
  refusals?: RefusalLog,
): Promise<Listening> {
  const server = makeServer(settings, (request, response) => {
    if (connections.begin(request, response)) listener(request, response);
  });
  const connections = new Connections(server, { most: settings.maxConnections });
  answerUnreadable(server, listener, refusals);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? 'the port is taken; --port 0 picks a free one'
          : (error.code ?? 'no reason given');
      reject(
        new StartError('ADDRESS_UNAVAILABLE', `cannot listen on ${settings.host}:${settings.port}: ${why}`, {
          cause: error,
        }),
      );
    });
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `${settings.tlsCert === null ? 'http' : 'https'}://${host}:${port}`,
    close: (giveUp) =>
      new Promise((resolve) => {
        const closeIdle = (): void => {
          server.closeIdleConnections();
          // Browsers open connections ahead, without a word on them: Node does not count these as idle.
          for (const socket of connections.sockets) if (socket.bytesRead === 0) socket.destroy();
        };
        const reading = setTimeout(giveUp, READING_GRACE_MS);
        const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        const idle = setInterval(closeIdle, IDLE_CHECK_MS);
        server.close(() => {
          clearTimeout(reading);
          clearTimeout(force);
          clearInterval(idle);
          resolve();
        });
        closeIdle();
      }),
  };
}
