// The screens of the administration in a real browser: each flow, roles that lack a right, a session that ends and a service
// that stops in the middle, hostile input, what axe finds, and one flow by keyboard alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { fingerprintDigits, fingerprintGroups, thumbprint, toBase64Url } from '../../src/protocol/index.ts';
import {
  ABOUT_SECTION,
  BACKUP_TABLE,
  KEYS_SECTION,
  ROTATE_KEY,
  SETTINGS_FORM,
  TRUST_DRAFT,
  TRUST_FIELDS,
  TRUST_SECTION,
} from '../../src/renderer/screens/settings/texts.ts';
import { ISSUE_TOKEN, REVOKE_TOKEN, TERMS_FIELDS } from '../../src/renderer/screens/tokens/texts.ts';
import {
  DELIVERIES,
  ENDPOINT_PROBLEM,
  REGISTER_WEBHOOK,
  WEBHOOK_ACTIONS,
  WEBHOOKS_SCREEN,
} from '../../src/renderer/screens/webhooks/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues, type WatchedPage } from '../support/browser.ts';
import { buttonOf, goByLetter, tabTo, takesFocus } from '../support/by-hand.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { newKey } from '../support/signer.ts';
import { until } from '../support/until.ts';
import { OWNER, setUp } from '../support/workspace.ts';

const SCRIPT = '"><script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'">';
/** Characters of four bytes, text from right to left with an override that would turn what follows around, and a script. */
const HOSTILE = `𝔊𝔯𝔞𝔫𝔡 إشعار \u202E${SCRIPT}`;

describe.skipIf(chromiumPath() === undefined)('the screens of the administration', () => {
  let service: TestService;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let owner: Account;

  const go = async (path: string, heading: string): Promise<void> => {
    await page.goto(`${service.url}/#${path}`);
    await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  };
  const button = (name: string | RegExp, within: Page | Locator = page) => buttonOf(within, name);
  const dialog = () => page.getByRole('dialog');
  const closed = () => dialog().waitFor({ state: 'detached' });

  /** A page of somebody with another role, in a browser of their own. */
  async function pageOf(role: 'readonly_investigator' | 'security_admin' | 'compliance_auditor'): Promise<Page> {
    const member = service.addMember(owner, role);
    const other = await context.browser()?.newContext({ viewport: { width: 1280, height: 800 } });
    if (other === undefined) throw new Error('the browser is gone');
    await signInPage(other, service, member);
    return (await openPage(other)).page;
  }

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      webhookAllowPrivate: true,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    const browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    watched = await openPage(context);
    ({ page } = watched);
    owner = await setUp(page, service);
    const signer = await registerAgent(owner, 'billing-bot');
    await submitNext(owner, signer);
    const params = { agent_id: 'billing-bot' };
    for (let n = 0; n < 55; n++) {
      await owner.client.ok('freezeAgent', { params, body: { reason: n === 54 ? HOSTILE : `round ${n}` } });
      await owner.client.ok('unfreezeAgent', { params, body: { reason: `end of round ${n}` } });
    }
  });

  it('show what was refused, tell it on the dashboard, and save the list', async () => {
    await go('/dashboard', 'Dashboard');
    const tile = page.locator('.tile', { hasText: 'Refused in the last 24 hours' });
    await tile.getByText('0', { exact: true }).waitFor();
    const signer = await registerAgent(owner, 'refused-bot');
    const revoked = { kid: signer.kid, reason: 'Lost' };
    await owner.client.ok('revokeKey', { params: { agent_id: 'refused-bot' }, body: revoked });
    await expect(submitNext(owner, signer)).rejects.toThrow();
    await owner.client.call('submitOperation', { body: { agent_id: 'nobody', agent_pubkey_kid: '=1+1' } as never });
    await page.reload();
    await tile.getByText('1 by a frozen agent or revoked key').waitFor();
    await tile.getByRole('link').click();
    await page.getByText('2 rows, all').waitFor();
    const alarm = page.locator('.grid-row.is-alarm');
    await alarm.getByText('Key is revoked').waitFor();
    await expect.poll(() => alarm.count()).toBe(1);
    const saving = page.waitForEvent('download');
    await button('Save list').click();
    await button('CSV').click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(saved).toMatch(/,submission,VALIDATION_ERROR,false,nobody,'=1\+1,/);
    await page.keyboard.press('Escape');
    await page.getByRole('form', { name: 'Filters' }).getByLabel('Reason').selectOption('KEY_REVOKED');
    await button('Filter').click();
    await page.getByText('1 row, all').waitFor();
    expect(page.url()).toContain('code=KEY_REVOKED');
  });

  it('register a webhook with a secret made here, show each attempt and what was sent, and delete it', async () => {
    await go('/webhooks', 'Webhooks');
    await button(WEBHOOKS_SCREEN.registerWebhook).first().click();
    const endpoint = `https://127.0.0.1:1/${'a'.repeat(2048)}`.slice(0, 2048);
    await page.getByLabel('Address').fill(endpoint);
    await page.getByLabel(/epoch.created/).check();
    await button(REGISTER_WEBHOOK.generateSecret, dialog()).click();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    expect(secret).toMatch(/^[\w-]{43}$/);
    await button(REGISTER_WEBHOOK.registerWebhook, dialog()).click();
    await closed();
    await page.getByText(DELIVERIES.nothingSent).waitFor();
    await button(WEBHOOK_ACTIONS.sendTestEvent).click();
    const details = page.getByRole('region', { name: 'The delivery' });
    await details.getByText('no answer: ECONNREFUSED').waitFor();
    await details.getByText('"test"').waitFor();
    const row = page.getByRole('region', { name: 'Deliveries' }).getByRole('row', { name: /test Pending 1/ });
    await row.getByText(/^in /).first().waitFor();
    expect(await page.content()).not.toContain(secret);
    const [webhook] = (await owner.client.ok('listWebhooks')).webhooks;
    expect(webhook).toMatchObject({ endpoint_url: endpoint, events: ['operation.accepted', 'epoch.created'] });
    await button(WEBHOOK_ACTIONS.ask).click();
    await dialog().getByText(WEBHOOK_ACTIONS.consequence).waitFor();
    await button(WEBHOOK_ACTIONS.confirm, dialog()).click();
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
  });

  it('say what is wrong with an address as it is typed, and keep what was entered', async () => {
    await go('/webhooks', 'Webhooks');
    await button(WEBHOOKS_SCREEN.registerWebhook).first().click();
    await page.getByLabel('Address').fill(`https://user:password@example.org/${encodeURIComponent(SCRIPT)}`);
    await page.getByRole('textbox', { name: 'Secret' }).fill(HOSTILE);
    await dialog().getByText(ENDPOINT_PROBLEM.withAccount).waitFor();
    await expect.poll(() => button(REGISTER_WEBHOOK.registerWebhook, dialog()).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'Secret' }).inputValue()).toBe(HOSTILE);
    await button('Cancel', dialog()).click();
    await closed();
  });

  it('create a token and show it once, replace it without a gap, and revoke it', async () => {
    await go('/tokens', 'Tokens');
    await button('Create token').first().click();
    await page.getByLabel('Name').fill('Nightly report');
    await page.getByLabel('Can do').selectOption(TERMS_FIELDS.everythingICanDo);
    await page.getByLabel('Lifetime').selectOption('30 days');
    await button(ISSUE_TOKEN.create, dialog()).click();
    const first = (await dialog().locator('.secret-once').textContent())?.trim() ?? '';
    expect(first).toMatch(/^csn_api_/);
    await button('Done', dialog()).click();
    await closed();
    expect(await page.content()).not.toContain(first);
    expect((await service.client(first).ok('session')).email).toBe(OWNER.email);
    await button('Replace token Nightly report').click();
    await button(ISSUE_TOKEN.create, dialog()).click();
    const second = (await dialog().locator('.secret-once').textContent())?.trim() ?? '';
    // Both work until the old one is revoked.
    expect((await service.client(first).call('session')).status).toBe(200);
    expect((await service.client(second).call('session')).status).toBe(200);
    await button('Revoke old token', dialog()).click();
    await button('Done', dialog()).click();
    expect((await service.client(first).call('session')).status).toBe(401);
    await closed();
    const [row] = (await owner.client.ok('listTokens')).tokens;
    expect(row?.ttl_seconds).toBe(30 * 86_400);
    await button(/^Revoke token/).click();
    await button(REVOKE_TOKEN.verb, dialog()).click();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
    expect((await service.client(second).call('session')).status).toBe(401);
  });

  it('create a token that can only submit for one agent, and revoke that of another member', async () => {
    const agentId = 'token-bot';
    await registerAgent(owner, agentId);
    const member = service.addMember(owner, 'integration_engineer');
    const theirs = service.client((await member.client.ok('createToken', { body: { name: 'Theirs' } })).token);
    await go('/tokens', 'Tokens');
    await page.reload();
    await button('Create token').first().click();
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId);
    await button(ISSUE_TOKEN.create, dialog()).click();
    const token = (await dialog().locator('.secret-once').textContent())?.trim() ?? '';
    await button('Done', dialog()).click();
    await closed();
    await page.getByText(`Submit for ${agentId}`).waitFor();
    expect((await service.client(token).call('session')).status).toBe(403);
    await service.client(token).ok('agentHead', { params: { agent_id: agentId } });
    await button('Revoke token Theirs').click();
    await button(REVOKE_TOKEN.verb, dialog()).click();
    await page.getByText('No other member has a token.').waitFor();
    expect((await theirs.call('session')).status).toBe(401);
    await button(/^Revoke token/).click();
    await button(REVOKE_TOKEN.verb, dialog()).click();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  });

  it('show the log beyond its newest hundred, its filters in the address, its chain, and the way to a target', async () => {
    await go('/admin-events', 'Admin log');
    await page.getByText(/\d+ events? verified/).waitFor();
    await page.getByText(/hashes computed again in this window, links followed/).waitFor();
    const { events } = await owner.client.ok('adminChain');
    expect(events).toBeGreaterThan(100);
    const scroller = page.locator('.grid-scroll');
    await until('the whole log', async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return (await page.getByText(`${events} events, all`).count()) === 1;
    });
    await page.getByRole('textbox', { name: 'Action', exact: true }).fill('agent.freeze');
    await page.keyboard.press('Enter');
    await page.getByText('55 events, all').waitFor();
    expect(page.url()).toContain('action=agent.freeze');
    await page.reload();
    await page.getByText('55 events, all').waitFor();
    const newest = page.locator('.grid-row').getByRole('link', { name: 'agent.freeze' }).first();
    await newest.click();
    const details = page.getByRole('region', { name: 'Event agent.freeze' });
    await details.getByText('𝔊𝔯𝔞𝔫𝔡').waitFor();
    await details.getByRole('link', { name: 'billing-bot' }).click();
    await page.getByRole('heading', { name: /billing-bot/ }).waitFor();
    expect(await page.title()).not.toBe('taken');
  });

  it('say which event of the log does not hold', async () => {
    const row = service.sql.prepare('SELECT event_no, actor FROM admin_events ORDER BY event_no LIMIT 1 OFFSET 3');
    const { event_no: no, actor } = row.get() as { event_no: number; actor: string };
    const setActor = (to: string): void => {
      service.sql.exec('DROP TRIGGER IF EXISTS admin_events_keep_values');
      service.sql.prepare('UPDATE admin_events SET actor = ? WHERE event_no = ?').run(to, no);
    };
    setActor('somebody else');
    try {
      await go('/admin-events?actor=somebody%20else', 'Admin log');
      await button('Verify again').click();
      await page.getByText(/Verified up to event 3 of/).waitFor();
      await page.getByText('1 not valid').waitFor();
      await page.locator('.grid-row').getByText('Broken').waitFor();
    } finally {
      setActor(actor);
    }
  });

  it('change settings at once, and show of a secret that it is set and nothing else', async () => {
    await go('/settings', 'Settings');
    const epochs = page.getByRole('form', { name: 'Epochs' });
    await epochs.getByLabel('Seal an epoch after').fill('45');
    // What was entered outlives a look elsewhere.
    await page.getByRole('link', { name: 'Mail' }).click();
    const mail = page.getByRole('form', { name: 'Mail' });
    await mail.getByLabel('Mail server').fill('smtps://account:very-secret@mail.example.org');
    await button('Save settings', mail).click();
    await page.getByText(SETTINGS_FORM.savedNow).first().waitFor();
    expect(await page.content()).not.toContain('very-secret');
    await expect.poll(() => mail.getByLabel('Mail server').inputValue()).toBe('');
    await expect
      .poll(() => mail.getByLabel('Mail server').getAttribute('placeholder'))
      .toContain('smtps://mail.example.org');
    await page.getByRole('link', { name: 'Service', exact: true }).click();
    await expect.poll(() => epochs.getByLabel('Seal an epoch after').inputValue()).toBe('45');
    await button('Save settings', epochs).click();
    await epochs.getByText('changed here').waitFor();
    await epochs.getByLabel('Seal an epoch at').fill('-3');
    await button('Save settings', epochs).click();
    await epochs.getByRole('alert').getByText('epoch-max-leaves').waitFor();
    const port = page.getByRole('form', { name: 'Listening' });
    await expect.poll(() => port.getByLabel('Port').isDisabled()).toBe(true);
    await port.getByText('Set by the program that starts the service.').waitFor();
  });

  it('rotate the service key once the present one was typed, and what was pinned before still verifies', async () => {
    const pinned = service.kid;
    await go('/settings?section=keys', 'Settings');
    await page.getByRole('img', { name: KEYS_SECTION.asQrCode(pinned) }).waitFor();
    await button(ROTATE_KEY.ask).click();
    const rotate = button(ROTATE_KEY.confirm, dialog());
    await expect.poll(() => rotate.isDisabled()).toBe(true);
    await dialog().getByText(ROTATE_KEY.final).waitFor();
    await dialog().getByRole('textbox').fill(pinned.slice(0, 8));
    await rotate.click();
    await closed();
    await page.getByRole('img', { name: KEYS_SECTION.asQrCode(service.kid) }).waitFor();
    expect(service.kid).not.toBe(pinned);
    const old = fingerprintGroups(pinned).join(' ');
    await page.getByRole('row').filter({ hasText: old }).first().waitFor();
    expect((await verifyWith(pinned, await bundleOf(owner))).verdict).toBe('verified');
    const download = page.waitForEvent('download');
    await button(KEYS_SECTION.saveKeySet).click();
    expect((await download).suggestedFilename()).toBe('jwks.json');
  });

  it('make a backup now, and verify it', async () => {
    await go('/settings?section=backups', 'Settings');
    await button('Back up now').click();
    await page.getByText('A backup completed').waitFor();
    await page.getByRole('cell', { name: BACKUP_TABLE.passed }).waitFor();
    await button(/^Verify backup 2/).click();
    await page.getByText('A verification completed').waitFor();
  });

  it('trust the key of another service by its fingerprint, and no longer', async () => {
    const kid = thumbprint(newKey().publicKey);
    await go('/settings?section=trust', 'Settings');
    await button(TRUST_SECTION.trustKey).click();
    await page.getByRole('textbox', { name: 'Fingerprint' }).fill('not a fingerprint');
    await button('Trust key', dialog()).click();
    await dialog().getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Fingerprint' }).fill(kid.replace(/(.{4})/g, '$1 '));
    await page.getByLabel('Name (optional)').fill(HOSTILE);
    await button('Trust key', dialog()).click();
    await closed();
    expect((await owner.client.ok('listTrust')).trusted.map((key) => key.kid)).toEqual([kid]);
    await button(`Remove ${kid}`).click();
    await dialog().getByText(TRUST_SECTION.consequence).waitFor();
    await button(TRUST_SECTION.stopTrustingKey, dialog()).click();
    await page.getByText(TRUST_SECTION.noneTrusted).waitFor();
    expect(await page.title()).not.toBe('taken');
  });

  it('trust keys by a key set file that shows what to compare, and by the text of a QR code', async () => {
    const [one, two, scanned] = [newKey(), newKey(), newKey()].map(({ publicKey }) => publicKey);
    if (one === undefined || two === undefined || scanned === undefined) throw new Error('there are too few keys');
    const jwk = (key: Uint8Array) => ({ kty: 'OKP', crv: 'Ed25519', x: toBase64Url(key), kid: thumbprint(key) });
    const choose = (keys: unknown) =>
      page.getByLabel('Key set file', { exact: true }).setInputFiles({
        name: 'jwks.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify({ keys })),
      });
    await button(TRUST_SECTION.trustKey).click();
    await page.getByLabel('A key set file (JWKS)').check();
    await button('Trust key', dialog()).click();
    await dialog().getByRole('alert').getByText('Choose the key set file first.').waitFor();
    await choose([]);
    await dialog().getByRole('alert').getByText('not a key set (JWKS)').waitFor();
    // A name that is another key's is found before anything is sent.
    await choose([{ ...jwk(one), kid: thumbprint(two) }]);
    await dialog().getByRole('alert').getByText(TRUST_DRAFT.otherKid).waitFor();
    await choose([jwk(one), jwk(two)]);
    const compared = dialog().getByRole('region', { name: TRUST_FIELDS.keysFile });
    for (const key of [one, two]) await compared.getByText(fingerprintDigits(thumbprint(key))[0] ?? '').waitFor();
    await button('Trust keys', dialog()).click();
    await closed();
    await button(TRUST_SECTION.trustKey).click();
    await page.getByLabel(TRUST_FIELDS.byQrCode).check();
    await page.getByLabel('Text of the QR code').fill(thumbprint(scanned).slice(0, 40));
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('this text has 40').waitFor();
    await page.getByLabel('Text of the QR code').fill(thumbprint(scanned));
    await page.keyboard.press('Enter');
    await closed();
    const { trusted } = await owner.client.ok('listTrust');
    expect(trusted.map(({ kid, added_by: by }) => [kid, by])).toEqual(
      expect.arrayContaining([
        [thumbprint(one), 'jwks'],
        [thumbprint(two), 'jwks'],
        [thumbprint(scanned), 'qr'],
      ]),
    );
    for (const { kid } of trusted) await owner.client.ok('removeTrust', { params: { kid } });
  });

  it('show what everything is made of, with the texts of the licences', async () => {
    await go('/settings?section=about', 'Settings');
    await page.getByLabel(ABOUT_SECTION.filterComponents).fill('better-sqlite3');
    await button(ABOUT_SECTION.licenceTextOf('MIT', 'better-sqlite3')).click();
    await dialog().getByText('Permission is hereby granted').waitFor();
    await button('Close', dialog()).click();
    await closed();
    await page.getByText(service.dataDir).waitFor();
  });

  it('keep what was entered where the session ends in the middle', async () => {
    await go('/webhooks', 'Webhooks');
    await button(WEBHOOKS_SCREEN.registerWebhook).first().click();
    const address = 'https://receiver.example.org/after-the-session';
    await page.getByLabel('Address').fill(address);
    await page.getByRole('textbox', { name: 'Secret' }).fill(`secret ${HOSTILE}`);
    service.sql.prepare('DELETE FROM sessions WHERE user_id = ?').run(owner.userId);
    // Who callers are is remembered until something changes.
    await owner.client.call('session');
    await button(REGISTER_WEBHOOK.registerWebhook, dialog()).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(OWNER.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Address').inputValue()).toBe(address);
    await button(REGISTER_WEBHOOK.registerWebhook, dialog()).click();
    await closed();
    await page.getByRole('link', { name: address }).waitFor();
    const { token } = await service.client().ok('signIn', { body: { email: OWNER.email, password: OWNER.password } });
    owner = { ...owner, client: service.client(token) };
  });

  it('keep what was entered where the service stops in the middle', async () => {
    const { port } = new URL(service.url);
    await go('/settings', 'Settings');
    const limits = page.getByRole('form', { name: 'Epochs' });
    await limits.getByLabel('Seal an epoch after').fill('77');
    await service.stop();
    await button('Save settings', limits).click();
    await limits.getByRole('alert').getByText('cannot be reached').waitFor();
    await service.restart({ port: Number(port) });
    await expect.poll(() => limits.getByLabel('Seal an epoch after').inputValue()).toBe('77');
    await button('Save settings', limits).click();
    await until('the new value', async () => {
      const { settings } = await owner.client.ok('getSettings');
      return settings.find(({ name }) => name === 'epoch-interval')?.value === 77;
    });
  });

  it('show who lacks a right what there is, disabled, with the reason', async () => {
    const admin = await pageOf('security_admin');
    await admin.goto(`${service.url}/#/settings?section=keys`);
    const rotate = admin.getByRole('button', { name: ROTATE_KEY.ask, exact: true });
    await rotate.waitFor();
    await expect.poll(() => rotate.getAttribute('aria-disabled')).toBe('true');
    await rotate.focus();
    await admin.locator('.tip').getByText('This needs the role “org owner”; yours is “security admin”.').waitFor();
    await rotate.press('Enter');
    expect(await admin.getByRole('dialog').count()).toBe(0);
    await admin.goto(`${service.url}/#/settings?section=mail`);
    await admin.getByText('This needs the role “org owner”').waitFor();
    expect(await seriousIssues(admin)).toEqual([]);
    await admin.context().close();
    const reader = await pageOf('readonly_investigator');
    await reader.goto(`${service.url}/#/webhooks`);
    await reader.getByText('Your role does not include this.').waitFor();
    const register = reader.getByRole('button', { name: WEBHOOKS_SCREEN.registerWebhook, exact: true });
    await expect.poll(() => register.getAttribute('aria-disabled')).toBe('true');
    await reader.context().close();
  });

  it('are worked by keyboard alone', async () => {
    await go('/dashboard', 'Dashboard');
    await goByLetter(page, 't');
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await tabTo(page, /^Create token$/);
    await page.keyboard.press('Enter');
    await page.getByLabel('Can do').waitFor();
    await takesFocus(dialog());
    await page.getByLabel('Can do').focus();
    await page.keyboard.press('ArrowDown');
    await tabTo(page, /^Create token$/);
    await page.keyboard.press('Enter');
    await dialog().locator('.secret-once').waitFor();
    await page.keyboard.press('Escape');
    await closed();
    await page.getByText('1 token of your own').waitFor();
  });

  it('ask no other host, and break no rule of their policy', () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });
});
