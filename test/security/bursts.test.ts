import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { takeTurns } from '../../src/service/http/turns.ts';
import { atEnd } from '../support/cleanup.ts';
import { until } from '../support/until.ts';

const REQUESTS = 200;
const MOST_A_TURN = 16;

/** A service that notes in which turn of the event loop each request began. */
async function noting() {
  const begun: { readonly path: string; readonly turn: number }[] = [];
  const arrived = new Map<string, number>();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const app = new Koa();
  app.use(takeTurns());
  app.use((ctx) => {
    begun.push({ path: ctx.path, turn });
    ctx.body = '';
  });
  const answer = app.callback();
  const server = createServer((request, response) => {
    arrived.set(request.url ?? '', turn);
    answer(request, response);
  });
  atEnd(() => {
    isOver = true;
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { begun, arrived, port: (server.address() as AddressInfo).port };
}

/** Sends requests on one connection, without waiting for answers. */
function sendAll(port: number, paths: readonly string[]): void {
  const socket = connect(port, '127.0.0.1').resume();
  atEnd(() => void socket.destroy());
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
}

describe('requests that arrive all at once', () => {
  it('begin a few in each turn of the event loop, in their order', async () => {
    const { begun, port } = await noting();
    const paths = Array.from({ length: REQUESTS }, (_, n) => `/${n}`);
    sendAll(port, paths);
    await until('all to have begun', () => begun.length === REQUESTS);
    expect(begun.map(({ path }) => path)).toEqual(paths);
    const perTurn = Map.groupBy(begun, ({ turn }) => turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(MOST_A_TURN);
  });

  it('begin in turns of their connections, so that one request does not wait for all of another', async () => {
    const { begun, arrived, port } = await noting();
    sendAll(
      port,
      Array.from({ length: 5 * REQUESTS }, (_, n) => `/${n}`),
    );
    sendAll(port, ['/one']);
    await until('all to have begun', () => begun.length === 5 * REQUESTS + 1);
    const last = (path: string): number => begun.find((one) => one.path === path)?.turn ?? 0;
    expect(last('/one') - (arrived.get('/one') ?? 0)).toBeLessThanOrEqual(2);
    expect(last(`/${5 * REQUESTS - 1}`)).toBeGreaterThan(last('/one'));
  });

  it('let a question about health pass', async () => {
    const { begun, port } = await noting();
    sendAll(port, [...Array.from({ length: REQUESTS }, (_, n) => `/${n}`), '/v1/health']);
    await until('all to have begun', () => begun.length === REQUESTS + 1);
    expect(begun.findIndex(({ path }) => path === '/v1/health')).toBeLessThanOrEqual(MOST_A_TURN);
  });
});
