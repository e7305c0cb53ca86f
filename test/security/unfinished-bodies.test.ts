import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { allowUploadTime, Connections } from '../../src/service/http/connections.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MOST = 32;

/** A connection and what came of it. */
interface Held {
  readonly socket: Socket;
  received: string;
  closed: boolean;
}

/** Opens connections that say something and then nothing more. */
function hold(url: string, count: number, text: string): Held[] {
  const { port } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    const held: Held = { socket, received: '', closed: false };
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      held.received += piece.toString('latin1');
    });
    socket.on('close', () => {
      held.closed = true;
    });
    socket.write(text);
    atEnd(() => void socket.destroy());
    return held;
  });
}

function openOf(held: readonly Held[]): number {
  return held.filter(({ closed }) => !closed).length;
}

describe('a service whose callers do not finish what they begin', async () => {
  const service = await TestService.start({ maxConnections: MOST });
  const host = `Host: 127.0.0.1\r\n`;

  it('refuses a body of 1 MiB for signing in by its announced length, before any of it is kept', async () => {
    const head = `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
    const held = hold(service.url, 10, `${head}Content-Length: 1048576\r\n\r\n{`);
    await until('all to be answered', () => held.every(({ received }) => received.startsWith('HTTP/1.1 413')));
  });

  it('closes those who never finish a head, so that others get in', async () => {
    const held = hold(service.url, 3 * MOST, `GET /v1/health HTTP/1.1\r\n${host}X-Unfinished: `);
    await until('what is too many to be closed', () => openOf(held) <= MOST);
    for (let number = 0; number < 5; number++) {
      expect((await service.client().send({ path: '/v1/health' })).status).toBe(200);
    }
  });

  it('closes those who never finish a body, so that others get in, and none that is being answered', async () => {
    const head = `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
    const held = hold(service.url, 3 * MOST, `${head}Content-Length: 1000\r\n\r\n{`);
    await until('what is too many to be closed', () => openOf(held) <= MOST);
    const wrong = { body: { email: 'nobody@example.org', password: 'a wrong password' } };
    expectError(await service.client().call('signIn', wrong), 'UNAUTHORIZED');
  });
});

describe('the time that a request may take', async () => {
  const server = createServer((request, response) => {
    connections.begin(request, response);
    if (request.url === '/upload') allowUploadTime(request);
    request.resume().once('end', () => response.end('whole'));
  });
  const connections = new Connections(server, { most: 100, bodyMs: 200, pauseMs: 60_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\nab`;

  it('ends for a body, and not for an upload that comes on', async () => {
    const [body, upload] = [hold(url, 1, post('/'))[0], hold(url, 1, post('/upload'))[0]];
    await until('the body to be given up', () => body?.closed === true);
    expect(upload?.closed).toBe(false);
    upload?.socket.write('cd');
    await until('the upload to be answered', () => upload?.received.endsWith('whole'));
  });
});
