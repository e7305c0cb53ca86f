// Somebody has a copy of a session: what they can do with it, and how its person gets rid of them.
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { expectError, send } from '../support/client.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;
const service = await TestService.start();
const owner = await service.signUp();

/** A further session of the same person, in somebody else's hands. */
async function stolenFrom({ email, password }: Account) {
  return service.client((await service.client().ok('signIn', { body: { email, password } })).token);
}

/** As if everybody's last proof of who they are were so long ago. */
function ageProofs(milliseconds: number): void {
  service.sql.prepare('UPDATE sessions SET proved_at = ?').run(Date.now() - milliseconds);
}

const FRESH = (Object.entries(ROUTES) as [RouteName, Route][]).filter(([, { fresh }]) => fresh === true);

describe('an act that asks for a fresh sign-in', () => {
  it('is each of those that give the service, its keys or the account away', () => {
    expect(FRESH.map(([name]) => name).toSorted()).toEqual([
      'addDecisionKey',
      'addPasskey',
      'addTrust',
      'beginSweep',
      'changePasskey',
      'changeSettings',
      'confirmClock',
      'correctClock',
      'createBackup',
      'demandWitnesses',
      'mailAddressCode',
      'passkeyCreation',
      'releaseHold',
      'removePasskey',
      'removeTimeRoot',
      'removeTrust',
      'removeTrustedWitness',
      'revokeDecisionKey',
      'rotateServiceKey',
      'setRetentionRules',
      'submitDecision',
      'trustTimeRoots',
      'trustWitness',
      'verifyAddress',
    ]);
  });

  it.each(FRESH)('%s: is refused to a session whose person was last seen ten minutes ago', async (name) => {
    ageProofs(10 * 60_000 + 1);
    const before = service.trace();
    const params = { kid: 'A'.repeat(43), passkey_id: 'none', name: 'none', sha256: 'none' };
    expectError(await owner.client.call(name, { params }), 'FRESH_SIGN_IN_REQUIRED');
    expect(service.trace()).toEqual(before);
  });

  it.each(FRESH)('%s: is refused to an API token, however new', async (name) => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    expectError(await service.client(token).call(name), 'FORBIDDEN', 'session');
  });

  it('is let through once the person has entered the password, and for ten minutes', async () => {
    ageProofs(DAY);
    const change = () => owner.client.call('changeSettings', { body: { settings: { 'epoch-interval': '61' } } });
    expectError(await change(), 'FRESH_SIGN_IN_REQUIRED');
    expectError(await owner.client.call('fresh', { body: { password: 'not it' } }), 'FORBIDDEN', 'password');
    expectError(await change(), 'FRESH_SIGN_IN_REQUIRED');
    await owner.client.ok('fresh', { body: { password: owner.password } });
    expect((await change()).status).toBe(200);
    ageProofs(10 * 60_000 + 1);
    expectError(await change(), 'FRESH_SIGN_IN_REQUIRED');
  });

  it('is not let through by a refresh, which proves nothing of the person', async () => {
    const client = await stolenFrom(owner);
    ageProofs(DAY);
    const next = service.client((await client.ok('refreshSession')).token);
    expectError(await next.call('createBackup'), 'FRESH_SIGN_IN_REQUIRED');
  });

  it('counts guesses of the password as attempts to sign in', async () => {
    const account = await service.signUp('guessed');
    const guess = () => account.client.call('fresh', { body: { password: 'wrong guess' } });
    const codes: string[] = [];
    await until('the guesses to be refused', async () => {
      const { status } = await guess();
      codes.push(String(status));
      return status === 429;
    });
    expect(codes.length).toBeLessThanOrEqual(11);
  });

  it('leaves the routes of everybody alone, however old the proof', async () => {
    ageProofs(DAY);
    for (const name of ['listAgents', 'listMembers', 'createToken', 'getSettings'] as const) {
      expect((await owner.client.call(name, name === 'createToken' ? { body: {} } : {})).status).toBeLessThan(300);
    }
  });
});

describe('a new password', () => {
  it('ends every other session at once, and leaves API tokens where that is not asked for', async () => {
    const account = await service.signUp('careful');
    const thief = await stolenFrom(account);
    const { token } = await account.client.ok('createToken', { body: {} });
    const body = { current_password: account.password, new_password: 'another long one' };
    const answer = await account.client.call('changePassword', { body });
    expect(answer.body).toEqual({ token: expect.stringMatching(/^csn_sess_/), ended_sessions: 1, ended_tokens: 0 });
    expectError(await thief.call('session'), 'UNAUTHORIZED');
    // A copy of the very session that asked is worth nothing either.
    expectError(await account.client.call('session'), 'UNAUTHORIZED');
    const next = service.client(answer.body.token);
    await next.ok('session');
    await service.client(token).ok('session');
    const { email } = account;
    expectError(await service.client().call('signIn', { body: { email, password: account.password } }), 'UNAUTHORIZED');
    await service.client().ok('signIn', { body: { email, password: body.new_password } });
    const [event] = await eventsOf({ ...account, client: next }, 'password.change');
    expect(event).toMatchObject({ actor: account.userId, details: { sessions: 1, tokens: 0 } });
  });

  it('ends the API tokens as well where that is asked for', async () => {
    const account = await service.signUp('thorough');
    const { token } = await account.client.ok('createToken', { body: {} });
    const body = { current_password: account.password, new_password: 'another long one', end_tokens: true };
    expect((await account.client.ok('changePassword', { body })).ended_tokens).toBe(1);
    expectError(await service.client(token).call('session'), 'UNAUTHORIZED');
  });

  it('is refused without the present one, to a session and to a token', async () => {
    const before = service.trace();
    const wrong = { current_password: 'not the one', new_password: 'another long one' };
    expectError(await owner.client.call('changePassword', { body: wrong }), 'FORBIDDEN', 'current_password');
    const none = { new_password: 'another long one' };
    expectError(await owner.client.call('changePassword', { body: none }), 'VALIDATION_ERROR', 'current_password');
    const short = { current_password: owner.password, new_password: '1234567' };
    expectError(await owner.client.call('changePassword', { body: short }), 'VALIDATION_ERROR', 'new_password');
    expect(service.trace()).toEqual(before);
    const { token } = await owner.client.ok('createToken', { body: {} });
    const right = { current_password: owner.password, new_password: 'another long one' };
    expectError(await service.client(token).call('changePassword', { body: right }), 'FORBIDDEN', 'session');
  });

  it('comes in the cookie alone where the session is a cookie', async () => {
    const account = await service.signUp('browser');
    const headers = {
      cookie: `countersign_session=${account.client.token}`,
      origin: service.url,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ current_password: account.password, new_password: 'another long one' });
    const answer = await send(service.url, { method: 'POST', path: '/v1/account/password', headers, body });
    expect(answer.body).toEqual({ ended_sessions: 0, ended_tokens: 0 });
    expect(answer.headers['set-cookie']?.join()).toMatch(/^countersign_session=csn_sess_/);
  });

  it('may be one of the most used ones only where the service allows that', async () => {
    const strict = await TestService.start({ commonPasswords: 'refuse' });
    const account = { email: 'a@example.org', name: 'A', org_name: 'O' };
    for (const password of ['password', 'PassWord1', '12345678']) {
      expectError(
        await strict.client().call('signUp', { body: { ...account, password } }),
        'VALIDATION_ERROR',
        'password',
      );
    }
    const { token } = await strict.client().ok('signUp', { body: { ...account, password: 'correct horse battery' } });
    const change = { current_password: 'correct horse battery', new_password: 'qwertyuiop' };
    expectError(
      await strict.client(token).call('changePassword', { body: change }),
      'VALIDATION_ERROR',
      'new_password',
    );
    // By default the interface takes every password of eight characters.
    await service.client().ok('signUp', { body: { ...account, password: 'password' } });
  });
});

describe('the list of sessions', () => {
  it('shows its person every one, which is this one, from where and by what', async () => {
    const account = await service.signUp('watchful');
    const thief = await stolenFrom(account);
    await thief.call('session', { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
    const [row] = await until('the use to be noted', async () => {
      const { sessions } = await account.client.ok('listSessions');
      return sessions.length === 2 && sessions.some(({ browser }) => browser === 'Firefox')
        ? sessions.filter(({ is_current }) => !is_current)
        : undefined;
    });
    expect(row).toMatchObject({ browser: 'Firefox', is_current: false });
    expect(row?.last_used_from).toMatch(/127\.0\.0\.1$/);
    expect(JSON.stringify(row)).not.toMatch(/csn_sess_/);
  });

  it('ends one of them, or all others; those of somebody else are not there', async () => {
    const account = await service.signUp('ending');
    const [one, two] = [await stolenFrom(account), await stolenFrom(account)];
    const list = async () => (await account.client.ok('listSessions')).sessions;
    const theirs = (await one.ok('listSessions')).sessions.find(({ is_current }) => is_current);
    const params = { session_id: theirs?.id ?? '' };
    expectError(await owner.client.call('endSession', { params }), 'NOT_FOUND');
    await account.client.ok('endSession', { params });
    expectError(await one.call('session'), 'UNAUTHORIZED');
    expect(await account.client.ok('endOtherSessions')).toEqual({ ended_sessions: 1 });
    expectError(await two.call('session'), 'UNAUTHORIZED');
    expect((await list()).map(({ is_current }) => is_current)).toEqual([true]);
    const [event] = await eventsOf(account, 'session.end');
    expect(event).toMatchObject({ actor: account.userId, details: { sessions: 1 } });
  });

  it('is nothing for an API token', async () => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    for (const name of ['account', 'listSessions', 'endSession', 'endOtherSessions', 'freshOptions'] as const) {
      expectError(await service.client(token).call(name), 'FORBIDDEN', 'session');
    }
  });
});

describe('a session that is refreshed again and again', () => {
  it('ends thirty days after its person signed in', async () => {
    const account = await service.signUp('endless');
    const age = (days: number): void => {
      const values = [days * DAY, account.userId];
      service.sql.prepare('UPDATE sessions SET begun_at = begun_at - ? WHERE user_id = ?').run(...values);
    };
    const end = (): number =>
      Number(service.sql.prepare('SELECT expires_at FROM sessions WHERE user_id = ?').pluck().get(account.userId));
    age(26);
    const next = service.client((await account.client.ok('refreshSession')).token);
    const left = (end() - Date.now()) / DAY;
    expect(left).toBeGreaterThan(3.9);
    expect(left).toBeLessThanOrEqual(4);
    age(4);
    // To the millisecond: nothing is left of it.
    const last = await next.call('refreshSession');
    expectError(await service.client(last.body.token).call('session'), 'UNAUTHORIZED');
  });
});
