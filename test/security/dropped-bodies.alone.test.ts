import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { dropBody } from '../../src/service/http/dropped-bodies.ts';
import { atEnd } from '../support/cleanup.ts';
import { until } from '../support/until.ts';

const CALLERS = 24;
/** So many that not all of their bodies are read to the end. */
const MANY_CALLERS = 80;
const READ_AT_ONCE = 32;
const BODY_BYTES = 3 * 1024 * 1024;

/** As much as Node reads of one connection in a turn before it looks at the next one. */
const GREEDY_BYTES = 2 * 1024 * 1024;

/** A server that answers nothing by itself, and callers who each send it a body. */
async function callersOf(count: number) {
  const arrived: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    arrived.push({ request, response });
  });
  atEnd(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answers: string[] = [];
  const body = Buffer.alloc(BODY_BYTES, ' ');
  const senders = Array.from({ length: count }, (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (piece: Buffer) => answers.push(piece.toString('latin1', 0, 12)));
    // A body that is not taken to its end.
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
    socket.write(body);
    atEnd(() => void socket.destroy());
    return socket;
  });
  await until('all requests', () => arrived.length === count);
  return { arrived, answers, senders };
}

describe('bodies of refused requests', () => {
  it('are read to their end, however many come at once, a little in each turn of the event loop', async () => {
    const { arrived, answers, senders } = await callersOf(CALLERS);
    // Until then the operating system keeps what is sent, as much of it as it takes.
    await until('all to have sent what is taken', () =>
      senders.every(({ bytesWritten }) => bytesWritten > GREEDY_BYTES),
    );
    const read = () => arrived.reduce((all, { request }) => all + request.socket.bytesRead, 0);
    for (const { request, response } of arrived) {
      dropBody(request, response);
      request.once('end', () => response.writeHead(413).end());
    }
    let most = 0;
    let before = read();
    const look = (): void => {
      const now = read();
      most = Math.max(most, now - before);
      before = now;
      if (answers.length < CALLERS) setImmediate(look);
    };
    look();
    await until('all to be answered', () => answers.length === CALLERS);
    expect(answers.every((answer) => answer === 'HTTP/1.1 413')).toBe(true);
    expect(most).toBeLessThan(GREEDY_BYTES);
    await until('all to be done with', () => arrived.every(({ request }) => request.closed));
  });

  it('are read to their end up to 32 at a time: the other senders get their answer and are closed', async () => {
    const { arrived, answers } = await callersOf(MANY_CALLERS);
    for (const { request, response } of arrived) {
      dropBody(request, response);
      response.writeHead(413).end();
    }
    await until('all to be answered', () => answers.length === MANY_CALLERS);
    expect(answers.every((answer) => answer === 'HTTP/1.1 413')).toBe(true);
    await until('the rest of the bodies', () => arrived.every(({ request }) => request.complete || request.destroyed));
    expect(arrived.filter(({ request }) => request.complete)).toHaveLength(READ_AT_ONCE);
  });

  it('take no room where the connection has ended', async () => {
    const gone = await callersOf(READ_AT_ONCE);
    for (const { request } of gone.arrived) request.socket.destroy();
    await until('all to be closed', () => gone.arrived.every(({ request }) => request.closed));
    for (const { request, response } of gone.arrived) dropBody(request, response);
    const { arrived, answers } = await callersOf(1);
    for (const { request, response } of arrived) {
      dropBody(request, response);
      response.writeHead(413).end();
    }
    await until('it to be answered', () => answers.length === 1);
    await until('the rest of the body', () => arrived.every(({ request }) => request.complete));
  });

  it('are read to their end again once there is room', async () => {
    const { arrived, answers } = await callersOf(1);
    for (const { request, response } of arrived) {
      dropBody(request, response);
      response.writeHead(413).end();
    }
    await until('it to be answered', () => answers.length === 1);
    await until('the rest of the body', () => arrived.every(({ request }) => request.complete));
  });
});
