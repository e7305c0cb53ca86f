import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/service/http/admission.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { expectError } from '../support/client.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const BATCH_LIMIT = 16 * 1024 * 1024;

function codeOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
  return null;
}

/** A body of one and the same organization. */
function body(bytes: number) {
  return { owner: 'organization', bytes, giveUp: () => undefined };
}

describe('admission', () => {
  it('refuses past the number of requests and past the bytes, and takes in again what leaves', () => {
    const admission = new Admission({ maxRequests: 2, maxBytes: 100 });
    const one = admission.enter(body(60));
    expect(codeOf(() => admission.enter(body(41)))).toBe('OVERLOADED');
    const other = admission.enter(body(40));
    expect(codeOf(() => admission.enter(body(0)))).toBe('OVERLOADED');
    one.leave();
    expect(codeOf(() => admission.enter(body(61)))).toBe('OVERLOADED');
    other.leave();
    // Alone, a request may be larger than everything.
    expect(codeOf(() => admission.enter(body(1000)))).toBeNull();
  });

  it('gives up what is still arriving of whoever holds the most, for whoever holds less, and nothing that has arrived', () => {
    const admission = new Admission({ maxBytes: 100 });
    const given: string[] = [];
    const from = (owner: string, bytes: number, name: string) =>
      admission.enter({ owner, bytes, giveUp: () => given.push(name) });
    from('large', 40, 'arrived').arrived();
    from('large', 40, 'arriving');
    from('small', 20, 'of another');
    expect(codeOf(() => from('large', 20, 'one more'))).toBe('OVERLOADED');
    from('small', 30, 'let in');
    expect(given).toEqual(['arriving']);
    expect(codeOf(() => from('third', 50, 'too large'))).toBe('OVERLOADED');
  });

  it('gives up what has been arriving the longest, of those whom nobody knows', () => {
    const admission = new Admission({ maxRequests: 2, givesUpOldest: true });
    const given: number[] = [];
    for (const number of [1, 2, 3, 4]) admission.enter({ owner: '', bytes: 1, giveUp: () => given.push(number) });
    expect(given).toEqual([1, 2]);
  });
});

describe('a service that has as much to do as it takes on', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const { port } = new URL(service.url);
  const batch = { method: 'POST', path: '/v1/operations/batch' };

  /** A request that announces the largest body and sends none of it. */
  function hold(): Socket {
    const socket = connect(Number(port), '127.0.0.1');
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${owner.client.token}\r\nContent-Length: ${BATCH_LIMIT}`;
    socket.write(`POST /v1/operations/batch HTTP/1.1\r\n${head}\r\n\r\n`);
    return socket;
  }

  it('answers 503 with Retry-After, and the connection serves the next request', async () => {
    const held = [hold(), hold()];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify(signer.record());
    const before = service.trace();
    const answer = await until('both to be let in', async () => {
      const refused = await owner.client.send({ method: 'POST', path: '/v1/audit/query', body: '{}', agent });
      return refused.status === 503 && refused;
    });
    expectError(answer, 'OVERLOADED');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expectError(await owner.client.send({ method: 'POST', path: '/v1/operations', body, agent }), 'OVERLOADED');
    expect(service.trace()).toEqual(before);
    // What brings no body waits for nobody.
    expect((await owner.client.send({ path: '/v1/agents', agent })).status).toBe(200);
    for (const socket of held) socket.destroy();
    await until(
      'room',
      async () => (await owner.client.send({ ...batch, body: '{"records":[]}', agent })).status !== 503,
    );
    expect((await owner.client.send({ method: 'POST', path: '/v1/operations', body, agent })).status).toBe(201);
    agent.destroy();
  });

  it('has room again after a request of any outcome', async () => {
    // Without its length said beforehand each counts as the largest: two that stayed would be felt.
    const headers = { 'transfer-encoding': 'chunked' };
    const bodies: [string, number][] = [
      ['{"records":[]}', 400],
      ['not JSON', 400],
      ['[]', 400],
      [' '.repeat(BATCH_LIMIT + 1), 413],
      [JSON.stringify({ records: [signer.record({ nonce: 'short' })] }), 200],
      [JSON.stringify({ records: [signer.next()] }), 200],
    ];
    for (const [body, status] of [...bodies.slice(0, 5), ...bodies]) {
      expect((await owner.client.send({ ...batch, body, headers })).status, body.slice(0, 20)).toBe(status);
    }
    for (let n = 0; n < 3; n++) {
      const socket = hold();
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.destroy();
    }
    await until('room for two', async () => {
      const both = await Promise.all(
        [1, 2].map(() => owner.client.send({ ...batch, body: '{"records":[]}', headers })),
      );
      return both.every(({ status }) => status === 400);
    });
  });
});
