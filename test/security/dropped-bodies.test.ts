import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { dropBody } from '../../src/service/http/dropped-bodies.ts';
import { atEnd } from '../support/cleanup.ts';
import { until } from '../support/until.ts';

const CALLERS = 24;
const BODY_BYTES = 3 * 1024 * 1024;

/** As much as Node reads of one connection in a turn before it looks at the next one. */
const GREEDY_BYTES = 2 * 1024 * 1024;

describe('bodies of refused requests', () => {
  it('are read to their end, however many come at once, a little in each turn of the event loop', async () => {
    const arrived: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
    const server = createServer((request, response) => {
      arrived.push({ request, response });
    });
    atEnd(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answers: string[] = [];
    const body = Buffer.alloc(BODY_BYTES, ' ');
    const senders = Array.from({ length: CALLERS }, (): Socket => {
      const socket = connect(port, '127.0.0.1');
      socket.on('data', (piece: Buffer) => answers.push(piece.toString('latin1', 0, 12)));
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
      socket.write(body);
      atEnd(() => void socket.destroy());
      return socket;
    });
    // Until then the operating system keeps what is sent, as much of it as it takes.
    await until('all requests', () => arrived.length === CALLERS);
    await until('all to have sent what is taken', () =>
      senders.every(({ bytesWritten }) => bytesWritten > GREEDY_BYTES),
    );
    const read = () => arrived.reduce((all, { request }) => all + request.socket.bytesRead, 0);
    for (const { request, response } of arrived) {
      dropBody(request);
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
  });
});
