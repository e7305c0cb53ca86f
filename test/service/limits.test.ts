import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, send } from '../support/client.ts';
import { registerAgent, TestService } from '../support/service.ts';

describe('the size of a request', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const KIB = 1024;
  const post = (body: string, path = '/v1/operations'): Promise<Answer<unknown>> =>
    owner.client.send({ method: 'POST', path, body });

  it('takes a payload of 256 KiB in canonical form, and no byte more', async () => {
    const filled = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) });
    const before = service.trace();
    const large = signer.record({ payload: filled(256 * KIB + 1) });
    expectError(await post(JSON.stringify(large)), 'PAYLOAD_TOO_LARGE', 'payload');
    expect(service.trace()).toEqual(before);
    await owner.client.ok('submitOperation', { body: signer.next({ payload: filled(256 * KIB) }) });
  });

  it('counts bytes of the canonical form, not characters or what was sent', async () => {
    const wide = signer.record({ payload: { t: '€'.repeat(90_000) } });
    expectError(await post(JSON.stringify(wide)), 'PAYLOAD_TOO_LARGE', 'payload');
    const spaced = JSON.stringify(signer.next()).replace('"payload":{', `"payload":{${' '.repeat(300 * KIB)}`);
    expect((await post(spaced)).status).toBe(201);
  });

  it('counts a payload that is no object, too', async () => {
    const body = JSON.stringify({ ...signer.record(), payload: 'x'.repeat(300 * KIB) });
    expectError(await post(body), 'PAYLOAD_TOO_LARGE', 'payload');
  });

  it('takes a body of 1 MiB, and no byte more', async () => {
    const record = JSON.stringify(signer.next());
    const before = service.trace();
    expectError(await post(record + ' '.repeat(KIB * KIB - record.length + 1)), 'PAYLOAD_TOO_LARGE', 'body');
    expect(service.trace()).toEqual(before);
    expect((await post(record + ' '.repeat(KIB * KIB - record.length))).status).toBe(201);
  });

  it('refuses a far larger body, with and without its length said beforehand', async () => {
    const body = ' '.repeat(8 * KIB * KIB);
    expectError(await post(body), 'PAYLOAD_TOO_LARGE', 'body');
    const headers = { 'transfer-encoding': 'chunked' };
    const request = { method: 'POST', path: '/v1/operations', body, headers };
    expectError(await owner.client.send(request), 'PAYLOAD_TOO_LARGE', 'body');
    expectError(await send(service.url, { ...request, path: '/api/auth/sign-in/email' }), 'PAYLOAD_TOO_LARGE', 'body');
    await owner.client.ok('listAgents');
  });

  it('reads on after a refusal, so that the connection can serve the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = ' '.repeat(4 * KIB * KIB);
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const request = { method: 'POST', path: '/v1/operations', body, headers, agent };
      expectError(await owner.client.send(request), 'PAYLOAD_TOO_LARGE', 'body');
      expect((await owner.client.send({ path: '/v1/agents', agent })).status).toBe(200);
    }
    agent.destroy();
  });
});

describe('the rate of requests', () => {
  it('is limited for each organization, whatever becomes of its requests', async () => {
    const service = await TestService.start({ rateLimit: 5 });
    const [one, two] = [await service.signUp('one'), await service.signUp('two')];
    const paths = ['/v1/agents', '/v1/agents/nobody', '/v1/epochs?limit=0', '/v1/exports', '/v1/epochs'];
    for (const path of paths) expect((await one.client.send({ path })).status).not.toBe(429);
    const before = service.trace();
    const answer = await one.client.call('createToken', { body: {} });
    expectError(answer, 'RATE_LIMITED');
    expect(answer.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(service.trace()).toEqual(before);
    // All tokens of an organization count together, another organization apart.
    expectError(await service.client(one.client.token).call('session'), 'RATE_LIMITED');
    for (let n = 0; n < 5; n++) await two.client.ok('listAgents');
    expectError(await two.client.call('listAgents'), 'RATE_LIMITED');
  });

  it('is limited for each address where nobody has signed in', async () => {
    const service = await TestService.start({ rateLimit: 4 });
    const { client } = await service.signUp();
    for (let n = 0; n < 4; n++) await service.client().ok('health');
    expectError(await service.client().call('health'), 'RATE_LIMITED');
    expectError(await service.client().call('deepHealth'), 'RATE_LIMITED');
    // The ways in are counted by themselves; the sign-up was one.
    const wayIn = () => service.client().call('signIn', { body: {} });
    for (let n = 0; n < 3; n++) expectError(await wayIn(), 'VALIDATION_ERROR');
    expectError(await wayIn(), 'RATE_LIMITED');
    await client.ok('listAgents');
  });

  it('is not limited where the setting is off', async () => {
    const service = await TestService.start({ rateLimit: null });
    const { client } = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.call('listAgents')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
