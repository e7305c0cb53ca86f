// docs/limits.md: guessing is slowed down, and whoever has signed in from a browser before gets in whatever others try.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GrowingDelay } from '../../src/service/people/identity/growing-delay.ts';
import { enterWorkstation } from '../support/cases.ts';
import { type Answer, expectError, send } from '../support/client.ts';
import { type Account, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const newPage = (): string => randomBytes(32).toString('base64url');

function signIn(service: TestService, { email, password }: Pick<Account, 'email' | 'password'>, page: string | null) {
  const body = JSON.stringify({ email, password });
  const headers = { origin: service.url, ...(page === null ? {} : { 'x-countersign-page': page }) };
  return send(service.url, { method: 'POST', path: '/api/auth/sign-in/email', body, headers });
}

/** Guesses until the wait is long enough that it is not over before the next line. @returns the answers */
async function guess(service: TestService, email: string): Promise<Answer<unknown>[]> {
  const answers: Answer<unknown>[] = [];
  await until('a wait', async () => {
    const answer = await signIn(service, { email, password: `wrong ${answers.length}` }, null);
    answers.push(answer);
    return Number(answer.headers['retry-after'] ?? 0) >= 2;
  });
  return answers;
}

describe('wrong passwords from this machine', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const page = newPage();
  expect((await signIn(service, owner, page)).status).toBe(200);

  it('are slowed down after ten', async () => {
    const answers = await guess(service, owner.email);
    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(401));
    const last = answers.at(-1) as Answer<unknown>;
    expectError(last, 'RATE_LIMITED');
    // Moments, and not a quarter of an hour.
    expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('do not keep the owner out of a browser that they signed in from before', async () => {
    expect((await signIn(service, owner, page)).status).toBe(200);
  });

  it('keep out a browser that is not known, and one that another account is known in', async () => {
    const other = await service.signUpGuest('other');
    const theirs = newPage();
    expect((await signIn(service, other, theirs)).status).toBe(200);
    await guess(service, owner.email);
    expectError(await signIn(service, owner, newPage()), 'RATE_LIMITED');
    expectError(await signIn(service, owner, theirs), 'RATE_LIMITED');
  });

  it('say nothing of other accounts', async () => {
    const other = await service.signUpGuest('another');
    expect((await signIn(service, other, null)).status).toBe(200);
  });

  it('are slowed down in a browser that is known as well, and there alone', async () => {
    const other = await service.signUpGuest('third');
    const [first, second] = [newPage(), newPage()];
    for (const known of [first, second]) expect((await signIn(service, other, known)).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) statuses.push((await signIn(service, { ...other, password: 'wrong' }, second)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toContain(429);
    expect((await signIn(service, other, first)).status).toBe(200);
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
  await guess(service, owner.email);
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

it('guesses of the password under a stolen session are slowed down, whatever page each names', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const codes: string[] = [];
  for (let n = 0; n < 15; n++) {
    const headers = { 'x-countersign-page': newPage() };
    const body = { current_password: `wrong ${n}`, new_password: 'correct horse battery staple' };
    const answer = await owner.client.call('changePassword', { body, headers });
    codes.push((answer.body as unknown as { error: { code: string } }).error.code);
  }
  expect(codes.slice(0, 10)).toEqual(Array(10).fill('FORBIDDEN'));
  expect(codes.slice(10)).toContain('RATE_LIMITED');
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
