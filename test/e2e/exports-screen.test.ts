// Exports in the workspace: asked for, watched, taken along, verified again; and who may not.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { BrowserContext, Download, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ENDS_FIRST } from '../../src/renderer/components/filter-form.tsx';
import { NAMED_PLACES } from '../../src/renderer/components/texts.ts';
import { SEARCH_ACTIONS } from '../../src/renderer/screens/audit/texts.ts';
import {
  EXPORT_REQUEST,
  EXPORT_SCREEN,
  EXPORT_STATE,
  EXPORTS_SCREEN,
  GIVEN_AWAY,
  MAKE_EXPORT,
  MEMBER_PICKER,
  VERIFY_AGAIN,
} from '../../src/renderer/screens/exports/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues, type WatchedPage } from '../support/browser.ts';
import { goByLetter } from '../support/by-hand.ts';
import { type Account, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('exports in the workspace', () => {
  let service: TestService;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let account: Account;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    watched = await openPage(context);
    page = watched.page;
    account = await setUp(page, service);
    const [billing, mail] = [await registerAgent(account, 'billing'), await registerAgent(account, 'mail')];
    for (let n = 0; n < 3; n++) await submitNext(account, billing, { payload: { customer: { email: `c${n}@x.org` } } });
    for (let n = 0; n < 2; n++) await submitNext(account, mail, { payload: { n } });
  });

  const go = (path: string) => page.goto(`${service.url}/#${path}`);
  const text = (wanted: string | RegExp) => page.getByText(wanted).first().waitFor();
  async function download(name: string, role: 'button' | 'link' = 'button'): Promise<{ name: string; bytes: Buffer }> {
    const begun = page.waitForEvent('download');
    await page.getByRole(role, { name }).first().click();
    const file: Download = await begun;
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  }
  /** A job in the list, of a kind that the interface cannot bring about in a moment. */
  function addJob(members: Record<string, string | number | null>): string {
    const exportId = randomUUID();
    const job = {
      export_id: exportId,
      org_id: account.orgId,
      status: 'completed',
      format: 'json',
      start_time: '2026-01-01T00:00:00.000Z',
      end_time: '2026-02-01T00:00:00.000Z',
      record_count: 7,
      redacted_count: 0,
      created_at: Date.parse('2026-02-01T00:00:00Z'),
      completed_at: Date.parse('2026-02-01T00:00:01Z'),
      failure: null,
      ...members,
    };
    const names = Object.keys(job);
    service.sql
      .prepare(`INSERT INTO exports (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`)
      .run(job);
    return exportId;
  }

  it('teach on the empty screen what they are', async () => {
    await goByLetter(page, 'x');
    await page.getByRole('heading', { name: EXPORTS_SCREEN.noExportYet }).waitFor();
    await text('countersign verify');
  });

  it('are asked for in a form, which says what is wrong with it', async () => {
    await page.getByRole('button', { name: EXPORTS_SCREEN.createExport, exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(MAKE_EXPORT.from).fill('2999-01-01');
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: ENDS_FIRST }).waitFor();
    await dialog.getByLabel(MAKE_EXPORT.before).fill('2999-01-02');
    await dialog.getByText(GIVEN_AWAY.empty).waitFor();
    await expect
      .poll(() => dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).isDisabled())
      .toBe(true);
    await dialog.getByRole('button', { name: EXPORT_REQUEST.everything, exact: true }).click();
    await expect.poll(() => dialog.getByLabel(MAKE_EXPORT.from).inputValue()).toBe('1970-01-01 00:00:00.000');
    await dialog.getByText(MAKE_EXPORT.withholdPayloads).click();
    await dialog.getByLabel(MAKE_EXPORT.withValue).fill('/customer/email\nnot a pointer');
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'JSON Pointers, line 2: must be a JSON Pointer' }).waitFor();
    await dialog.getByLabel(MAKE_EXPORT.withValue).fill('/customer/email');
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: EXPORT_REQUEST.needsReason }).waitFor();
    await dialog.getByLabel(MAKE_EXPORT.reasonWithholding).fill('Addresses of customers');
    await dialog.getByText(/^Records of \d agents?; names and keys of \d agents?$/).click();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'mail' })
      .getByText(/\d records?/)
      .waitFor();
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await text(EXPORT_SCREEN.notWhole('5', '3'));
    await text(`${EXPORT_SCREEN.values} /customer/email; ${EXPORT_SCREEN.otherEvents}`);
    await text(EXPORT_SCREEN.reasonReason('Addresses of customers'));
  });

  it('are fetched and checked in the window, with the verdict of a stranger', async () => {
    await page.getByRole('button', { name: VERIFY_AGAIN.checkFile, exact: true }).click();
    await page.getByRole('heading', { name: 'Verdict: incomplete – consistent, issuer not confirmed' }).waitFor();
    await text('3 not shown whole');
  });

  it('are downloaded as a bundle, compressed too', async () => {
    const plain = await download('.csbundle of the export');
    expect(plain.name).toMatch(/^[A-Za-z0-9.-]+_\d{4}-\d{2}-\d{2}_\d+-records?\.csbundle$/);
    expect(await verifyWith(service.kid, plain.bytes)).toMatchObject({ verdict: 'verified', bundle: { records: 5 } });
    const packed = await download('.gz of');
    expect(packed.name).toMatch(/\.csbundle\.gz$/);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    const verifier = await download(VERIFY_AGAIN.standalone, 'link');
    expect(verifier.name).toBe('verify-bundle.mjs');
  });

  it('are made of one agent as a PDF, which the window verifies too', async () => {
    await go('/exports?new=true');
    const dialog = page.getByRole('dialog');
    const isChosen = (name: RegExp) => dialog.getByRole('radio', { name }).isChecked();
    expect(await isChosen(/All administrative events/)).toBe(true);
    await dialog.getByLabel(MAKE_EXPORT.agentOptional).fill('mail');
    expect(await isChosen(/Only events about the agents/)).toBe(true);
    await dialog
      .getByText(/This export will contain 2 records and 2 administrative events; \d+ withheld by hash/)
      .waitFor();
    await dialog.getByRole('radio', { name: /PDF report/ }).check();
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await text(EXPORT_SCREEN.notWhole('2', '0'));
    await page.getByRole('button', { name: VERIFY_AGAIN.checkFile, exact: true }).click();
    await page.getByRole('heading', { name: 'Verdict: incomplete – consistent, issuer not confirmed' }).waitFor();
    await text(/administrative events withheld: only their links were checked/);
    const { name, bytes } = await download('.pdf of the export');
    expect(name).toMatch(/\.pdf$/);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('that no longer hold are found to be so', async () => {
    const { data } = await account.client.ok('listExports');
    const bundle = data.find(({ format }) => format === 'json');
    const path = `${service.dataDir}/exports/${bundle?.exportId}.json`;
    writeFileSync(path, readFileSync(path, 'utf8').replace('"action":"', '"action":"x'));
    await go(`/exports/${bundle?.exportId}`);
    await page.getByRole('button', { name: VERIFY_AGAIN.checkFile, exact: true }).click();
    await page.getByRole('heading', { name: 'Verdict: failed' }).waitFor();
  });

  it('show how far they are, and that they are done, without being asked again', async () => {
    const exportId = addJob({ status: 'processing', record_count: null, completed_at: null, created_at: Date.now() });
    await go('/exports');
    await page.getByRole('progressbar', { name: EXPORT_STATE.progress }).waitFor();
    service.sql
      .prepare("UPDATE exports SET status = 'completed', record_count = 4321, completed_at = 1 WHERE export_id = ?")
      .run(exportId);
    await page.getByRole('cell', { name: '4,321', exact: true }).waitFor();
    expect(await page.getByRole('progressbar', { name: EXPORT_STATE.progress }).count()).toBe(0);
  });

  it('that failed say why', async () => {
    const exportId = addJob({
      status: 'failed',
      record_count: null,
      completed_at: null,
      failure: 'the range is too large',
    });
    await go(`/exports/${exportId}`);
    await page.getByRole('alert').filter({ hasText: 'the range is too large' }).waitFor();
    expect(await page.getByRole('button', { name: VERIFY_AGAIN.checkFile, exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: EXPORT_SCREEN.another }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are listed to the last, by the page', async () => {
    for (let n = 0; n < 130; n++) addJob({ created_at: n + 1, record_count: n });
    await go('/exports');
    await page.reload();
    await text(`${EXPORTS_SCREEN.counted(100)}${EXPORTS_SCREEN.loaded}`);
    await page.getByRole('table', { name: EXPORTS_SCREEN.exports }).focus();
    await page.keyboard.press('End');
    await text(`${EXPORTS_SCREEN.counted(134)}${EXPORTS_SCREEN.all}`);
    await page.keyboard.press('End');
    await page.getByRole('cell', { name: '1970-01-01 00:00:00.001' }).waitFor();
  });

  it('withhold members that are ticked in the payload of a record, by keyboard', async () => {
    await go('/exports?new=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(MAKE_EXPORT.withholdPayloads, { exact: true }).press('Enter');
    await dialog.getByRole('button', { name: MAKE_EXPORT.pickMembers, exact: true }).press('Enter');
    const record = dialog.getByLabel(MEMBER_PICKER.record);
    const billing = record.locator('option', { hasText: 'billing' }).first();
    await billing.waitFor({ state: 'attached' });
    await record.selectOption({ label: (await billing.textContent()) ?? '' });
    const email = dialog.getByRole('checkbox', { name: /^email / });
    await email.press('Space');
    const typed = dialog.getByLabel(MAKE_EXPORT.withValue);
    await expect.poll(() => typed.inputValue()).toBe('/customer/email');
    expect(await seriousIssues(page)).toEqual([]);
    await typed.fill('/n\n/customer/email');
    await email.press('Space');
    await expect.poll(() => typed.inputValue()).toBe('/n');
  });

  it('begin afresh where the form is opened again while it closes', async () => {
    await page.evaluate(async () => {
      const form = document.querySelector('.dialog');
      if (form === null) throw new Error('the form is not open');
      const closing = new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => form.hasAttribute('data-closed') && resolve());
        watch.observe(form, { attributes: true });
      });
      location.hash = '/exports';
      await closing;
      location.hash = '/exports?new=true';
    });
    const dialog = page.getByRole('dialog');
    const typed = dialog.getByLabel(MAKE_EXPORT.withValue);
    // Closed again: what the form withholds is folded until somebody asks for it.
    await expect.poll(() => typed.isVisible()).toBe(false);
    await dialog.getByText(MAKE_EXPORT.withholdPayloads, { exact: true }).press('Enter');
    expect(await typed.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('withhold people, and say beforehand and of the file where they are named', async () => {
    await go('/exports?new=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: EXPORT_REQUEST.everything }).click();
    await dialog.getByText(MAKE_EXPORT.withholdPeople).click();
    await dialog.getByLabel(MAKE_EXPORT.people).fill('C1@X.org');
    await dialog.getByRole('button', { name: MAKE_EXPORT.find, exact: true }).click();
    const places = dialog.getByRole('region', { name: NAMED_PLACES.title });
    await places.getByText(NAMED_PLACES.found(1, 1)).waitFor();
    await places.getByRole('listitem').filter({ hasText: '/customer/email' }).getByText(NAMED_PLACES.payload).waitFor();
    await places.getByText(NAMED_PLACES.guessable).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByLabel(MAKE_EXPORT.reasonWithholding).fill('asked for by a customer');
    await dialog.getByRole('button', { name: MAKE_EXPORT.submit, exact: true }).click();
    await text(EXPORT_SCREEN.holdsNoPlace);
    await text(EXPORT_SCREEN.notWhole('5', '1'));
    const { bytes } = await download('.csbundle of the export');
    expect([bytes.includes('c1@x.org'), bytes.includes('c2@x.org')]).toEqual([false, true]);
  });

  it('begin with the name whose places a search shows', async () => {
    await go('/search?query=%22C1%40X.org%22');
    await page.getByRole('button', { name: SEARCH_ACTIONS.places, exact: true }).click();
    const places = page.getByRole('dialog').getByRole('region', { name: NAMED_PLACES.title });
    const place = places.getByRole('listitem').filter({ hasText: '/customer/email' });
    await place.waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('link', { name: SEARCH_ACTIONS.withhold, exact: true }).click();
    expect(await page.getByLabel(MAKE_EXPORT.people).inputValue()).toBe('C1@X.org');
    // The places are those of the whole ledger.
    const everything = page.getByRole('button', { name: EXPORT_REQUEST.everything });
    expect(await everything.getAttribute('aria-pressed')).toBe('true');
    await place.waitFor();
    await page.keyboard.press('Escape');
  });

  it('is offered for a name of several words, without quotes too', async () => {
    const offered = page.getByRole('button', { name: SEARCH_ACTIONS.places, exact: true });
    await go('/search?query=ada%20lovelace');
    await offered.click();
    await page.getByRole('heading', { name: SEARCH_ACTIONS.placesOf('ada lovelace') }).waitFor();
    await page.keyboard.press('Escape');
    await go('/search?query=ada%20outcome%3Dok');
    await page.locator('.grid-foot').waitFor();
    expect(await offered.count()).toBe(0);
  });

  it('are closed to who may not make them, with the reason', async () => {
    const reader = service.addMember(account, 'integration_engineer');
    const other = await context.browser()?.newContext();
    if (other === undefined) throw new Error('the browser is gone');
    await signInPage(other, service, reader);
    const theirs = await openPage(other);
    await theirs.page.goto(`${service.url}/#/exports?new=true`);
    await theirs.page.getByText('yours is “integration engineer”').first().waitFor();
    expect(
      await theirs.page
        .getByRole('button', { name: EXPORTS_SCREEN.createExport, exact: true })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    expect(await theirs.page.getByRole('dialog').count()).toBe(0);
    expect(theirs.complaints).toEqual([]);
    await other.close();
  });

  it('break no rule of the page', () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });
});
