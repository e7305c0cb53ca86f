// docs/interface.md, Authentication: cookies know no ports, so a session that a page began answers to that page alone.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../support/cases.ts';
import { type Answer, expectError, type RawRequest, send } from '../support/client.ts';
import { type Account, eventsOf, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();

/** A page of the service: what its origin's storage keeps, and what the browser sends beside it. */
class PageOfService {
  readonly secret = randomBytes(32).toString('base64url');
  cookies: readonly string[] = [];

  send({ headers = {}, ...given }: RawRequest): Promise<Answer<unknown>> {
    const cookie = this.cookies.length === 0 ? {} : { cookie: this.cookies.join('; ') };
    const own = { ...cookie, origin: service.url, 'x-countersign-page': this.secret };
    return send(service.url, { ...given, headers: { ...own, ...headers } });
  }

  /** Signs in, and keeps the cookie as a browser does. */
  async signIn({ email, password }: Account): Promise<string> {
    const body = JSON.stringify({ email, password });
    const answer = await this.send({ method: 'POST', path: '/api/auth/sign-in/email', body });
    expect(answer.status).toBe(200);
    this.cookies = [cookieIn(answer)];
    return this.cookies[0] ?? '';
  }

  async whoIs(): Promise<string | null> {
    const answer = await this.send({ path: '/api/auth/session' });
    return answer.status === 200 ? (answer.body as { email: string }).email : null;
  }
}

function cookieIn(answer: Answer<unknown>): string {
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const owner = await service.signUp('owner');
const attacker = await service.signUp('attacker');
const page = new PageOfService();
const ownCookie = await page.signIn(owner);
const ownToken = ownCookie.replace('countersign_session=', '');
/** A session of the attacker that no page began: its cookie works for a client that is none. */
const planted = `countersign_session=${attacker.client.token}`;

describe('a cookie that another port was sent', () => {
  const elsewhere = new PageOfService();

  it('is good for the page whose it is', async () => {
    expect(await page.whoIs()).toBe(owner.email);
  });

  it.each<[string, Record<string, string>]>([
    ['as cookie', { cookie: ownCookie }],
    ['as bearer token', { authorization: `Bearer ${ownToken}` }],
    ['as cookie with the secret of another page', { cookie: ownCookie, 'x-countersign-page': elsewhere.secret }],
    ['as bearer with the secret of another page', bearerOfPage()],
    ['as cookie from a page that knows its own address', { cookie: ownCookie, 'sec-fetch-site': 'same-origin' }],
  ])('opens nothing %s', async (_, headers) => {
    expectError(await send(service.url, { path: '/api/auth/session', headers }), 'UNAUTHORIZED');
    const post = { method: 'POST', path: '/v1/auth/token', body: '{}', headers: { origin: service.url, ...headers } };
    expectError(await send(service.url, post), 'UNAUTHORIZED');
  });

  it('cannot be refreshed into one that is free', async () => {
    const request = {
      method: 'POST',
      path: '/api/auth/session/refresh',
      headers: { cookie: ownCookie, origin: service.url },
    };
    expectError(await send(service.url, request), 'UNAUTHORIZED');
    expect(await page.whoIs()).toBe(owner.email);
  });

  it('stays bound when the page refreshes it', async () => {
    const other = new PageOfService();
    await other.signIn(owner);
    const answer = await other.send({ method: 'POST', path: '/api/auth/session/refresh' });
    const cookie = cookieIn(answer);
    expectError(await send(service.url, { path: '/api/auth/session', headers: { cookie } }), 'UNAUTHORIZED');
    other.cookies = [cookie];
    expect(await other.whoIs()).toBe(owner.email);
  });

  function bearerOfPage(): Record<string, string> {
    return { authorization: `Bearer ${ownToken}`, 'x-countersign-page': elsewhere.secret };
  }
});

describe('a cookie that another port planted', () => {
  const secret = randomBytes(32).toString('base64url');

  it.each<[string, () => Promise<readonly string[]>, boolean]>([
    ['alone', async () => [planted], false],
    ['before the own one, by a longer path', async () => [planted, ownCookie], true],
    ['after the own one', async () => [ownCookie, planted], true],
    ['a hundred times before the own one', async () => [...Array(100).fill(planted), ownCookie], true],
    ['bound to the secret of a page of the attacker', async () => [await boundToAttacker(), ownCookie], true],
    ['of the form of nothing', async () => ['countersign_session=%00"', ownCookie], true],
  ])('signs nobody in as the attacker and nobody out: %s', async (_, cookies, isSignedIn) => {
    const victim = Object.assign(new PageOfService(), { secret: page.secret, cookies: await cookies() });
    expect(await victim.whoIs()).toBe(isSignedIn ? owner.email : null);
  });

  it('does not keep the page from signing in, nor from accepting an invitation', async () => {
    const victim = new PageOfService();
    victim.cookies = [planted];
    await victim.signIn(owner);
    const { code } = await owner.client.ok('invite', { body: { email: 'new@example.org', role: 'security_admin' } });
    const body = JSON.stringify({ code, name: 'New', password: 'correct horse battery' });
    victim.cookies = [planted];
    expect((await victim.send({ method: 'POST', path: '/v1/invitations/accept', body })).status).toBe(201);
  });

  it('leaves a client that is no page nobody, where it comes with another of its name', async () => {
    const headers = { cookie: `${planted}; countersign_session=${owner.client.token}` };
    expectError(await send(service.url, { path: '/api/auth/session', headers }), 'UNAUTHORIZED');
  });

  async function boundToAttacker(): Promise<string> {
    const theirs = Object.assign(new PageOfService(), { secret });
    return theirs.signIn(attacker);
  }
});

describe('a client that is no page', () => {
  it('has its session by cookie and by bearer token, as ever', async () => {
    for (const headers of [{ cookie: planted }, { authorization: `Bearer ${attacker.client.token}` }]) {
      expect((await send(service.url, { path: '/api/auth/session', headers })).status).toBe(200);
    }
  });

  it('is told what is wrong with a secret of another form', async () => {
    const headers = { 'x-countersign-page': 'short' };
    expectError(await send(service.url, { path: '/v1/health', headers }), 'VALIDATION_ERROR', 'X-Countersign-Page');
  });
});

describe('a workstation session of a page', () => {
  const desk = new PageOfService();
  const enter = (from: PageOfService): Promise<Answer<unknown>> =>
    from.send({
      method: 'POST',
      path: '/v1/workstation/enter',
      body: JSON.stringify({ code: codeOf(service.workstationLink()) }),
    });
  const isActive = async (headers: Record<string, string>): Promise<boolean> => {
    const { body } = await send(service.url, { path: '/v1/workstation', headers });
    return (body as { active: boolean }).active;
  };

  it('is worth nothing elsewhere, and one from elsewhere nothing there', async () => {
    const cookie = cookieIn(await enter(desk));
    const own = { 'x-countersign-page': desk.secret };
    expect(await isActive({ cookie, ...own })).toBe(true);
    expect(await isActive({ cookie })).toBe(false);
    expect(await isActive({ cookie, 'x-countersign-page': page.secret })).toBe(false);
    const foreign = cookieIn(await enter(new PageOfService()));
    expect(await isActive({ cookie: foreign, ...own })).toBe(false);
    expect(await isActive({ cookie: `${foreign}; ${cookie}`, ...own })).toBe(true);
  });
});

describe('a download', async () => {
  await submitNext(owner, await registerAgent(owner, 'agent'));
  const exportId = await exportOf(owner);
  const path = `/v1/exports/${exportId}/download`;
  const downloads = async (): Promise<number> => (await eventsOf(owner, 'export.download')).length;

  it.each<[string, Record<string, string>]>([
    ['the cookie of the page', { cookie: ownCookie, 'sec-fetch-site': 'same-site' }],
    ['a cookie of no page', { cookie: `countersign_session=${owner.client.token}`, 'sec-fetch-site': 'same-site' }],
    [
      'that, from another site',
      { cookie: `countersign_session=${owner.client.token}`, 'sec-fetch-site': 'cross-site' },
    ],
  ])('is nothing that a page elsewhere can bring about and have noted: %s', async (_, headers) => {
    const before = await downloads();
    expect((await send(service.url, { path, headers })).status).toBeGreaterThanOrEqual(401);
    expect(await downloads()).toBe(before);
  });
});

it('keeps nothing of a secret in the database', () => {
  const rows = service.sql.prepare('SELECT hex(page_hash) AS hash FROM sessions WHERE page_hash IS NOT NULL').all();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(page.secret, 'base64url').toString('hex').toUpperCase());
});
