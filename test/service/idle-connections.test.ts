import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../src/service/http/connections.ts';
import { answerUnreadable } from '../../src/service/http/unreadable.ts';
import { atEnd } from '../support/cleanup.ts';
import { TestService } from '../support/service.ts';

/* What browsers and proxies rely on: a connection that carries nothing says nothing, and stays longer than theirs do. */

/** A server as the service has it, that gives heads of requests less time. */
async function server(headersMs: number) {
  const listener = () => undefined;
  const made = createServer({ connectionsCheckingInterval: 20 }, listener);
  const connections = new Connections(made, { most: 100, headersMs });
  answerUnreadable(made, listener);
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  atEnd(() => void made.close().closeAllConnections());
  return { made, connections, port: (made.address() as AddressInfo).port };
}

async function receivedOf(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  if (sent !== '') socket.write(sent);
  await once(socket, 'close');
  return received;
}

it('closes a connection silently that never said anything, and answers one that stopped in a head', async () => {
  const { port } = await server(200);
  expect(await receivedOf(port, '')).toBe('');
  expect(await receivedOf(port, 'GET / HTTP/1.1\r\nHo')).toMatch(/^HTTP\/1\.1 400 /);
});

it('keeps a connection between two requests for longer than clients that keep theirs for a minute', async () => {
  const { made } = await server(10_000);
  expect(made.keepAliveTimeout).toBeGreaterThan(60_000);
});

it('takes a target with a host in it only where that is the host of the request', async () => {
  const service = await TestService.start();
  const { port, host } = new URL(service.url);
  const asked = (target: string) =>
    receivedOf(Number(port), `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await asked(`http://${host}/v1/health`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await asked('http://evil.example/v1/health')).toMatch(/^HTTP\/1\.1 400 /);
});
