// Anybody can sign up with somebody else's address: nobody verifies it then. When its owner comes, with a provider or an
// invitation, nothing that was laid out beforehand may open the account any more.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../src/api/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError } from '../support/client.ts';
import { startGithubProvider } from '../support/github-provider.ts';
import { comeBack, consent, refusalOf, sessionToken, signInAt } from '../support/oauth-client.ts';
import { providerSettings, register } from '../support/oauth-service.ts';
import { startOidcProvider } from '../support/oidc-provider.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';

const [google, github] = [await startOidcProvider(), await startGithubProvider()];
atEnd(() => google.close());
atEnd(() => github.close());
const service = await TestService.start(providerSettings(google, github));
register(service, google, github);
const owner = await service.signUp();

const PASSWORD = 'the password of the attacker';
const newAddress = (): string => `victim-${randomUUID()}@example.org`;

/** Whoever has an address at the provider, which has verified it. */
function isAtGoogle(email: string): void {
  google.person = { sub: randomUUID(), email, email_verified: true, name: 'The owner of the address' };
}

interface Planted {
  readonly email: string;
  readonly userId: string;
  readonly session: string;
}

/** An account with somebody else's address, and a session of it that the attacker keeps. */
async function plant(email = newAddress()): Promise<Planted> {
  const body = { email, password: PASSWORD, name: 'Attacker', org_name: 'Bait' };
  const { token, user } = await service.client().ok('signUp', { body });
  return { email, userId: user.id, session: token };
}

/** The same, without an organization: the attacker has made another owner, and left. */
async function plantAndLeave(email = newAddress()): Promise<Planted> {
  const planted = await plant(email);
  const { orgId } = await service.client(planted.session).ok('session');
  service.addUser({ orgId: orgId ?? '', role: 'org_owner' });
  await service.client(planted.session).ok('removeMember', { params: { user_id: planted.userId } });
  return planted;
}

async function invite(email: string): Promise<string> {
  return (await owner.client.ok('invite', { body: { email, role: 'org_owner' } })).code;
}

/** What the attacker has laid out opens nothing. */
async function expectShutOut({ email, session }: Planted, apiToken?: string): Promise<void> {
  expectError(await service.client(session).call('session'), 'UNAUTHORIZED');
  expectError(await service.client().call('signIn', { body: { email, password: PASSWORD } }), 'UNAUTHORIZED');
  if (apiToken !== undefined) expectError(await service.client(apiToken).call('session'), 'UNAUTHORIZED');
}

async function signedInWith(provider: Provider): Promise<Account['client']> {
  const token = sessionToken(await signInAt(service.url, provider));
  if (token === null) throw new Error('nobody is signed in');
  return service.client(token);
}

describe('an account that was planted before its owner signs in with a provider', () => {
  it('is of no use to the attacker when the owner joins an organization', async () => {
    const planted = await plantAndLeave();
    const { token } = await service.client(planted.session).ok('createToken', { body: {} });
    const code = await invite(planted.email);
    isAtGoogle(planted.email);
    const victim = await signedInWith('google');
    await victim.ok('acceptInvitation', { body: { code } });
    expect(await victim.ok('session')).toMatchObject({ orgId: owner.orgId, role: 'org_owner' });
    await expectShutOut(planted, token);
  });

  it('loses the sessions, tokens and the password with the linking, which is recorded', async () => {
    const planted = await plant();
    const attacker = service.client(planted.session);
    const { token } = await attacker.ok('createToken', { body: {} });
    isAtGoogle(planted.email);
    const victim = await signedInWith('google');
    expect(await victim.ok('session')).toMatchObject({ id: planted.userId });
    await expectShutOut(planted, token);
    const { userId } = planted;
    const [verified] = await eventsOf({ client: victim } as Account, 'account.verify_address');
    expect(verified).toMatchObject({
      actor: userId,
      target_id: userId,
      details: { proof: 'google', sessions_ended: 1, tokens_revoked: 1, password_ended: true },
    });
    expect((await eventsOf({ client: victim } as Account, 'account.link'))[0]?.details).toEqual({ provider: 'google' });
  });

  it('does not keep the owner out by an identity that was linked to it', async () => {
    const planted = await plant();
    service.sql
      .prepare('INSERT INTO oauth_identities (provider, subject, user_id, created_at) VALUES (?, ?, ?, ?)')
      .run('google', randomUUID(), planted.userId, Date.now());
    isAtGoogle(planted.email);
    expect(await (await signedInWith('google')).ok('session')).toMatchObject({ id: planted.userId });
    await expectShutOut(planted);
  });
});

describe('an account with a verified address and a password', () => {
  /** Somebody who joined by an invitation. */
  async function member(): Promise<{ email: string; password: string; token: string; id: string }> {
    const [email, password] = [newAddress(), 'a password of their own'];
    const { code } = await owner.client.ok('invite', { body: { email, role: 'readonly_investigator' } });
    const body = { code, name: 'Grace', password };
    const { token = '', user } = (await service.client().call('acceptInvitation', { body })).body;
    return { email, password, token, id: user.id };
  }

  it('is not opened by a provider that says the same address', async () => {
    const { email, password, token } = await member();
    isAtGoogle(email);
    const refused = await signInAt(service.url, 'google');
    expect(sessionToken(refused)).toBeNull();
    expect(await refusalOf(refused)).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('password'),
    });
    await service.client(token).ok('session');
    await service.client().ok('signIn', { body: { email, password } });
  });

  it('is linked where the sign-in at the provider is begun in a session of it, and keeps the password', async () => {
    const { email, password, token, id } = await member();
    isAtGoogle(email);
    const answer = await service.client(token).call('signInSocial', { body: { provider: 'google', callbackURL: '/' } });
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const begun = { url: new URL(answer.body.url), cookie, setCookie: '' };
    const response = await comeBack(await consent(begun), { Cookie: cookie });
    expect(await service.client(sessionToken(response) ?? '').ok('session')).toMatchObject({ id });
    await service.client(token).ok('session');
    await service.client().ok('signIn', { body: { email, password } });
    expect(await (await signedInWith('google')).ok('session')).toMatchObject({ id });
  });

  it('is not linked from the session of somebody else', async () => {
    const [{ email }, other] = [await member(), await member()];
    isAtGoogle(email);
    const answer = await service
      .client(other.token)
      .call('signInSocial', { body: { provider: 'google', callbackURL: '/' } });
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const response = await comeBack(await consent({ url: new URL(answer.body.url), cookie, setCookie: '' }), {
      Cookie: cookie,
    });
    expect(sessionToken(response)).toBeNull();
    expect((await refusalOf(response)).code).toBe('UNAUTHORIZED');
  });
});

it('does not give the home organization to whoever has the address that its owner typed', async () => {
  isAtGoogle(owner.email);
  expect((await refusalOf(await signInAt(service.url, 'google'))).code).toBe('UNAUTHORIZED');
  await owner.client.ok('getSettings');
  await service.client().ok('signIn', { body: { email: owner.email, password: owner.password } });
});

describe('an address that somebody else signed up with', () => {
  it('can be invited all the same: the code takes the account over and shuts its maker out', async () => {
    const planted = await plantAndLeave();
    const { token } = await service.client(planted.session).ok('createToken', { body: {} });
    const code = await invite(planted.email);
    const body = { code, name: 'Grace', password: 'a password of their own' };
    const joined = await service.client().call('acceptInvitation', { body });
    expect(joined.status).toBe(201);
    expect(joined.body.user).toMatchObject({ id: planted.userId, orgId: owner.orgId, role: 'org_owner' });
    await expectShutOut(planted, token);
    const { email } = planted;
    await service.client().ok('signIn', { body: { email, password: body.password } });
    const events = await eventsOf(owner, 'member.join');
    expect(events[0]?.target_id).toBe(planted.userId);
  });

  it('keeps to whoever accepts in a session of the account, and ends the others', async () => {
    const { email, session, userId } = await plantAndLeave();
    const { token } = await service.client(session).ok('createToken', { body: {} });
    const { token: second } = await service.client().ok('signIn', { body: { email, password: PASSWORD } });
    const code = await invite(email);
    await service.client(second).ok('acceptInvitation', { body: { code } });
    expect(await service.client(second).ok('session')).toMatchObject({ id: userId, orgId: owner.orgId });
    expectError(await service.client(session).call('session'), 'UNAUTHORIZED');
    expectError(await service.client(token).call('session'), 'UNAUTHORIZED');
  });

  it('is not taken over with a code where the account is verified, or has an organization', async () => {
    const { email, session } = await plant();
    const body = { code: await invite(email), name: 'Grace', password: 'a password of their own' };
    expectError(await service.client().call('acceptInvitation', { body }), 'UNAUTHORIZED');
    await service.client(session).ok('session');
    isAtGoogle(newAddress());
    const known = await (await signedInWith('google')).ok('session');
    const second = { ...body, code: await invite(known.email) };
    expectError(await service.client().call('acceptInvitation', { body: second }), 'UNAUTHORIZED');
  });
});
