// docs/interface.md, Limits: guessing is slowed down, and whoever has signed in from a browser before gets in whatever others try.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GrowingDelay } from '../../src/service/identity/growing-delay.ts';
import { enterWorkstation } from '../support/cases.ts';
import { type Answer, expectError, send } from '../support/client.ts';
import { type Account, TestService } from '../support/service.ts';

const newPage = (): string => randomBytes(32).toString('base64url');

function signIn(service: TestService, { email, password }: Pick<Account, 'email' | 'password'>, page: string | null) {
  const body = JSON.stringify({ email, password });
  const headers = { origin: service.url, ...(page === null ? {} : { 'x-countersign-page': page }) };
  return send(service.url, { method: 'POST', path: '/api/auth/sign-in/email', body, headers });
}

async function guess(service: TestService, email: string, count: number): Promise<Answer<unknown>[]> {
  const answers: Answer<unknown>[] = [];
  for (let n = 0; n < count; n++) answers.push(await signIn(service, { email, password: `wrong ${n}` }, null));
  return answers;
}

describe('wrong passwords from this machine', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const page = newPage();
  expect((await signIn(service, owner, page)).status).toBe(200);

  it('are slowed down after ten', async () => {
    const answers = await guess(service, owner.email, 12);
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expectError(answers[11] as Answer<unknown>, 'RATE_LIMITED');
    // A moment, and not a quarter of an hour.
    expect(Number(answers[11]?.headers['retry-after'])).toBeLessThanOrEqual(2);
  });

  it('do not keep the owner out of a browser that they signed in from before', async () => {
    expect((await signIn(service, owner, page)).status).toBe(200);
  });

  it('keep out a browser that is not known, and one that another account is known in', async () => {
    const other = await service.signUpGuest('other');
    const theirs = newPage();
    expect((await signIn(service, other, theirs)).status).toBe(200);
    await guess(service, owner.email, 3);
    expectError(await signIn(service, owner, newPage()), 'RATE_LIMITED');
    expectError(await signIn(service, owner, theirs), 'RATE_LIMITED');
  });

  it('say nothing of other accounts', async () => {
    const other = await service.signUpGuest('another');
    expect((await signIn(service, other, null)).status).toBe(200);
  });

  it('are slowed down in a browser that is known as well, and there alone', async () => {
    const second = newPage();
    await signIn(service, owner, second);
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) statuses.push((await signIn(service, { ...owner, password: 'wrong' }, second)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    expect((await signIn(service, owner, page)).status).toBe(200);
  });
});

describe('a flood of requests without credentials', async () => {
  const service = await TestService.start({ rateLimit: 40 });
  const owner = await service.signUp();
  const page = newPage();
  await signIn(service, owner, page);
  const flood = async (path: string): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(service.url, { path })));
    return answers.map(({ status }) => status);
  };

  it('is stopped, also where it asks for what there is not', async () => {
    const statuses = await flood('/v1/nothing');
    expect(statuses.filter((status) => status === 404)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
    expect(await flood('/v1/health')).toEqual(Array(100).fill(429));
  });

  it('keeps nobody from signing in', async () => {
    expect((await signIn(service, owner, null)).status).toBe(200);
    expect((await signIn(service, owner, page)).status).toBe(200);
  });

  it('of sign-ins keeps no browser out that is known, nor what it asks for before', async () => {
    const body = '{}';
    const path = '/api/auth/sign-in/email';
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => send(service.url, { method: 'POST', path, body })),
    );
    expect(answers.at(-1)?.status).toBe(429);
    expect((await signIn(service, owner, page)).status).toBe(200);
    const headers = { 'x-countersign-page': page };
    expect((await send(service.url, { path: '/api/auth/providers', headers })).status).toBe(200);
  });
});

it('a workstation session is known too, in the page that has it', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  await guess(service, owner.email, 12);
  const page = newPage();
  const code = new URL(service.workstationLink()).hash.replace(/^.*code=/, '');
  const headers = { origin: service.url, 'x-countersign-page': page };
  const post = { method: 'POST', headers };
  const entered = await send(service.url, { ...post, path: '/v1/workstation/enter', body: JSON.stringify({ code }) });
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const body = JSON.stringify({ email: owner.email, password: owner.password });
  const request = { ...post, path: '/api/auth/sign-in/email', body };
  expectError(await send(service.url, request), 'RATE_LIMITED');
  expect((await send(service.url, { ...request, headers: { ...headers, cookie } })).status).toBe(200);
  expect((await enterWorkstation(service)).cookie).not.toBe('');
});

describe('a growing delay', () => {
  it('doubles from a second to its most, and is forgotten after a quarter of an hour', () => {
    const delay = new GrowingDelay({ free: 2, mostMs: 5000 });
    expect([delay.attempt('a', 0), delay.attempt('a', 0)]).toEqual([0, 0]);
    const waits: number[] = [];
    let now = 0;
    for (let n = 0; n < 5; n++) {
      const wait = delay.attempt('a', now);
      waits.push(wait);
      now += wait;
      expect(delay.attempt('a', now)).toBe(0);
    }
    expect(waits).toEqual([1000, 2000, 4000, 5000, 5000]);
    expect(delay.attempt('b', now)).toBe(0);
    expect(delay.attempt('a', now + 900_000)).toBe(0);
    expect(delay.attempt('a', now + 900_000)).toBe(0);
  });

  it('keeps a bounded number of names', () => {
    const delay = new GrowingDelay({ free: 1, mostMs: 60_000 });
    delay.attempt('first', 0);
    for (let n = 0; n < 10_000; n++) delay.attempt(`name ${n}`, 0);
    expect(delay.attempt('first', 0)).toBe(0);
    expect(delay.attempt('name 9999', 0)).toBeGreaterThan(0);
  });
});
