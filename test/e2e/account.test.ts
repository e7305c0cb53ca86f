// The account screen in a real browser, at the one name of this machine that passkeys can be tied to; the authenticator is
// Chromium's virtual one.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { CONFIRM_IDENTITY, USER_MENU } from '../../src/renderer/app/texts.ts';
import {
  ACCOUNT_SCREEN,
  CHANGE_PASSWORD,
  PASSKEY_FORM,
  PASSKEYS,
  SESSIONS,
} from '../../src/renderer/screens/account/texts.ts';
import { PASSKEY_SIGN_IN, SIGN_IN_FORM } from '../../src/renderer/sign-in/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues, type WatchedPage } from '../support/browser.ts';
import { type Account, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Where pictures of the screens go, if anywhere. */
const PICTURES = process.env['COUNTERSIGN_PICTURES'];

describe.skipIf(chromiumPath() === undefined)('the account screen', () => {
  let service: TestService;
  let base: string;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  let devtools: CDPSession;

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const picture = async (name: string): Promise<void> => {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };

  async function openAccount(): Promise<void> {
    await page.goto(`${base}/#/account`);
    await page.getByRole('heading', { name: ACCOUNT_SCREEN.account, level: 1 }).waitFor();
  }

  async function signIn(password: string): Promise<void> {
    await page.goto(`${base}/#/dashboard`);
    await fillIn(page, password);
  }

  /** Signs in on the start page, whether it shows the form or first a way to it. */
  async function fillIn(at: Page, password: string): Promise<void> {
    await openForm(at);
    await at.getByLabel(SIGN_IN_FORM.eMailAddress).fill(owner.email);
    await at.getByLabel(SIGN_IN_FORM.password).fill(password);
    await at.getByRole('button', { name: SIGN_IN_FORM.title, exact: true }).click();
  }

  async function openForm(at: Page): Promise<void> {
    const enter = at.getByRole('button', { name: SIGN_IN_FORM.title, exact: true });
    await enter.waitFor();
    if ((await at.getByLabel(SIGN_IN_FORM.eMailAddress).count()) === 0) await enter.click();
  }

  async function signOut(): Promise<void> {
    await page.locator('.user-button').click();
    await page.getByRole('menuitem', { name: USER_MENU.signOut }).click();
    await openForm(page);
  }

  const signedIn = () => page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp('ada');
    base = service.url.replace('127.0.0.1', 'localhost');
    const browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    watched = await openPage(context);
    ({ page } = watched);
    devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(owner.password);
    await signedIn();
  });

  it('is reached from the user menu, and lists and ends other sessions', async () => {
    const other = await service.client().ok('signIn', { body: { email: owner.email, password: owner.password } });
    await service.client(other.token).call('session', { headers: { 'user-agent': 'curl/8.5' } });
    await page.locator('.user-button').click();
    await page.getByRole('menuitem', { name: USER_MENU.account }).click();
    await page.getByRole('heading', { name: ACCOUNT_SCREEN.account, level: 1 }).waitFor();
    await until('the use of the other session to be noted', async () => {
      await page.reload();
      await page.getByText(SESSIONS.current).waitFor();
      return (await page.getByRole('cell', { name: 'curl', exact: true }).count()) > 0;
    });
    await picture('account');
    await button(SESSIONS.endNamed('curl')).click();
    await page.getByText(SESSIONS.sessionEnded).waitFor();
    expect((await service.client(other.token).call('session')).status).toBe(401);
  });

  it('adds a passkey as second step, asks for it after the password, and for nothing else', async () => {
    await openAccount();
    await button(PASSKEYS.addPasskey).click();
    await page.getByLabel(PASSKEY_FORM.name, { exact: true }).fill('Laptop');
    await picture('add-passkey');
    await dialog().getByRole('button', { name: PASSKEY_FORM.addPasskey, exact: true }).click();
    await page.getByRole('cell', { name: PASSKEY_FORM.secondFactor }).waitFor();
    await signOut();
    await signIn(owner.password);
    await page.getByText('This account also needs its passkey.').waitFor();
    await picture('second-step');
    await button(PASSKEY_SIGN_IN.usePasskey).click();
    await signedIn();
  });

  it('signs in by a passkey alone once that is its use', async () => {
    await openAccount();
    await button(PASSKEYS.changeNamed('Laptop')).click();
    await page.getByLabel(PASSKEY_FORM.use, { exact: true }).selectOption(PASSKEY_FORM.signInWithoutPassword);
    await dialog().getByRole('button', { name: PASSKEY_FORM.changePasskey, exact: true }).click();
    await page.getByRole('cell', { name: PASSKEY_FORM.signInWithoutPassword }).waitFor();
    await signOut();
    await button(PASSKEY_SIGN_IN.withPasskey).click();
    // Where the sign-out was.
    await page.getByRole('heading', { name: ACCOUNT_SCREEN.account, level: 1 }).waitFor();
  });

  it('asks who it is after ten minutes, and then continues with what was entered', async () => {
    service.sql.prepare('UPDATE sessions SET proved_at = 0').run();
    await openAccount();
    await button(PASSKEYS.changeNamed('Laptop')).click();
    await page.getByLabel(PASSKEY_FORM.name, { exact: true }).fill('Blue laptop');
    await dialog().getByRole('button', { name: PASSKEY_FORM.changePasskey, exact: true }).click();
    const confirm = page.getByRole('dialog', { name: CONFIRM_IDENTITY.title });
    await confirm.getByLabel(CONFIRM_IDENTITY.password).fill('not the password');
    await confirm.getByRole('button', { name: CONFIRM_IDENTITY.confirm, exact: true }).click();
    await confirm.getByRole('alert').getByText('the password is wrong').waitFor();
    await picture('confirm');
    await confirm.getByLabel(CONFIRM_IDENTITY.password).fill(owner.password);
    await confirm.getByRole('button', { name: CONFIRM_IDENTITY.confirm, exact: true }).click();
    await page.getByText('Blue laptop', { exact: true }).waitFor();
    service.sql.prepare('UPDATE sessions SET proved_at = 0').run();
    // What the service knows of callers it reads again with the next change.
    await owner.client.ok('createToken', { body: {} });
    await button(PASSKEYS.removeNamed('Blue laptop')).click();
    await dialog().getByRole('button', { name: PASSKEYS.confirm, exact: true }).click();
    await confirm.getByRole('button', { name: CONFIRM_IDENTITY.usePasskey, exact: true }).click();
    await button(PASSKEYS.removeNamed('Blue laptop')).waitFor({ state: 'detached' });
  });

  it('advises against weak passwords, changes the password, and stays signed in', async () => {
    await openAccount();
    await page.getByLabel(CHANGE_PASSWORD.currentPassword).fill(owner.password);
    await page.getByLabel(CHANGE_PASSWORD.newPassword).fill('password1');
    await page.getByText('Very weak').waitFor();
    await picture('weak-password');
    await page.getByLabel(CHANGE_PASSWORD.newPassword).fill('otter lantern gravel sonata');
    await page.getByText(/^(Good|Strong)/).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await button(CHANGE_PASSWORD.changePassword).click();
    await page.getByText(/^Password changed\./).waitFor();
    await page.reload();
    await page.getByText(SESSIONS.current).waitFor();
    await signOut();
    await signIn('otter lantern gravel sonata');
    await signedIn();
  });

  it('says where passkeys work, where they do not, and breaks no rule of its policy', async () => {
    expect(watched.complaints).toEqual([]);
    const other = await page.context().browser()?.newPage();
    if (other === undefined) throw new Error('the browser is gone');
    await other.goto(`${service.url}/#/dashboard`);
    await fillIn(other, 'otter lantern gravel sonata');
    await other.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await other.goto(`${service.url}/#/account`);
    await other.getByRole('link', { name: base }).waitFor();
    expect(await other.getByRole('button', { name: PASSKEY_FORM.addPasskey, exact: true }).count()).toBe(0);
    await other.close();
  });
});
