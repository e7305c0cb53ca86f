// Passkeys as WebAuthn Level 3 has them (§7.1, §7.2), and what somebody may try with answers that are not theirs.
import { describe, expect, it } from 'vitest';
import { OnceOnly } from '../../src/service/people/identity/once-only.ts';
import { relyingPartyOf } from '../../src/service/people/identity/passkeys/relying-party.ts';
import { Authenticator, type Lies } from '../support/authenticator.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';

const service = await TestService.start();
const ORIGIN = service.url.replace('127.0.0.1', 'localhost');

async function addPasskey({ client }: Account, use: 'second_step' | 'alone', lies: Lies = {}) {
  const authenticator = new Authenticator(ORIGIN);
  const { options } = await client.ok('passkeyCreation');
  const response = authenticator.create(options, lies);
  const answer = await client.call('addPasskey', { body: { name: 'Key on my ring', use, response } });
  return { authenticator, options, answer };
}

async function optionsFor(step?: string) {
  return (await service.client().ok('passkeyOptions', { body: { step } })).options;
}

/** The step of a sign-in with the right password. */
async function passwordStep({ email, password }: Account): Promise<string> {
  const answer = await service.client().call('signIn', { body: { email, password } });
  return expectError(answer, 'SECOND_STEP_REQUIRED').step ?? '';
}

const tryToSignIn = (response: object, step?: string) =>
  service.client().call('passkeySignIn', { body: { step, response } });

describe('a page within a page of another site', () => {
  it('neither adds a passkey nor signs in with one', async () => {
    const account = await service.signUp('framed');
    const { answer } = await addPasskey(account, 'alone', { crossOrigin: true });
    expectError(answer, 'UNAUTHORIZED');
    const { authenticator } = await addPasskey(account, 'alone');
    const framed = authenticator.sign(await optionsFor(), { crossOrigin: true });
    expectError(await tryToSignIn(framed), 'UNAUTHORIZED');
    expect((await tryToSignIn(authenticator.sign(await optionsFor()))).status).toBe(200);
  });
});

describe('a passkey that signs in alone', async () => {
  const account = await service.signUp('alone');
  const { authenticator } = await addPasskey(account, 'alone');

  it('gives a session, and leaves the sign-in with the password as it was', async () => {
    const { token } = await service.client().ok('passkeySignIn', {
      body: { response: authenticator.sign(await optionsFor()) },
    });
    expect((await service.client(token).ok('session')).id).toBe(account.userId);
    const { email, password } = account;
    await service.client().ok('signIn', { body: { email, password } });
  });

  it('is asked for by options that name nobody', async () => {
    expect(await optionsFor()).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
  });

  it('answers a challenge once', async () => {
    const response = authenticator.sign(await optionsFor());
    expect((await tryToSignIn(response)).status).toBe(200);
    expectError(await tryToSignIn(response), 'UNAUTHORIZED');
  });

  it.each<[string, Lies]>([
    ['the page of another port', { origin: 'http://localhost:1' }],
    ['a page elsewhere', { origin: 'https://evil.example', rpId: 'evil.example' }],
    ['an authenticator that did not verify its user', { flags: 0x01 }],
    ['an authenticator that nobody touched', { flags: 0x00 }],
    ['a challenge of somebody else', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['an authenticator whose counter went back', { counter: 0 }],
  ])('is refused from %s', async (_, lies) => {
    expectError(await tryToSignIn(authenticator.sign(await optionsFor(), lies)), 'UNAUTHORIZED');
  });

  it('is refused with the signature of another key, and where nobody knows it', async () => {
    const other = new Authenticator(ORIGIN);
    const forged = { ...other.sign(await optionsFor()), id: authenticator.id, rawId: authenticator.id };
    expectError(await tryToSignIn(forged), 'UNAUTHORIZED');
    expectError(await tryToSignIn(other.sign(await optionsFor())), 'UNAUTHORIZED');
  });

  it.each<[string, object]>([
    ['response', {}],
    ['response', { response: {} }],
    [
      'response.id',
      { response: { id: 'ä', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} } },
    ],
  ])('is refused where %s is not as it should be', async (member, body) => {
    expectError(await service.client().call('passkeySignIn', { body }), 'VALIDATION_ERROR', member);
  });

  it('is refused where the client data is no JSON', async () => {
    const response = authenticator.sign(await optionsFor());
    response.response['clientDataJSON'] = Buffer.from('{').toString('base64url');
    expectError(await tryToSignIn(response), 'UNAUTHORIZED');
  });

  it('is no second step, nor a proof, for a challenge that was given out for another purpose', async () => {
    const { options } = await account.client.ok('freshOptions');
    expectError(await tryToSignIn(authenticator.sign(options)), 'UNAUTHORIZED');
    const response = authenticator.sign(await optionsFor());
    expectError(await account.client.call('fresh', { body: { response } }), 'UNAUTHORIZED');
  });
});

describe('a passkey as second step', async () => {
  const account = await service.signUp('second');
  const { authenticator, answer: added } = await addPasskey(account, 'second_step');

  it('is asked for after the right password, and no session is begun before', async () => {
    const count = (): unknown => service.sql.prepare('SELECT count(*) FROM sessions').pluck().get();
    const before = count();
    const step = await passwordStep(account);
    expect(count()).toBe(before);
    const options = await optionsFor(step);
    expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.id }] });
    const answer = await tryToSignIn(authenticator.sign(options), step);
    expect(answer.status).toBe(200);
    expectError(await tryToSignIn(authenticator.sign(options), step), 'UNAUTHORIZED');
  });

  it('is not asked for after a wrong password', async () => {
    const body = { email: account.email, password: 'not it' };
    expectError(await service.client().call('signIn', { body }), 'UNAUTHORIZED');
  });

  it('does not sign in without the password', async () => {
    expectError(await tryToSignIn(authenticator.sign(await optionsFor())), 'UNAUTHORIZED');
  });

  it("does not finish somebody else's sign-in", async () => {
    const other = await service.signUp('other');
    const theirs = await addPasskey(other, 'second_step');
    const step = await passwordStep(account);
    expectError(await tryToSignIn(theirs.authenticator.sign(await optionsFor(step)), step), 'UNAUTHORIZED');
    expectError(await service.client().call('passkeyOptions', { body: { step: 'made-up' } }), 'UNAUTHORIZED', 'step');
  });

  it('confirms who somebody is, where the password alone does not', async () => {
    service.sql.prepare('UPDATE sessions SET proved_at = 0 WHERE user_id = ?').run(account.userId);
    const { password } = account;
    expectError(await account.client.call('fresh', { body: { password } }), 'FORBIDDEN', 'passkey');
    const { options } = await account.client.ok('freshOptions');
    await account.client.ok('fresh', { body: { response: authenticator.sign(options) } });
    expect((await account.client.ok('account')).is_fresh).toBe(true);
  });

  it('is renamed and given another use, and then removed; the log has each', async () => {
    const params = { passkey_id: added.body.passkey.id };
    const change = { name: 'Blue key', use: 'alone' };
    const { passkey } = await account.client.ok('changePasskey', { params, body: change });
    expect(passkey).toMatchObject(change);
    const { email, password } = account;
    await service.client().ok('signIn', { body: { email, password } });
    await account.client.ok('removePasskey', { params });
    expect((await account.client.ok('account')).passkeys).toEqual([]);
    expectError(await tryToSignIn(authenticator.sign(await optionsFor())), 'UNAUTHORIZED');
    const actions = (await eventsOf(account)).map(({ action }) => action).slice(0, 3);
    expect(actions).toEqual(['passkey.remove', 'passkey.change', 'passkey.add']);
  });
});

describe('adding a passkey', async () => {
  const account = await service.signUp('adding');

  it.each<[string, Lies]>([
    ['another page', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['an authenticator that did not verify its user', { flags: 0x01 }],
    ['a challenge that was not given out', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ])('is refused from %s', async (_, lies) => {
    const { answer } = await addPasskey(account, 'alone', lies);
    expectError(answer, 'UNAUTHORIZED');
    expect((await account.client.ok('account')).passkeys).toEqual([]);
  });

  it('answers a challenge once, for whoever it was given out to', async () => {
    const { authenticator, options } = await addPasskey(account, 'alone');
    const again = { name: 'Again', use: 'alone', response: authenticator.create(options) };
    expectError(await account.client.call('addPasskey', { body: again }), 'UNAUTHORIZED');
    const other = await service.signUp('stranger');
    const { options: theirs } = await account.client.ok('passkeyCreation');
    const body = { name: 'Mine', use: 'alone', response: new Authenticator(ORIGIN).create(theirs) };
    expectError(await other.client.call('addPasskey', { body }), 'UNAUTHORIZED');
  });

  it('takes no passkey twice, and none of somebody else is there to change or remove', async () => {
    const { authenticator, answer } = await addPasskey(account, 'alone');
    const { options } = await account.client.ok('passkeyCreation');
    const body = { name: 'Twice', use: 'alone', response: authenticator.create(options) };
    expectError(await account.client.call('addPasskey', { body }), 'CONFLICT');
    const other = await service.signUp('stranger');
    const params = { passkey_id: answer.body.passkey.id };
    expectError(await other.client.call('removePasskey', { params }), 'NOT_FOUND');
    expectError(await other.client.call('changePasskey', { params, body: { name: 'Mine' } }), 'NOT_FOUND');
  });
});

describe('the domain of passkeys', () => {
  it.each<[string, string | null, string | null]>([
    ['http://127.0.0.1:8787', 'http://localhost:8787', 'localhost'],
    ['http://[::1]:8787', 'http://localhost:8787', 'localhost'],
    ['http://localhost:8787', 'http://localhost:8787', 'localhost'],
    ['https://audit.example/countersign', 'https://audit.example', 'audit.example'],
    ['https://192.0.2.7', null, null],
  ])('of a service at %s', (url, origin, rpId) => {
    expect(relyingPartyOf(url)).toEqual(origin === null ? null : { origin, rpId });
  });

  it('is missing where there is an IP address only: NOT_CONFIGURED, and the account says so', async () => {
    const other = await TestService.start({ publicUrl: 'https://192.0.2.7' });
    const account = await other.signUp();
    expect((await account.client.ok('account')).passkeys_at).toBeNull();
    expectError(await account.client.call('passkeyCreation'), 'NOT_CONFIGURED');
    expectError(await other.client().call('passkeyOptions', { body: {} }), 'NOT_CONFIGURED');
  });
});

describe('challenges that are given out', () => {
  it('are kept for others, however many one user asks for, and the newest of that user too', () => {
    const challenges = new OnceOnly<string>(() => 0);
    const owners = challenges.issue('owner', 'owner');
    const many = Array.from({ length: 20_000 }, () => challenges.issue('guest', 'guest'));
    expect(challenges.take(owners)).toBe('owner');
    expect(challenges.take(owners)).toBe(null);
    expect(challenges.take(many.at(-1) ?? '')).toBe('guest');
    expect(challenges.take(many[0] ?? '')).toBe(null);
  });

  it('are bounded where nobody knows who asks: the oldest go', () => {
    const challenges = new OnceOnly<string>(() => 0);
    const many = Array.from({ length: 10_001 }, () => challenges.issue('somebody', null));
    expect(challenges.take(many[0] ?? '')).toBe(null);
    expect(challenges.take(many[1] ?? '')).toBe('somebody');
  });
});
