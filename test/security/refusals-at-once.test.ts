// docs/limits.md, Other limits: whoever has not signed in and is refused again and again waits for the answers.
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { TestService } from '../support/service.ts';

/** So many refusals an address gets as fast as it asks. */
const AT_ONCE = 200;

describe('a flood of requests that are refused', async () => {
  const service = await TestService.start({ rateLimit: 1e9 });
  const { client } = await service.signUp();
  const refused = (): Promise<number> => send(service.url, { path: '/v1/agents' }).then(({ status }) => status);

  it('waits for its answers, and holds up neither who has signed in nor who asks whether the service is well', async () => {
    const first = await Promise.all(Array.from({ length: AT_ONCE }, refused));
    expect(new Set(first)).toEqual(new Set([401]));
    const order: string[] = [];
    const noted = async (name: string, asked: Promise<{ readonly status: number }>): Promise<void> => {
      const { status } = await asked;
      order.push(`${name} ${status}`);
    };
    const flood = ['/v1/agents', '/v1/nothing'].flatMap((path) =>
      Array.from({ length: 20 }, () => noted('nobody', send(service.url, { path }))),
    );
    const others = [
      noted('signed in', client.call('listAgents')),
      noted('signed in', client.call('getAgent', { params: { agent_id: 'nobody' } })),
      noted('health', send(service.url, { path: '/v1/health' })),
      noted('well', send(service.url, { path: '/.well-known/countersign/jwks.json' })),
    ];
    await Promise.all([...flood, ...others]);
    expect(new Set(order.slice(-20).map((entry) => entry.split(' ')[0]))).toEqual(new Set(['nobody']));
    expect(new Set(order)).toEqual(
      new Set(['nobody 401', 'nobody 404', 'signed in 200', 'signed in 404', 'health 200', 'well 200']),
    );
  });

  it('comes no faster than two hundred a second, however many ask at once', async () => {
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let count = 0; count < 10; count++) expect(await refused()).toBe(401);
      }),
    );
    expect(performance.now() - began).toBeGreaterThan(600);
  });
});
