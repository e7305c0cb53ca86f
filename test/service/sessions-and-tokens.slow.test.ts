// docs/interface.md, Authentication. Sign-up, sign-in and the issuing of tokens have their own tests in session.slow.test.ts.
import { describe, expect, it } from 'vitest';
import { expectError, send } from '../support/client.ts';
import { type Account, eventsOf, registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();

const cookieOf = (headers: { readonly 'set-cookie'?: string[] | undefined }): string =>
  (headers['set-cookie'] ?? []).join();

/** A further session of the owner. */
async function newSession(): Promise<Account> {
  const { token } = await owner.client.ok('signIn', { body: { email: owner.email, password: owner.password } });
  return { ...owner, client: service.client(token) };
}

async function newToken(ttl_seconds: number | null = null, { client }: Account = owner) {
  const issued = await client.ok('createToken', { body: { ttl_seconds } });
  return { ...issued, client: service.client(issued.token) };
}

describe('POST /api/auth/sign-out', () => {
  it('ends the session at once, this one alone, and takes the cookie away', async () => {
    const [one, other] = [await newSession(), await newSession()];
    const answer = await one.client.call('signOut');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect(cookieOf(answer.headers)).toMatch(
      /^countersign_session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expectError(await one.client.call('session'), 'UNAUTHORIZED');
    expectError(await one.client.call('signOut'), 'UNAUTHORIZED');
    await other.client.ok('session');
  });

  it("leaves the user's API tokens alone", async () => {
    const { client } = await newToken();
    await (await newSession()).client.ok('signOut');
    await client.ok('session');
  });

  it('works with the cookie, from a page of the service only', async () => {
    const { client } = await newSession();
    const request = { method: 'POST', path: '/api/auth/sign-out' };
    const cookie = `countersign_session=${client.token}`;
    expectError(await send(service.url, { ...request, headers: { cookie } }), 'FORBIDDEN');
    const headers = { cookie, origin: service.url };
    expect((await send(service.url, { ...request, headers })).status).toBe(200);
    expectError(await send(service.url, { ...request, headers }), 'UNAUTHORIZED');
  });

  it('works with the cookie behind a proxy, from a page at the public address', async () => {
    const other = await TestService.start({ publicUrl: 'https://audit.example/countersign' });
    const { client } = other.addUser(null);
    const from = (origin: string) => {
      const headers = { cookie: `countersign_session=${client.token}`, host: 'audit.example', origin };
      return other.client().call('signOut', { headers });
    };
    expectError(await from('https://audit.example.org'), 'FORBIDDEN');
    expectError(await from('http://127.0.0.1'), 'FORBIDDEN');
    expect((await from('https://audit.example')).status).toBe(200);
  });

  it('is nothing for an API token', async () => {
    const { client } = await newToken();
    expectError(await client.call('signOut'), 'FORBIDDEN');
    await client.ok('session');
  });
});

describe('POST /api/auth/session/refresh', () => {
  it('gives a new session: the old token is dead, the cookie replaced, seven days begin again', async () => {
    const { client } = await newSession();
    const before = Date.now();
    const answer = await client.call('refreshSession');
    expect(answer.status).toBe(200);
    const { token } = answer.body;
    expect(token).toMatch(/^csn_sess_[\w-]{43}$/);
    expect(token).not.toBe(client.token);
    expect(cookieOf(answer.headers)).toBe(
      `countersign_session=${token}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
    expectError(await client.call('session'), 'UNAUTHORIZED');
    expect((await service.client(token).ok('session')).id).toBe(owner.userId);
    const newest = service.sql.prepare('SELECT max(expires_at) FROM sessions WHERE user_id = ?').pluck();
    const left = Number(newest.get(owner.userId)) - 7 * 86_400_000;
    expect(left).toBeGreaterThanOrEqual(before);
    expect(left).toBeLessThanOrEqual(Date.now());
  });

  it('of one session many times at once leaves one session', async () => {
    const { client } = await newSession();
    const count = (): unknown =>
      service.sql.prepare('SELECT count(*) FROM sessions WHERE user_id = ?').pluck().get(owner.userId);
    const before = count();
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.call('refreshSession')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(count()).toBe(before);
  });

  it('is nothing for an API token', async () => {
    const { client } = await newToken();
    expectError(await client.call('refreshSession'), 'FORBIDDEN');
    await client.ok('session');
  });
});

describe('GET /v1/auth/tokens', () => {
  it("lists the caller's tokens, newest first, without what they are", async () => {
    const account = service.addMember(owner, 'readonly_investigator');
    expect(await account.client.ok('listTokens')).toEqual({ tokens: [] });
    const issued = [await newToken(60, account), await newToken(null, account), await newToken(7200, account)];
    // Within one second their order is not to be seen: a second apart.
    service.sql
      .prepare(
        `UPDATE api_tokens SET created_at = created_at - CASE ttl_seconds WHEN 60 THEN 9000 WHEN 7200 THEN 0 ELSE 5000 END
         WHERE user_id = ?`,
      )
      .run(account.userId);
    const { tokens } = await account.client.ok('listTokens');
    expect(tokens.map(({ ttl_seconds }) => ttl_seconds)).toEqual([7200, null, 60]);
    expect(tokens.map(({ expires_at }) => expires_at)).toEqual([2, 1, 0].map((index) => issued[index]?.expires_at));
    for (const { created_at } of tokens) expect(Math.abs(created_at - Date.now() / 1000)).toBeLessThan(60);
    expect(JSON.stringify(tokens)).not.toMatch(/csn_api_|hash/);
  });

  it('leaves out what has expired, and what belongs to others', async () => {
    const account = service.addMember(owner, 'org_owner');
    await newToken(60, account);
    service.sql.prepare('UPDATE api_tokens SET expires_at = ? WHERE user_id = ?').run(Date.now() - 1, account.userId);
    await newToken();
    expect(await account.client.ok('listTokens')).toEqual({ tokens: [] });
  });
});

describe('DELETE /v1/auth/tokens/:token_id', () => {
  it('revokes a token at once', async () => {
    const account = service.addMember(owner, 'security_admin');
    const [doomed, other] = [await newToken(3600, account), await newToken(null, account)];
    const { tokens } = await account.client.ok('listTokens');
    const token_id = tokens.find(({ ttl_seconds }) => ttl_seconds === 3600)?.id ?? '';
    expect(await account.client.ok('revokeToken', { params: { token_id } })).toEqual({ success: true });
    expectError(await doomed.client.call('session'), 'UNAUTHORIZED');
    await other.client.ok('session');
    expect((await account.client.ok('listTokens')).tokens).toHaveLength(1);
    expectError(await account.client.call('revokeToken', { params: { token_id } }), 'NOT_FOUND');
    const [event] = await eventsOf(owner, 'token.revoke');
    expect(event).toMatchObject({ actor: account.userId, target_id: token_id, details: { ttl_seconds: 3600 } });
  });

  it('may revoke the very token that asks', async () => {
    const { client } = await newToken();
    const newest = service.sql.prepare('SELECT token_id FROM api_tokens ORDER BY rowid DESC').pluck().get();
    await client.ok('revokeToken', { params: { token_id: String(newest) } });
    expectError(await client.call('session'), 'UNAUTHORIZED');
  });

  it("knows nobody else's tokens, not even for an owner of the same organization", async () => {
    const account = service.addMember(owner, 'readonly_investigator');
    const { client } = await newToken(null, account);
    const token_id = (await account.client.ok('listTokens')).tokens[0]?.id ?? '';
    const before = service.trace();
    expectError(await owner.client.call('revokeToken', { params: { token_id } }), 'NOT_FOUND');
    expect(service.trace()).toEqual(before);
    await client.ok('session');
  });
});

describe('POST /v1/auth/rotate', () => {
  it.each([3600, null])('replaces the token by one that ends when the first was to end: %j', async (ttl_seconds) => {
    const old = await newToken(ttl_seconds);
    // As if it had been issued a while ago.
    service.sql.prepare('UPDATE api_tokens SET created_at = created_at - 1e6, expires_at = expires_at - 1e6').run();
    const answer = await old.client.call('rotateToken');
    expect(answer.status).toBe(201);
    const { token, expires_at } = answer.body;
    expect(Object.keys(answer.body)).toEqual(['token', 'expires_at']);
    expect(token).toMatch(/^csn_api_[\w-]{43}$/);
    expect(token).not.toBe(old.token);
    expect(expires_at).toBe(ttl_seconds === null ? null : (old.expires_at ?? 0) - 1000);
    expectError(await old.client.call('session'), 'UNAUTHORIZED');
    expectError(await old.client.call('rotateToken'), 'UNAUTHORIZED');
    await service.client(token).ok('session');
  });

  it('never gives a token more time, however often it is asked', async () => {
    const { expires_at, ...first } = await newToken(5);
    let { client } = first;
    for (let n = 0; n < 3; n++) {
      service.sql.prepare('UPDATE api_tokens SET created_at = created_at - 1000 WHERE ttl_seconds = 5').run();
      const next = await client.ok('rotateToken');
      expect(next.expires_at).toBe(expires_at);
      client = service.client(next.token);
    }
  });

  it('keeps name, scope and agent', async () => {
    const { agentId: agent_id } = await registerAgent(owner);
    const terms = { name: 'CI of billing', scope: 'submit', agent_id };
    const old = await owner.client.ok('createToken', { body: { ttl_seconds: 3600, ...terms } });
    const next = await service.client(old.token).ok('rotateToken');
    expect(next).toEqual({ ...old, token: next.token });
    expectError(await service.client(next.token).call('session'), 'FORBIDDEN');
    const { tokens } = await owner.client.ok('listTokens');
    expect(tokens.filter((row) => row.agent_id === agent_id)).toMatchObject([terms]);
  });

  it('leaves one token where it is asked many times at once', async () => {
    const { client } = await newToken(77);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.call('rotateToken')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'UNAUTHORIZED');
    const { tokens } = await owner.client.ok('listTokens');
    expect(tokens.filter(({ ttl_seconds }) => ttl_seconds === 77)).toHaveLength(1);
  });

  it('is nothing for a session', async () => {
    const before = service.trace();
    expectError(await owner.client.call('rotateToken'), 'FORBIDDEN', 'API token');
    expect(service.trace()).toEqual(before);
  });

  it('is recorded: the old one revoked, a new one created', async () => {
    const { client } = await newToken(99);
    await client.ok('rotateToken');
    const [created, revoked] = await eventsOf(owner);
    expect(created).toMatchObject({ action: 'token.create', actor: owner.userId, details: { ttl_seconds: 99 } });
    expect(revoked).toMatchObject({ action: 'token.revoke', actor: owner.userId, details: { ttl_seconds: 99 } });
    expect(created?.target_id).not.toBe(revoked?.target_id);
  });
});

describe('a token with terms', () => {
  it('is issued, listed and recorded with them', async () => {
    const { agentId: agent_id } = await registerAgent(owner);
    const terms = { name: 'Billing, 東京', scope: 'submit', agent_id };
    const issued = await owner.client.call('createToken', { body: terms });
    expect(issued.status).toBe(201);
    expect(issued.body).toEqual({ token: expect.stringMatching(/^csn_api_/), expires_at: null, ...terms });
    const [row] = (await owner.client.ok('listTokens')).tokens;
    expect(row).toMatchObject({ ...terms, last_used_at: null, last_used_from: null });
    const [event] = await eventsOf(owner, 'token.create');
    expect(event?.details).toEqual({ ttl_seconds: null, ...terms });
  });

  it('without them is what it was: two members in the answer, one in the log', async () => {
    const issued = await owner.client.ok('createToken', { body: { ttl_seconds: 60 } });
    expect(Object.keys(issued)).toEqual(['token', 'expires_at']);
    const [event] = await eventsOf(owner, 'token.create');
    expect(event?.details).toEqual({ ttl_seconds: 60 });
    expect((await owner.client.ok('listTokens')).tokens[0]).toMatchObject({
      name: null,
      scope: 'full',
      agent_id: null,
    });
  });

  it('tells from where it was used last', async () => {
    const account = service.addMember(owner, 'org_owner');
    const { client } = await newToken(null, account);
    await client.ok('session');
    await until('the use to be noted', async () => {
      const [row] = (await account.client.ok('listTokens')).tokens;
      return row?.last_used_at != null && /127\.0\.0\.1$/.test(row.last_used_from ?? '');
    });
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(129) }],
    ['name', { name: null }],
    ['scope', { scope: 'read' }],
    ['agent_id', { scope: 'submit' }],
    ['agent_id', { agent_id: 'billing-bot' }],
    ['agent_id', { scope: 'full', agent_id: 'billing-bot' }],
    ['agent_id', { scope: 'submit', agent_id: '../x' }],
    ['agent_id', { scope: 'submit', agent_id: 'x'.repeat(129) }],
  ])('is refused where %s is not as it should be: %j', async (member, body) => {
    const before = service.trace();
    expectError(await owner.client.call('createToken', { body }), 'VALIDATION_ERROR', member);
    expect(service.trace()).toEqual(before);
  });

  it('is refused for an agent that the organization does not have, or has deleted', async () => {
    const stranger = await service.signUp('stranger');
    const foreign = await registerAgent(stranger);
    const deleted = await registerAgent(owner);
    await owner.client.ok('deleteAgent', { params: { agent_id: deleted.agentId } });
    for (const agent_id of [foreign.agentId, deleted.agentId, 'nobody']) {
      expectError(await owner.client.call('createToken', { body: { scope: 'submit', agent_id } }), 'NOT_FOUND');
    }
  });

  it('is refused to whoever could not submit themself', async () => {
    const { agentId: agent_id } = await registerAgent(owner);
    const body = { scope: 'submit', agent_id };
    for (const account of [service.addMember(owner, 'readonly_investigator'), service.addUser(null)]) {
      expectError(await account.client.call('createToken', { body }), 'FORBIDDEN', 'scope');
    }
  });
});

describe('the tokens of an organization', () => {
  it('are listed for its administrators, with whose they are, and those of no other', async () => {
    const other = await service.signUp('other');
    const member = service.addMember(other, 'integration_engineer');
    const admin = service.addMember(other, 'security_admin');
    await newToken(60, member);
    await newToken();
    const { tokens } = await admin.client.ok('listOrganizationTokens');
    expect(tokens).toMatchObject([{ user_id: member.userId, email: member.email, ttl_seconds: 60 }]);
    expectError(await member.client.call('listOrganizationTokens'), 'FORBIDDEN');
  });

  it('are revoked by an administrator, which is recorded; those of another organization are not there', async () => {
    const other = await service.signUp('other');
    const member = service.addMember(other, 'integration_engineer');
    const { client } = await newToken(null, member);
    const token_id = (await member.client.ok('listTokens')).tokens[0]?.id ?? '';
    expectError(await owner.client.call('revokeOrganizationToken', { params: { token_id } }), 'NOT_FOUND');
    await client.ok('session');
    await other.client.ok('revokeOrganizationToken', { params: { token_id } });
    expectError(await client.call('session'), 'UNAUTHORIZED');
    const [event] = await eventsOf(other, 'token.revoke');
    expect(event).toMatchObject({ actor: other.userId, target_id: token_id });
  });
});

describe('a credential that has expired', () => {
  it('an API token, to the millisecond', async () => {
    const account = service.addMember(owner, 'org_owner');
    const { client } = await newToken(60, account);
    await client.ok('session');
    const expire = service.sql.prepare('UPDATE api_tokens SET expires_at = ? WHERE user_id = ?');
    expire.run(Date.now(), account.userId);
    expectError(await client.call('session'), 'UNAUTHORIZED');
    expectError(await client.call('rotateToken'), 'UNAUTHORIZED');
    expectError(await client.call('listAgents'), 'UNAUTHORIZED');
    expire.run(Date.now() + 60_000, account.userId);
    await client.ok('session');
  });

  it('a session, as bearer and as cookie; it cannot be refreshed', async () => {
    const { client, userId } = service.addMember(owner, 'org_owner');
    service.sql.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?').run(Date.now(), userId);
    expectError(await client.call('session'), 'UNAUTHORIZED');
    expectError(await client.call('refreshSession'), 'UNAUTHORIZED');
    const headers = { cookie: `countersign_session=${client.token}` };
    expectError(await send(service.url, { path: '/api/auth/session', headers }), 'UNAUTHORIZED');
  });
});

describe('an API token', () => {
  it("acts with its user's present role, up and down", async () => {
    const account = service.addMember(owner, 'readonly_investigator');
    const { client } = await newToken(null, account);
    const act = { ...account, client };
    expect((await client.ok('session')).role).toBe('readonly_investigator');
    await expect(registerAgent(act)).rejects.toThrow('FORBIDDEN');
    const change = { params: { user_id: account.userId } };
    await owner.client.ok('changeRole', { ...change, body: { role: 'integration_engineer' } });
    await registerAgent(act);
    await owner.client.ok('changeRole', { ...change, body: { role: 'readonly_investigator' } });
    await expect(registerAgent(act)).rejects.toThrow('FORBIDDEN');
  });

  it('issues no further token', async () => {
    const { client } = await newToken();
    const before = service.trace();
    expectError(await client.call('createToken', { body: {} }), 'FORBIDDEN');
    expect(service.trace()).toEqual(before);
  });

  it('is recorded nowhere where its user has no organization, and works', async () => {
    const nobody = service.addUser(null);
    const { client } = await newToken(null, nobody);
    expect(await client.ok('session')).toMatchObject({ id: nobody.userId, orgId: null, role: null });
    expect((await client.ok('listTokens')).tokens).toHaveLength(1);
    await client.ok('rotateToken');
  });
});
