import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { RENDERER_DIR } from '../support/browser.ts';
import { type GithubProvider, startGithubProvider } from '../support/github-provider.ts';
import { begin, consent } from '../support/oauth-client.ts';
import { type OauthService, providerSettings, register, startOauthService } from '../support/oauth-service.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { TestService } from '../support/service.ts';

const executablePath = chromiumPath();

let browser: Browser;
let google: OidcProvider;
let github: GithubProvider;
let service: OauthService;

beforeAll(async () => {
  if (executablePath === undefined) return;
  // Another site than the service's: where cookies are concerned, ports make no difference, names do.
  google = await startOidcProvider('localhost');
  google.codes.interactive = true;
  github = await startGithubProvider();
  service = await startOauthService(providerSettings(google, github));
  register(service, google, github);
  // Chromium refuses to sandbox as root; nothing but our own pages is loaded here.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  await google?.close();
  await github?.close();
});

test.skipIf(executablePath === undefined)('a person signs in: the first page after it has the session', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${service.url}/.well-known/nothing`);
  const url = await page.evaluate(async () => {
    const body = JSON.stringify({ provider: 'google', callbackURL: '/api/auth/session' });
    const response = await fetch('/api/auth/sign-in/social', { method: 'POST', body });
    return ((await response.json()) as { url: string }).url;
  });
  await page.goto(url);
  await page.getByRole('link', { name: 'Allow' }).click();
  await page.waitForURL(`${service.url}/api/auth/session`);
  await expect.poll(() => page.locator('body').innerText()).toContain('"email":"ada@example.org"');
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ name: 'countersign_session', sameSite: 'Strict', httpOnly: true, secure: true }]);
  await page.context().close();
});

test.skipIf(executablePath === undefined)(
  'a sign-in begun elsewhere is finished only by the person, on a page of the service',
  async () => {
    const begun = await begin(service.url, 'google', '/api/auth/session');
    google.codes.interactive = false;
    const callback = await consent(begun);
    google.codes.interactive = true;
    const page = await (await browser.newContext()).newPage();
    const link = `<a href="${callback.href.replaceAll('&', '&amp;')}">prize</a>`;
    google.answers.set('/win', { status: 200, body: link });
    await page.goto(`${google.issuer}/win`);
    await page.getByRole('link', { name: 'prize' }).click();
    await page.getByText('not begun in this browser').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/api/auth/session`);
    await expect.poll(() => page.locator('body').innerText()).toContain('"email":"ada@example.org"');
    await page.context().close();
  },
);

test.skipIf(executablePath === undefined)(
  'the sign-in form has a button for each provider, which leads back to the page',
  async () => {
    const whole = await TestService.start({
      ...providerSettings(google, github),
      githubClientId: null,
      rendererDir: RENDERER_DIR,
    });
    register({ url: whole.url }, google, github);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${whole.url}/#/agents`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with Google', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with GitHub', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in with Google', exact: true }).click();
    await page.getByRole('link', { name: 'Allow' }).click();
    // Signed in, and without an organization yet.
    await page.getByRole('heading', { name: 'Your organization' }).waitFor();
    expect(page.url()).toBe(`${whole.url}/#/agents`);
    await page.context().close();
  },
);

test.skipIf(executablePath === undefined)('the account screen links the account that is signed in', async () => {
  const whole = await TestService.start({ ...providerSettings(google, github), rendererDir: RENDERER_DIR });
  register({ url: whole.url }, google, github);
  const account = { email: 'ada@example.org', password: 'correct horse battery' };
  await whole.client().ok('signUp', {
    body: { ...account, name: 'Ada', org_name: 'Analytical Engines', setup_code: whole.setUpCode() ?? '' },
  });
  whole.sql.prepare('UPDATE users SET email_verified_at = 1').run();
  const linked = () => whole.sql.prepare('SELECT provider FROM oauth_identities').pluck().all();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${whole.url}/#/account`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Link Google', exact: true }).click();
  expect(linked()).toEqual([]);
  await page.getByRole('link', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  expect(linked()).toEqual(['google']);
  await page.context().close();
});
