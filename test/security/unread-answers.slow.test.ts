// docs/limits.md, Other limits: connections whose callers ask and do not read.
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections, mayBeClosed } from '../../src/service/http/connections.ts';
import { atEnd } from '../support/cleanup.ts';
import { send } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** Opens a connection that says something, and reads what comes, or nothing. */
function open(url: string, text: string, { reads = true } = {}) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const held = { socket, received: '', closed: false };
  socket.on('error', () => undefined);
  socket.on('data', (piece: Buffer) => {
    held.received += piece.toString('latin1');
  });
  socket.on('close', () => {
    held.closed = true;
  });
  if (!reads) socket.pause();
  socket.write(text);
  atEnd(() => void socket.destroy());
  return held;
}

/** More than the system keeps for a reader who does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** A server with the limits of the service's connections: `/large` it answers at once, `/slow` when it is told to, `/refused` never. */
async function limited(limits: { readonly most: number; readonly unreadMs?: number }) {
  const slow: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    if (!connections.begin(incoming, response)) return;
    if (incoming.url === '/slow') slow.push(response);
    else if (incoming.url === '/refused') mayBeClosed(response);
    else response.end(incoming.url === '/large' ? LARGE : 'well');
  });
  const connections = new Connections(server, limits);
  const sockets = (): number => [...connections.sockets].length;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, slow, sockets };
}

describe('answers that nobody reads', () => {
  it('keep nobody out where they hold all connections, and none that is being made', async () => {
    const { url, slow, sockets } = await limited({ most: 4 });
    const waiting = open(url, request('/slow'));
    await until('the request', () => slow.length === 1);
    for (const _ of [1, 2, 3]) open(url, request('/large'), { reads: false });
    await until('all connections', () => sockets() === 4);
    for (const _ of [1, 2, 3, 4, 5]) {
      const late = open(url, request('/'));
      await until('an answer', () => late.received.endsWith('well'));
    }
    slow[0]?.end('made');
    await until('what was being made', () => waiting.received.endsWith('made'));
  });

  it('end after a while, and neither one that is read nor one that is still being made', async () => {
    const { url, slow, sockets } = await limited({ most: 100, unreadMs: 300 });
    const waiting = open(url, request('/slow'));
    const read = open(url, request('/large'));
    open(url, request('/large'), { reads: false });
    await until('all three', () => sockets() === 3);
    await until('the one who reads', () => read.received.length > LARGE.length);
    read.socket.destroy();
    await until('only what is being made to be left', () => sockets() === 1);
    slow[0]?.end('made');
    await until('what was being made', () => waiting.received.endsWith('made'));
  });
});

describe('refusals that are held back', () => {
  it('keep nobody out where they hold all connections', async () => {
    const { url, sockets } = await limited({ most: 3 });
    for (const _ of [1, 2, 3]) open(url, request('/refused'));
    await until('all connections', () => sockets() === 3);
    for (const _ of [1, 2, 3]) {
      const late = open(url, request('/'));
      await until('an answer', () => late.received.endsWith('well'));
    }
  });
});

describe('requests of one connection that do not wait for their answers', async () => {
  const service = await TestService.start();

  it('are no more than 64: the connection of one more is closed, and nobody works for it', async () => {
    const held = open(service.url, request('/v1/verifier').repeat(200));
    await until('the end', () => held.closed);
    expect(held.received.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(64);
  });

  it('are answered in their order where they are 64, and on and on where each waits', async () => {
    const many = open(service.url, request('/v1/health').repeat(64));
    await until('all', () => many.received.match(/"status":"ok"/g)?.length === 64);
    for (let count = 65; count < 200; count++) {
      many.socket.write(request('/v1/health'));
      await until('the next', () => many.received.match(/"status":"ok"/g)?.length === count);
    }
    expect(many.closed).toBe(false);
  });
});

describe('the description of the interface, which anybody may ask for', async () => {
  const service = await TestService.start();

  it('is made between other requests, and sent without being made again', async () => {
    const first = send(service.url, { path: '/v1/openapi.json' });
    let turns = 0;
    let made = false;
    const all = first.then((answer) => {
      made = true;
      return answer;
    });
    while (!made) {
      await send(service.url, { path: '/v1/health' });
      turns++;
    }
    expect(turns).toBeGreaterThan(3);
    expect((await all).status).toBe(200);
  });
});
