import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oauthIdentities, oauthStates, users } from '../../src/service/store/schema.ts';
import { Client } from '../support/client.ts';
import { type GithubProvider, startGithubProvider } from '../support/github-provider.ts';
import { serveLocally } from '../support/local-server.ts';
import {
  begin,
  comeBack,
  consent,
  postSocial,
  refusalOf,
  sessionToken,
  signInAt,
  whoIs,
} from '../support/oauth-client.ts';
import { type OauthService, providerSettings, register, startOauthService } from '../support/oauth-service.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';

let google: OidcProvider;
let github: GithubProvider;
let service: OauthService;
let time: number;
const cleanups: (() => Promise<void>)[] = [];

/** Starts another service in place of the present one. */
async function restart(
  given: Parameters<typeof startOauthService>[0] = {},
  options: { signUpIsOpen?: boolean } = {},
): Promise<OauthService> {
  const started = await startOauthService(
    { ...providerSettings(google, github), ...given },
    { now: () => time, ...options },
  );
  cleanups.push(() => started.close());
  register(started, google, github);
  return started;
}

beforeEach(async () => {
  time = Date.now();
  google = await startOidcProvider();
  github = await startGithubProvider();
  cleanups.push(
    () => google.close(),
    () => github.close(),
  );
  service = await restart();
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function userRows() {
  return service.store.db.select().from(users).all();
}

async function signUp(email: string): Promise<string> {
  const body = JSON.stringify({ email, password: 'correct horse', name: 'N', org_name: 'O' });
  const response = await fetch(`${service.url}/api/auth/sign-up/email`, { method: 'POST', body });
  const { user } = (await response.json()) as { user: { id: string } };
  return user.id;
}

describe('sign-in with google', () => {
  test('goes to the provider with PKCE, state and nonce', async () => {
    const { url } = await begin(service.url, 'google');
    const { code_challenge, state, nonce, ...rest } = Object.fromEntries(url.searchParams);
    expect(`${url.origin}${url.pathname}`).toBe(`${google.issuer}/authorize`);
    expect(rest).toEqual({
      client_id: 'google-client',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${service.url}/api/auth/callback/google`,
      code_challenge_method: 'S256',
    });
    for (const random of [code_challenge, state, nonce]) expect(random).toMatch(/^[\w-]{43}$/);
  });

  test('signs a new user in, who has no organization', async () => {
    const response = await signInAt(service.url, 'google', '/welcome?x=1#y');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${service.url}/welcome?x=1#y`);
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^countersign_session=csn_sess_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const who = await whoIs(service.url, sessionToken(response));
    expect(who).toMatchObject({ email: 'ada@example.org', orgId: null, role: null });
    expect(userRows()).toMatchObject([{ name: 'Ada', passwordHash: null }]);
  });

  test('knows the person again, whatever became of the e-mail address', async () => {
    const first = await whoIs(service.url, sessionToken(await signInAt(service.url, 'google')));
    google.person = { sub: 'g-1', email: 'new@example.org', email_verified: false };
    const second = await whoIs(service.url, sessionToken(await signInAt(service.url, 'google')));
    expect(second).toEqual(first);
  });

  test('signs in the user who has the verified e-mail address, in any case of its letters', async () => {
    const userId = await signUp('ADA@example.org');
    const who = await whoIs(service.url, sessionToken(await signInAt(service.url, 'google')));
    expect(who).toMatchObject({ id: userId, role: 'org_owner' });
    expect(service.store.db.select().from(oauthIdentities).all()).toMatchObject([
      { provider: 'google', subject: 'g-1', userId },
    ]);
  });

  test.each([[false], ['true'], [undefined]])(
    'refuses an e-mail address whose email_verified is %j',
    async (verified) => {
      await signUp('ada@example.org');
      google.person = {
        sub: 'g-2',
        email: 'ada@example.org',
        ...(verified === undefined ? {} : { email_verified: verified }),
      };
      const response = await signInAt(service.url, 'google');
      expect(sessionToken(response)).toBeNull();
      expect(await refusalOf(response)).toEqual({
        status: 401,
        code: 'UNAUTHORIZED',
        message: 'google has no verified e-mail address of this account',
      });
      expect(service.store.db.select().from(oauthIdentities).all()).toEqual([]);
      google.person = { ...google.person, email: 'stranger@example.org' };
      expect((await signInAt(service.url, 'google')).status).toBe(401);
      expect(userRows()).toHaveLength(1);
    },
  );

  test('does not open an account to the next person with its e-mail address', async () => {
    await signInAt(service.url, 'google');
    google.person = { ...google.person, sub: 'g-2' };
    const refusal = await refusalOf(await signInAt(service.url, 'google'));
    expect(refusal).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(refusal.message).toContain('another google account');
  });

  test.each([
    [' \u0000A\nda \ud800 ', 'A da \ufffd'],
    ['   ', 'ada@example.org'],
    ['é'.repeat(300), 'é'.repeat(256)],
  ])('keeps a name in the form of names: %j', async (given, kept) => {
    google.person = { ...google.person, name: given };
    expect((await signInAt(service.url, 'google')).status).toBe(302);
    expect(userRows()).toMatchObject([{ name: kept }]);
  });
});

describe('sign-in with github', () => {
  test('goes to the provider with PKCE and state', async () => {
    const { url } = await begin(service.url, 'github');
    const { code_challenge, state, ...rest } = Object.fromEntries(url.searchParams);
    expect(`${url.origin}${url.pathname}`).toBe(`${github.url}/login/oauth/authorize`);
    expect(rest).toEqual({
      client_id: 'github-client',
      response_type: 'code',
      scope: 'read:user user:email',
      redirect_uri: `${service.url}/api/auth/callback/github`,
      code_challenge_method: 'S256',
    });
    for (const random of [code_challenge, state]) expect(random).toMatch(/^[\w-]{43}$/);
  });

  test('signs a new user in by the primary e-mail address', async () => {
    const response = await signInAt(service.url, 'github');
    expect(response.status).toBe(302);
    expect(await whoIs(service.url, sessionToken(response))).toMatchObject({ email: 'grace@example.org', orgId: null });
    expect(service.store.db.select().from(oauthIdentities).all()).toMatchObject([{ subject: '4711' }]);
  });

  test('is the same user as with google under the same verified e-mail address', async () => {
    google.person = { ...google.person, email: 'grace@example.org' };
    const byGoogle = await whoIs(service.url, sessionToken(await signInAt(service.url, 'google')));
    const byGithub = await whoIs(service.url, sessionToken(await signInAt(service.url, 'github')));
    expect(byGithub).toEqual(byGoogle);
  });

  test('calls a person without a name by the login', async () => {
    github.user = { ...github.user, name: null };
    await signInAt(service.url, 'github');
    expect(userRows()).toMatchObject([{ name: 'grace-h' }]);
  });

  test.each([
    ['verified', [{ email: 'grace@example.org', primary: true, verified: false }]],
    ['primary', [{ email: 'grace@example.org', primary: false, verified: true }]],
    ['there', []],
  ])('needs an e-mail address that is %s', async (_, emails) => {
    github.emails = emails;
    expect(await refusalOf(await signInAt(service.url, 'github'))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'github has no verified e-mail address of this account',
    });
    expect(userRows()).toEqual([]);
  });

  test.each([
    ['/api/user', { status: 500, body: { id: 4711, login: 'grace-h' } }],
    ['/api/user', { status: 200, body: 'not JSON' }],
    ['/api/user', { status: 200, body: { id: 'root', login: 'x' } }],
    ['/api/user', { status: 302, headers: { Location: '/api/user/emails' } }],
    ['/api/user/emails', { status: 404, body: {} }],
    ['/login/oauth/access_token', { status: 200, body: { access_token: 'x' } }],
  ])('refuses when %s answers %j', async (path, answer) => {
    github.answers.set(path, answer);
    expect(await refusalOf(await signInAt(service.url, 'github'))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'github did not confirm the sign-in: begin again',
    });
    expect(userRows()).toEqual([]);
  });
});

test('where sign-up is open, further users come in', async () => {
  expect((await signInAt(service.url, 'google')).status).toBe(302);
  expect((await signInAt(service.url, 'github')).status).toBe(302);
  expect(userRows()).toHaveLength(2);
});

describe('where sign-up is closed', () => {
  beforeEach(async () => {
    service = await restart({}, { signUpIsOpen: false });
  });

  test('the first user comes in, and a stranger after that does not', async () => {
    expect((await signInAt(service.url, 'google')).status).toBe(302);
    expect(await refusalOf(await signInAt(service.url, 'github'))).toMatchObject({ code: 'FORBIDDEN' });
    expect(userRows()).toHaveLength(1);
  });

  test.each([
    ['pending', 1, 302],
    ['pending', -1, 403],
    ['revoked', 1, 403],
  ])('an invitation that is %s and expires in %d ms gives %d', async (status, left, expected) => {
    await signInAt(service.url, 'google');
    service.store.sqlite.exec(`
      INSERT INTO organizations (org_id, name, created_at) VALUES ('o', 'O', 0);
      INSERT INTO invitations VALUES ('i', 'o', 'GRACE@example.org', 'org_owner', '${status}', x'00', 'u', 0, ${time + left});
    `);
    expect((await signInAt(service.url, 'github')).status).toBe(expected);
  });
});

describe('what a caller asks for', () => {
  test.each(['google', 'github'])('%s without a client id is not configured', async (provider) => {
    service = await restart({ googleClientId: null, githubClientId: null });
    const expected = { status: 501, code: 'NOT_CONFIGURED', message: `sign-in with ${provider} has no client id` };
    expect(await refusalOf(await postSocial(service.url, provider))).toEqual(expected);
    expect([...google.requests, ...github.requests]).toEqual([]);
  });

  test.each([
    [{}, ['google', 'github']],
    [{ googleClientId: null }, ['github']],
    [{ googleClientId: null, githubClientId: null }, []],
  ])('which providers there are, with %j', async (settings, providers) => {
    service = await restart(settings);
    expect(await new Client(service.url).ok('signInProviders')).toEqual({ providers });
    expect([...google.requests, ...github.requests]).toEqual([]);
  });

  test('a provider that there is not is refused', async () => {
    expect(await refusalOf(await postSocial(service.url, 'gitlab'))).toMatchObject({ code: 'VALIDATION_ERROR' });
    const callback = await comeBack(`${service.url}/api/auth/callback/gitlab?state=s&code=c`, {});
    expect(await refusalOf(callback)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a callbackURL of another site is refused', async () => {
    const refusal = await refusalOf(await postSocial(service.url, 'google', 'https://evil.example/'));
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(refusal.message).toContain('callbackURL');
  });

  test('a public address counts in place of where the service listens', async () => {
    service = await restart({ publicUrl: 'https://audit.example.org' });
    const { url } = await begin(service.url, 'github', 'https://audit.example.org/x');
    expect(url.searchParams.get('redirect_uri')).toBe('https://audit.example.org/api/auth/callback/github');
    const own = await postSocial(service.url, 'github', `${service.url}/x`);
    expect(await refusalOf(own)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a state', () => {
  test('is kept only as its hash, for ten minutes', async () => {
    const { url } = await begin(service.url, 'google');
    const state = url.searchParams.get('state') ?? '';
    const [row] = service.store.db.select().from(oauthStates).all();
    expect(row?.stateHash).toEqual(createHash('sha256').update(state).digest());
    expect(row?.expiresAt).toBe(time + 600_000);
    expect(JSON.stringify(row)).not.toContain(state);
  });

  test('that was never given out is refused', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    callback.searchParams.set('state', 'A'.repeat(43));
    const response = await comeBack(callback, { Cookie: `countersign_sign_in=${'A'.repeat(43)}` });
    expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(google.requests).not.toContain('/token');
  });

  test('that was never given out is refused before anybody is asked anything', async () => {
    const response = await comeBack(`${service.url}/api/auth/callback/google?state=made-up&code=c`, {});
    expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('of another provider is refused', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    callback.pathname = '/api/auth/callback/github';
    expect(await refusalOf(await comeBack(callback, { Cookie: begun.cookie }))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(github.requests).toEqual([]);
  });

  test('that is too old is refused', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    time += 600_000;
    const refusal = await refusalOf(await comeBack(callback, { Cookie: begun.cookie }));
    expect(refusal).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'state: the sign-in has taken too long; begin again',
    });
    expect(google.requests).not.toContain('/token');
  });

  test('that is too old is cleaned away by a later beginning', async () => {
    await begin(service.url, 'google');
    time += 600_000;
    await begin(service.url, 'google');
    expect(service.store.db.select().from(oauthStates).all()).toHaveLength(1);
  });

  test('works once', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    expect((await comeBack(callback, { Cookie: begun.cookie })).status).toBe(302);
    expect(await refusalOf(await comeBack(callback, { Cookie: begun.cookie }))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(google.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  test('works once for callbacks at the same time', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    const answers = await Promise.all([1, 2, 3, 4].map(() => comeBack(callback, { Cookie: begun.cookie })));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 401, 401, 401]);
    expect(google.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  test('is spent by a failed exchange', async () => {
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    const wrong = new URL(callback);
    wrong.searchParams.set('code', 'made-up');
    expect(await refusalOf(await comeBack(wrong, { Cookie: begun.cookie }))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'google did not confirm the sign-in: begin again',
    });
    expect((await comeBack(callback, { Cookie: begun.cookie })).status).toBe(401);
  });
});

describe('what comes back', () => {
  test('denied consent is said, and ends the sign-in', async () => {
    google.codes.refusal = 'access_denied';
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    expect(await refusalOf(await comeBack(callback, { Cookie: begun.cookie }))).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'the sign-in was denied at google: begin again',
    });
    expect(service.store.db.select().from(oauthStates).all()).toEqual([]);
  });

  test('another error is told without its words', async () => {
    google.codes.refusal = 'call-0900-12345';
    expect((await refusalOf(await signInAt(service.url, 'google'))).message).toBe(
      'the sign-in failed at google: begin again',
    );
  });

  test.each([
    ['state', 'code=c'],
    ['state', 'state=a&state=b&code=c'],
    ['code', 'state=STATE'],
    ['code', 'state=STATE&code=a&code=b'],
  ])('a callback without one %s is refused: %s', async (name, query) => {
    const { url, cookie } = await begin(service.url, 'google');
    const search = query.replace('STATE', url.searchParams.get('state') ?? '');
    const response = await comeBack(`${service.url}/api/auth/callback/google?${search}`, { Cookie: cookie });
    const refusal = await refusalOf(response);
    expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(refusal.message).toMatch(new RegExp(`^${name}: `));
  });

  test('the code of another sign-in does not fit the verifier of this one', async () => {
    const [mine, theirs] = [await begin(service.url, 'google'), await begin(service.url, 'google')];
    const callback = await consent(mine);
    const stolen = (await consent(theirs)).searchParams.get('code') ?? '';
    callback.searchParams.set('code', stolen);
    expect(await refusalOf(await comeBack(callback, { Cookie: mine.cookie }))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(google.requests).toContain('/token');
  });
});

describe('an ID token', () => {
  test.each<[string, Partial<Pick<OidcProvider, 'claims' | 'signature'>>]>([
    ['for another audience', { claims: { aud: 'another-client' } }],
    ['for several audiences', { claims: { aud: ['google-client', 'another'], azp: 'another' } }],
    ['of another issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['for another sign-in', { claims: { nonce: 'another' } }],
    ['for no sign-in', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['signed with another key', { signature: 'other key' }],
    ['without a signature', { signature: 'none' }],
  ])('%s is refused', async (_, wrong) => {
    Object.assign(google, wrong);
    const response = await signInAt(service.url, 'google');
    expect(sessionToken(response)).toBeNull();
    expect(await refusalOf(response)).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'google did not confirm the sign-in: begin again',
    });
    expect(userRows()).toEqual([]);
  });
});

describe('a provider', () => {
  test('that is down at the beginning is said to be', async () => {
    await google.close();
    expect(await refusalOf(await postSocial(service.url, 'google'))).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'google cannot be reached: try again later',
    });
  });

  test('that was down is asked again', async () => {
    google.answers.set('/.well-known/openid-configuration', { status: 503, body: 'down' });
    expect((await postSocial(service.url, 'google')).status).toBe(401);
    google.answers.clear();
    expect((await postSocial(service.url, 'google')).status).toBe(200);
  });

  test.each(['google', 'github'] as const)('%s that is down at the exchange is said to be', async (name) => {
    const begun = await begin(service.url, name);
    const callback = await consent(begun);
    await (name === 'google' ? google : github).close();
    expect(await refusalOf(await comeBack(callback, { Cookie: begun.cookie }))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: `${name} cannot be reached: try again later`,
    });
  });

  test.each([
    ['/token', { status: 500, body: '<h1>down</h1>' }],
    ['/token', { status: 200, body: '<h1>not JSON</h1>' }],
    ['/token', { status: 200, body: { access_token: 'x', token_type: 'Bearer' } }],
    ['/token', { status: 307, headers: { Location: '/jwks' } }],
    ['/jwks', { status: 500, body: 'down' }],
    ['/jwks', { status: 200, body: { keys: [] } }],
  ])('that answers wrongly at %s is refused: %j', async (path, answer) => {
    google.answers.set(path, answer);
    expect(await refusalOf(await signInAt(service.url, 'google'))).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'google did not confirm the sign-in: begin again',
    });
    expect(userRows()).toEqual([]);
  });

  test.each(['google', 'github'] as const)('%s that does not accept the secret is not configured', async (name) => {
    service = await restart({ googleClientSecret: 'wrong', githubClientSecret: 'wrong' });
    expect(await refusalOf(await signInAt(service.url, name))).toEqual({
      status: 501,
      code: 'NOT_CONFIGURED',
      message: `${name} does not accept the client id or secret of this service`,
    });
  });

  test('says that it issued the answer, where it promises to', async () => {
    google.metadata = { authorization_response_iss_parameter_supported: true };
    const begun = await begin(service.url, 'google');
    const callback = await consent(begun);
    callback.searchParams.set('iss', 'https://evil.example');
    expect((await comeBack(callback, { Cookie: begun.cookie })).status).toBe(401);
    const again = await begin(service.url, 'google');
    const right = await consent(again);
    right.searchParams.set('iss', google.issuer);
    expect((await comeBack(right, { Cookie: again.cookie })).status).toBe(302);
  });
});

describe('only providers are contacted, and never in the clear', () => {
  const FAR = 'http://provider.example';

  test.each([
    ['google', { googleIssuer: FAR }],
    ['github', { githubUrl: FAR }],
    ['github', { githubApiUrl: FAR }],
  ])('%s with plain http elsewhere is not configured: %j', async (name, settings) => {
    service = await restart(settings);
    expect(await refusalOf(await postSocial(service.url, name))).toEqual({
      status: 501,
      code: 'NOT_CONFIGURED',
      message: `${name}: its addresses must be https, or on this machine`,
    });
  });

  test.each([['authorization_endpoint'], ['token_endpoint'], ['jwks_uri']])(
    'an issuer that names a %s with plain http elsewhere is refused',
    async (member) => {
      google.metadata = { [member]: `${FAR}/x` };
      const begun = await postSocial(service.url, 'google');
      const refused = member === 'authorization_endpoint' ? begun : await signInAt(service.url, 'google');
      expect(await refusalOf(refused)).toMatchObject({ status: 501, code: 'NOT_CONFIGURED' });
      expect(userRows()).toEqual([]);
    },
  );

  test('an issuer that gives itself another name is refused', async () => {
    google.metadata = { issuer: 'https://accounts.google.com' };
    expect(await refusalOf(await postSocial(service.url, 'google'))).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test.each(['/.well-known/openid-configuration', '/token', '/jwks'])(
    'a redirect of %s is not followed',
    async (path) => {
      const asked: string[] = [];
      const elsewhere = await serveLocally(({ url }) => {
        asked.push(url.pathname);
        return { status: 200, body: {} };
      });
      cleanups.push(() => elsewhere.close());
      google.answers.set(path, { status: 307, headers: { Location: `http://127.0.0.1:${elsewhere.port}/` } });
      const begun = await postSocial(service.url, 'google');
      const status = begun.status === 200 ? (await signInAt(service.url, 'google')).status : begun.status;
      expect(status).toBe(401);
      expect(asked).toEqual([]);
    },
  );
});

describe('the browser that began', () => {
  test('gets the state in a cookie that a page of the provider brings back', async () => {
    const { setCookie, url } = await begin(service.url, 'google');
    const state = url.searchParams.get('state');
    expect(setCookie).toBe(`countersign_sign_in=${state}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`);
  });

  test('loses that cookie when it is signed in', async () => {
    const cookies = (await signInAt(service.url, 'google')).headers.getSetCookie();
    expect(cookies[1]).toBe('countersign_sign_in=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax');
  });

  test('keeps the session when another site led it back: a page of the service leads on', async () => {
    const begun = await begin(service.url, 'google', `/a?b="><script>&c='`);
    const callback = await consent(begun);
    const response = await comeBack(callback, { Cookie: begun.cookie, 'Sec-Fetch-Site': 'cross-site' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(sessionToken(response)).not.toBeNull();
    const html = await response.text();
    const target = `${service.url}/a?b=%22%3E%3Cscript%3E&amp;c=%27`;
    expect(html).toContain(`<meta http-equiv="refresh" content="0;url=${target}">`);
    expect(html).not.toContain('<script');
  });

  test.each<[string, Record<string, string>]>([
    ['no cookie', {}],
    ['the cookie of another sign-in', { Cookie: `countersign_sign_in=${'A'.repeat(43)}` }],
    ['a link elsewhere', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a link at a neighbour', { 'Sec-Fetch-Site': 'same-site' }],
    ['a typed address', { 'Sec-Fetch-Site': 'none' }],
  ])('is another one: with %s the person is asked first', async (_, headers) => {
    const callback = await consent(await begin(service.url, 'google'));
    const response = await comeBack(callback, headers);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    const html = await response.text();
    expect(html).toContain('not begun in this browser');
    expect(html).not.toContain('http-equiv="refresh"');
    expect(google.requests).not.toContain('/token');

    const link = /href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const agreed = await comeBack(link, { 'Sec-Fetch-Site': 'same-origin' });
    expect(agreed.status).toBe(302);
    expect(await whoIs(service.url, sessionToken(agreed))).toMatchObject({ email: 'ada@example.org' });
  });
});

test('neither answers nor the log show codes, states, tokens or secrets', async () => {
  const secrets = [google.codes.client.secret, github.codes.client.secret];
  const shown: string[] = [];
  const attempt = async (name: 'google' | 'github', headers: Record<string, string> = {}): Promise<void> => {
    const begun = await begin(service.url, name);
    const callback = await consent(begun);
    const response = await comeBack(callback, { Cookie: begun.cookie, ...headers });
    secrets.push(callback.searchParams.get('code') ?? '', callback.searchParams.get('state') ?? '');
    secrets.push(...[sessionToken(response)].filter((token) => token !== null));
    shown.push(await response.text(), response.headers.get('location') ?? '');
  };
  await attempt('google');
  await attempt('github', { 'Sec-Fetch-Site': 'cross-site' });
  google.signature = 'other key';
  await attempt('google');
  google.answers.set('/token', { status: 400, body: { error: 'invalid_grant', error_description: 'hint: s3cr3t' } });
  await attempt('google');
  github.answers.set('/api/user', { status: 500, body: 's3cr3t' });
  await attempt('github');
  const all = [...shown, ...service.log].join('\n');
  expect(service.log).toHaveLength(10);
  for (const secret of [...secrets, 's3cr3t']) expect(all).not.toContain(secret);
});
