import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestSignal } from '../../src/service/http/request-signal.ts';

let server = createServer();
let stopping = new AbortController();

beforeEach(async () => {
  [server, stopping] = [createServer(), new AbortController()];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe('the signal of a request', () => {
  it('is aborted, and listens to nothing, where the client was gone before it was asked for', async () => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, agent: false }).on('error', () => undefined);
    sent.end();
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const closed = once(response, 'close');
    sent.destroy();
    await closed;
    expect(requestSignal(response, stopping.signal).aborted).toBe(true);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });

  it('listens to nothing any more once its answer is out', async () => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, agent: false });
    sent.end();
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const signal = requestSignal(response, stopping.signal);
    expect(signal.aborted).toBe(false);
    const closed = once(response, 'close');
    response.end();
    await closed;
    expect(signal.aborted).toBe(true);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });
});
