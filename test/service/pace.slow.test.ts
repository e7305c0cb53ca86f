import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/service/http/pace.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { TestService } from '../support/service.ts';

/** Whether a turn has come by the next turn of the event loop. */
async function isTaken(turn: Promise<void>): Promise<boolean> {
  return Promise.race([turn.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
}

describe('the pace of an owner', () => {
  const hour = 3_600_000;

  it('takes a few dozen at once, and lets the next wait, of this owner alone', async () => {
    const pace = new Pace({ atOnce: 3, gapMs: hour, patienceMs: 0 });
    for (let number = 0; number < 3; number++) expect(await isTaken(pace.turn('a'))).toBe(true);
    await expect(pace.turn('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 3600 });
    expect(await isTaken(pace.turn('b'))).toBe(true);
  });

  it('takes those that wait one after the other, in the order in which they came', async () => {
    const pace = new Pace({ atOnce: 1, gapMs: 5, patienceMs: hour });
    const order: number[] = [];
    const began = performance.now();
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (number) => {
        await pace.turn('a');
        order.push(number);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(15);
  });

  it('refuses what would wait too long, which then counts for nothing', async () => {
    const pace = new Pace({ atOnce: 1, gapMs: 30, patienceMs: 40 });
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => pace.turn('a')));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(48);
    expect(refused.every(({ reason }) => reason instanceof ServiceError)).toBe(true);
    await pace.turn('a');
  });

  it('lets one that is only slowed down wait as long as it waits at most, and refuses none', async () => {
    const pace = new Pace({ atOnce: 2, gapMs: hour, patienceMs: 20 });
    for (let number = 0; number < 2; number++) expect(await isTaken(pace.slowDown('a'))).toBe(true);
    expect(await isTaken(pace.slowDown('a'))).toBe(false);
    const began = performance.now();
    await Promise.all([pace.slowDown('a'), pace.slowDown('a')]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(15);
    expect(await isTaken(pace.slowDown('b'))).toBe(true);
  });
});

describe('a service that limits requests', async () => {
  const service = await TestService.start({ rateLimit: 1e9 });
  const { client } = await service.signUp();

  it('takes what an account makes at its pace', async () => {
    const made = await Promise.all(Array.from({ length: 200 }, () => client.call('createToken', { body: {} })));
    const statuses = new Set(made.map(({ status }) => status));
    expect(statuses).toEqual(new Set([201, 429]));
    expect(made.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(60);
    expect((await client.call('listAgents')).status).toBe(200);
  });
});
