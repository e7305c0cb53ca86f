import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type OtlpReceived, type OtlpSignal, receiveOtlp } from '../../src/recorder/otlp/receive.ts';
import { received } from '../../src/recorder/seen/received.ts';
import { atEnd } from './cleanup.ts';
import { NOBODY, RECEIVED_AT } from './otlp.ts';

/** A request that an exporter sent, unpacked, and what was made of it. */
export interface Exported {
  readonly contentType: string | null;
  readonly gzip: boolean;
  readonly body: Uint8Array;
  readonly received: OtlpReceived;
}

const SIGNALS: Readonly<Record<string, OtlpSignal>> = {
  '/v1/traces': 'traces',
  '/v1/logs': 'logs',
  '/v1/metrics': 'metrics',
};

async function readExport(message: IncomingMessage): Promise<Exported> {
  const path = SIGNALS[message.url ?? ''];
  if (path === undefined) throw new Error(`no path of OTLP: ${message.url}`);
  const gzip = message.headers['content-encoding'] === 'gzip';
  const sent = await buffer(message);
  const body = gzip ? gunzipSync(sent) : sent;
  const contentType = message.headers['content-type'] ?? null;
  const feed = message.headers['x-countersign-feed'];
  const header = typeof feed === 'string' ? feed : null;
  const taken = receiveOtlp({
    path,
    contentType,
    body: received(body),
    feed: header,
    installed: NOBODY,
    receivedAt: RECEIVED_AT,
  });
  return { contentType, gzip, body, received: taken };
}

/** Takes what exporters send to `url`, and keeps it in the order of its arrival. */
export async function otlpServer(): Promise<{ readonly url: string; readonly exported: readonly Exported[] }> {
  const exported: Exported[] = [];
  const server = createServer((message, response) => {
    readExport(message).then(
      (read) => {
        exported.push(read);
        response.writeHead(200, { 'content-type': read.received.answer.contentType }).end(read.received.answer.body);
      },
      // The exporter fails then, and with it the test.
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exported };
}
