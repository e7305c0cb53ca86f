import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();

const signUpBody = {
  email: 'someone@example.org',
  password: 'long enough',
  name: 'Someone',
  org_name: 'Somewhere',
} as const;

function without(member: keyof typeof signUpBody): object {
  const { [member]: _, ...rest } = signUpBody;
  return rest;
}

describe('POST /api/auth/sign-up/email', () => {
  it('makes an organization and its owner, with a session', async () => {
    const email = 'Ines.Carvalho@example.org';
    const answer = await service.client().call('signUp', { body: { ...signUpBody, email } });
    expect(answer.status).toBe(201);
    const { token, user } = answer.body;
    expect(Object.keys(answer.body)).toEqual(['token', 'user']);
    expect(user).toEqual({ id: expect.any(String), email, orgId: expect.any(String), role: 'org_owner' });
    expect(token).toMatch(/^csn_sess_[A-Za-z0-9_-]{43}$/);
    expect(await service.client(token).ok('session')).toEqual({ ...user, createdAt: expect.any(String) });
  });

  it('knows an address by one form, however its letters are written', async () => {
    const body = { ...signUpBody, email: 'jörg@münchen.example' };
    const { user } = await service.client().ok('signUp', { body });
    expect(user.email).toBe('jörg@xn--mnchen-3ya.example');
    const same = ['JO\u0308RG@MÜNCHEN.example', 'jörg@XN--mnchen-3ya.example', 'jörg@ｍünchen。example'];
    for (const email of same) {
      const { password } = signUpBody;
      expect((await service.client().call('signIn', { body: { email, password } })).status).toBe(200);
      expectError(await service.client().call('signUp', { body: { ...body, email } }), 'CONFLICT', 'email');
    }
    const { invitation } = await owner.client.ok('invite', { body: { email: 'x@MÜNCHEN.example', role: 'org_owner' } });
    expect(invitation.email).toBe('x@xn--mnchen-3ya.example');
    // What is no domain stays as it is.
    const odd = await service.client().ok('signUp', { body: { ...body, email: 'a@xn--ü.example' } });
    expect(odd.user.email).toBe('a@xn--ü.example');
  });

  it('sets the session cookie for browsers', async () => {
    const answer = await service.client().call('signUp', { body: { ...signUpBody, email: 'cookie@example.org' } });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toBe(`countersign_session=${answer.body.token}`);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  it('keeps neither password nor token', async () => {
    const { token } = await service.client().ok('signUp', { body: { ...signUpBody, email: 'kept@example.org' } });
    const user = service.sql.prepare("SELECT * FROM users WHERE email = 'kept@example.org'").get() as {
      password_hash: string;
      user_id: string;
    };
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
    const session = service.sql.prepare('SELECT * FROM sessions WHERE user_id = ?').get(user.user_id);
    expect(session).toMatchObject({ token_hash: createHash('sha256').update(token).digest() });
    expect(JSON.stringify([user, session])).not.toContain(signUpBody.password);
  });

  it('refuses an address that has an account, in any case of letters', async () => {
    const before = service.trace();
    const body = { ...signUpBody, email: owner.email.toUpperCase() };
    expectError(await service.client().call('signUp', { body }), 'CONFLICT', 'email');
    expect(service.trace()).toEqual(before);
  });

  it.each<[string, string, object]>([
    ['email', 'missing', without('email')],
    ['password', 'missing', without('password')],
    ['name', 'missing', without('name')],
    ['org_name', 'missing', without('org_name')],
    ['email', 'no address', { ...signUpBody, email: 'someone' }],
    ['email', 'a number', { ...signUpBody, email: 7 }],
    ['email', 'null', { ...signUpBody, email: null }],
    ['email', 'too long', { ...signUpBody, email: `${'x'.repeat(250)}@example.org` }],
    ['password', 'of 7 characters', { ...signUpBody, password: '1234567' }],
    ['password', 'of 257 characters', { ...signUpBody, password: 'x'.repeat(257) }],
    ['password', 'of 7 characters in 14 code units', { ...signUpBody, password: '😀'.repeat(7) }],
    ['name', 'empty', { ...signUpBody, name: '' }],
    ['name', 'blank', { ...signUpBody, name: '  ' }],
    ['name', 'of two lines', { ...signUpBody, name: 'Ada\nOwner' }],
    ['name', 'written backwards', { ...signUpBody, name: 'Ada \u202eecilA' }],
    ['org_name', 'with a control character', { ...signUpBody, org_name: 'Home\u0007 Org' }],
    ['org_name', 'with an isolate', { ...signUpBody, org_name: 'Home \u2067grO' }],
    ['org_name', 'of 129 characters', { ...signUpBody, org_name: 'x'.repeat(129) }],
    ['role', 'unknown', { ...signUpBody, role: 'org_owner' }],
  ])('refuses %s: %s', async (member, _, body) => {
    const before = service.trace();
    expectError(await service.client().call('signUp', { body }), 'VALIDATION_ERROR', member);
    expect(service.trace()).toEqual(before);
  });

  it.each([8, 256])('takes a password of %i characters', async (length) => {
    const body = { ...signUpBody, email: `length-${length}@example.org`, password: 'ü'.repeat(length) };
    await service.client().ok('signUp', { body });
    const { email, password } = body;
    await service.client().ok('signIn', { body: { email, password } });
  });

  it('gives one account to one of many at once with the same address', async () => {
    const body = { ...signUpBody, email: 'race@example.org' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => service.client().call('signUp', { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });
});

describe('POST /api/auth/sign-in/email', () => {
  it('gives a further session, whatever the case of the address', async () => {
    const body = { email: owner.email.toUpperCase(), password: owner.password };
    const answer = await service.client().call('signIn', { body });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['token']);
    expect(answer.body.token).toMatch(/^csn_sess_/);
    expect(answer.body.token).not.toBe(owner.client.token);
    expect(answer.headers['set-cookie']?.[0]).toMatch(new RegExp(`^countersign_session=${answer.body.token};`));
    expect(await service.client(answer.body.token).ok('session')).toMatchObject({ id: owner.userId });
    expect(await owner.client.ok('session')).toMatchObject({ id: owner.userId });
  });

  it('does not tell a wrong password from an unknown address', async () => {
    const wrong = await service.client().call('signIn', { body: { email: owner.email, password: 'wrong password' } });
    const unknown = await service.client().call('signIn', { body: { email: 'no@example.org', password: 'whatever' } });
    const messages = [wrong, unknown].map((answer) => expectError(answer, 'UNAUTHORIZED').message);
    expect(messages[0]).toBe(messages[1]);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it.each<[string, object]>([
    ['email', { password: 'whatever' }],
    ['password', { email: 'a@example.org' }],
    ['password', { email: 'a@example.org', password: 8 }],
    ['remember', { email: 'a@example.org', password: 'whatever', remember: true }],
  ])('refuses a body whose %s is not as it should be', async (member, body) => {
    expectError(await service.client().call('signIn', { body }), 'VALIDATION_ERROR', member);
  });

  it('lets an account be tried ten times, then makes further attempts wait', async () => {
    const { email, password } = await service.signUp('guessed');
    const attempt = (guess: string) => service.client().call('signIn', { body: { email, password: guess } });
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => attempt(`wrong guess ${n}`)));
    const refused = guesses.filter(({ status }) => status === 429);
    expect(guesses.length - refused.length).toBeGreaterThanOrEqual(10);
    for (const answer of refused) {
      expectError(answer, 'RATE_LIMITED');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(refused).not.toEqual([]);
    await until('the wait to be over', async () => (await attempt(password)).status === 200);
    const other = { email: owner.email, password: owner.password };
    await service.client().ok('signIn', { body: other });
  });

  it('forgets failed attempts once the owner has signed in', async () => {
    const { email, password } = await service.signUp('forgetful');
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 6; n++) {
        expectError(await service.client().call('signIn', { body: { email, password: 'not it' } }), 'UNAUTHORIZED');
      }
      await service.client().ok('signIn', { body: { email, password } });
    }
  });
});

describe('GET /api/auth/session', () => {
  it('tells who is signed in', async () => {
    const session = await owner.client.ok('session');
    expect(session).toEqual({
      id: owner.userId,
      email: owner.email,
      orgId: owner.orgId,
      role: 'org_owner',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('tells of a user who belongs to no organization', async () => {
    const account = await service.signUp('homeless');
    service.sql.prepare('DELETE FROM members WHERE user_id = ?').run(account.userId);
    expect(await account.client.ok('session')).toMatchObject({ id: account.userId, orgId: null, role: null });
    expectError(await account.client.call('listAgents'), 'FORBIDDEN');
  });

  it('ends with the lifetime of the session: seven days', async () => {
    const { client, userId } = await service.signUp('late');
    const row = service.sql.prepare('SELECT created_at, expires_at FROM sessions WHERE user_id = ?').get(userId) as {
      created_at: number;
      expires_at: number;
    };
    expect(row.expires_at - row.created_at).toBe(7 * 86_400_000);
    service.sql.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?').run(Date.now(), userId);
    expectError(await client.call('session'), 'UNAUTHORIZED');
  });
});

describe('POST /v1/auth/token', () => {
  it('gives a token that never expires unless a lifetime is named', async () => {
    for (const body of [undefined, {}, { ttl_seconds: null }]) {
      const answer = await owner.client.call('createToken', { body });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ token: expect.stringMatching(/^csn_api_[A-Za-z0-9_-]{43}$/), expires_at: null });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(await service.client(answer.body.token).ok('session')).toMatchObject({ id: owner.userId });
    }
  });

  it('gives a token with a lifetime, in seconds', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { token, expires_at } = await owner.client.ok('createToken', { body: { ttl_seconds: 3600 } });
    expect(expires_at).toBeGreaterThanOrEqual(before + 3600);
    expect(expires_at).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3600);
    await service.client(token).ok('session');
    const hash = createHash('sha256').update(token).digest();
    service.sql.prepare('UPDATE api_tokens SET expires_at = ? WHERE token_hash = ?').run(Date.now(), hash);
    expectError(await service.client(token).call('session'), 'UNAUTHORIZED');
  });

  it('acts with the present role of its user', async () => {
    const account = await service.signUp('demoted');
    const { token } = await account.client.ok('createToken', { body: {} });
    await registerAgent({ ...account, client: service.client(token) });
    service.setRole(account, 'readonly_investigator');
    const body = { agent_id: 'late', keys: [] };
    expectError(await service.client(token).call('registerAgent', { body }), 'FORBIDDEN');
    await service.client(token).ok('listAgents');
  });

  it('is issued to a session only', async () => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    expectError(await service.client(token).call('createToken', { body: {} }), 'FORBIDDEN');
  });

  it.each([0, -1, 1.5, '60', true, 315_360_001])('refuses ttl_seconds %j', async (ttl_seconds) => {
    const before = service.trace();
    expectError(await owner.client.call('createToken', { body: { ttl_seconds } }), 'VALIDATION_ERROR', 'ttl_seconds');
    expect(service.trace()).toEqual(before);
  });

  it('refuses an unknown member', async () => {
    expectError(await owner.client.call('createToken', { body: { ttl: 60 } }), 'VALIDATION_ERROR', 'ttl');
  });

  it('is recorded in the administrative log, the token itself nowhere', async () => {
    const { token } = await owner.client.ok('createToken', { body: { ttl_seconds: 60 } });
    const event = service.sql
      .prepare('SELECT * FROM admin_events WHERE org_id = ? ORDER BY event_no DESC')
      .get(owner.orgId);
    expect(event).toMatchObject({ action: 'token.create', actor: owner.userId, details: '{"ttl_seconds":60}' });
    expect(JSON.stringify(event)).not.toContain(token);
  });
});
