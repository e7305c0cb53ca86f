// docs/case-room.md: items, signatures and moving a case, by keyboard in a real browser.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { CUSTODY_PANEL, SAVE_DAMAGED, TEXTS } from '../../src/renderer/screens/cases/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { tabTo } from '../support/by-hand.ts';
import { BUNDLE, ISSUER, OTHER_ROOT, reportBy, SVG } from '../support/case-evidence.ts';
import { addItem, itemsOf } from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { whileJobsWait } from '../support/held-jobs.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

/** Where pictures of the screens go, if anywhere. */
const PICTURES = process.env['COUNTERSIGN_PICTURES'];

describe.skipIf(chromiumPath() === undefined)('a case with many items', () => {
  let service: TestService;
  let owner: Account;
  let page: Page;
  let caseId: string;
  const folder = temporaryFolder();
  const saved = join(folder, 'moved.cscase');

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: join(folder, 'trust.json') });
    owner = await service.signUp();
    const { client } = owner;
    const file = { name: 'first.csbundle', bytes: BUNDLE };
    caseId = (await importCase(client, file, { trusted_kids: [ISSUER], name: 'The branch' })).case_id;
    const ada = await reportBy('Ada', [{ seq_no: 1 }, { seq_no: 3, comment: 'Who asked?' }]);
    const bob = await reportBy('Bob', [{ seq_no: 1 }, { seq_no: 3, comment: 'Ask the branch.' }, { seq_no: 4 }]);
    await addItem(client, caseId, { name: 'ada.html', bytes: ada });
    await addItem(client, caseId, { name: 'bob.html', bytes: bob });
    await itemsOf(client, caseId);
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
    });
    await signInPage(context, service, owner);
    ({ page } = await openPage(context));
    service.sql.prepare('UPDATE sessions SET proved_at = ?').run(Date.now());
    await page.goto(`${service.url}/#/cases/${caseId}`);
  });

  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const items = () => panel('Evidence items');
  const log = () => panel('Custody log');

  /** Looks at the screen in both appearances. */
  async function look(name: string): Promise<void> {
    const issues = await seriousIssuesInThemes(page, async (theme) => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`), fullPage: true });
    });
    expect(issues).toEqual([]);
  }

  it('takes an attachment by keyboard, and says that it is not verified', async () => {
    await items().getByText('ada.html').first().waitFor();
    const field = items().getByLabel('Add a file to this case');
    await field.setInputFiles({ name: 'plan.svg', mimeType: 'image/svg+xml', buffer: SVG });
    await items().getByRole('button', { name: 'Add item', exact: true }).and(page.locator(':enabled')).waitFor();
    await field.focus();
    await tabTo(page, /^Add item$/);
    await page.keyboard.press('Enter');
    await items().getByText('Not verified: attachment').waitFor();
  });

  it('has the entries of its examiner signed by a key that the browser made', async () => {
    await log()
      .getByText(/not signed$/)
      .first()
      .waitFor();
    await log()
      .getByRole('button', { name: /^Sign \d+ entries of yours$/ })
      .focus();
    await page.keyboard.press('Enter');
    await log()
      .getByText(/each signed by who did it/)
      .waitFor();
    await log().getByText('registered here').waitFor();
    await look('case-items');
  });

  it('signs what is done from then on by itself', async () => {
    await items().getByRole('button', { name: 'Compare reports', exact: true }).focus();
    await page.keyboard.press('Enter');
    await items().getByText('Not the same records').waitFor();
    await items().getByText('Who asked?').waitFor();
    await log().getByText('Reports compared').waitFor();
    await log()
      .getByText(/each signed by who did it/)
      .waitFor();
    await look('case-reports-compared');
  });

  it('is saved with its manifest signed, and opened again', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save case', exact: true }).focus();
    await page.keyboard.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('case_The-branch.cscase');
    await download.saveAs(saved);
    await page.getByText('You signed its manifest.').waitFor();
    await page.goto(`${service.url}/#/cases/new`);
    await page.getByLabel(/^Bundle or report/).setInputFiles({
      name: 'moved.cscase',
      mimeType: 'application/octet-stream',
      buffer: readFileSync(saved),
    });
    await page.getByRole('button', { name: 'Open case', exact: true }).focus();
    await look('case-open');
    await page.keyboard.press('Enter');
    await page.getByText('As stated in the case file, byte for byte').first().waitFor();
    await page.getByText('Signed: compare the fingerprint with the person').waitFor();
    await look('case-opened');
  });

  it('says above all else that an item contradicts its bundle, until the item is gone', async () => {
    await page.goto(`${service.url}/#/cases/${caseId}`);
    await page.getByRole('heading', { name: /verified$/ }).waitFor();
    await whileJobsWait(service, owner.client, BUNDLE, async () => {
      await addItem(owner.client, caseId, { name: 'kept.checkpoint', bytes: OTHER_ROOT });
      await page.reload();
      await page.getByRole('heading', { name: 'Verdict: no verdict yet – 1 item being checked' }).waitFor();
      expect(await page.locator('.hero-pass, .hero .ring').count()).toBe(0);
      await look('case-unchecked');
      await page.getByRole('link', { name: 'Cases', exact: true }).first().click();
      await page.getByRole('row', { name: /The branch.*1 item being checked/ }).waitFor();
      await page.goBack();
    });
    const headline = page.getByRole('heading', { name: /failed – contradicted by an item$/ });
    await headline.waitFor();
    await page.getByText(/^Item \d+ contradicts the bundle/).waitFor();
    await look('case-contradicted');
    await items()
      .getByRole('button', { name: /^Remove item .* kept\.checkpoint/ })
      .focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Remove item', exact: true })
      .focus();
    await page.keyboard.press('Enter');
    await headline.waitFor({ state: 'detached' });
  });

  it('asks before it signs a case whose log does not hold', async () => {
    const sqlite = new Database(join(service.dataDir, 'cases', caseId, 'annotations.sqlite'));
    sqlite.exec(`UPDATE items SET added_by = 'mallory@example.org' WHERE item_no = 2`);
    sqlite.close();
    await page.getByRole('button', { name: TEXTS.save, exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: SAVE_DAMAGED.title });
    await dialog.getByText(CUSTODY_PANEL.itemDiffers(2, 1)).waitFor();
    await look('case-save-damaged');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: SAVE_DAMAGED.verb, exact: true }).focus();
    await page.keyboard.press('Enter');
    const download = await downloading;
    await dialog.waitFor({ state: 'detached' });
    const damaged = join(folder, 'damaged.cscase');
    await download.saveAs(damaged);
    const checked = await run('case', damaged, '--trust', ISSUER, '--no-trust-store');
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('ITEM_CHANGED')]);
  });

  it('is checked on the command line: its reports, which nobody signed, leave it incomplete where the examiner’s key is named', async () => {
    const given = ['case', saved, '--trust', ISSUER, '--no-trust-store'];
    const unnamed = await run(...given, '--json');
    expect(unnamed.code).toBe(3);
    const { sealed_with: kid, findings } = JSON.parse(unnamed.stdout) as { sealed_with: string; findings: unknown[] };
    expect(findings).toEqual([]);
    const named = await run(...given, '--examiner', `${kid}=${owner.email}`);
    expect(named, named.stdout + named.stderr).toMatchObject({ code: 3 });
    expect(named.stdout).toContain('4 signed, 0 by nobody');
    expect(named.stdout.match(/by the key that you named for this person/g)).toHaveLength(2);
    expect(
      named.stdout.match(/^ {2}\? item \d: .*no key that you named for an examiner signed the report/gm),
    ).toHaveLength(2);
  });
});
