// docs/report.md, Chosen records: from a selection in the workspace, by keyboard, to a file that verifies wherever it is opened.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Download, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { fingerprintDigits, parseChosenReport } from '../../src/protocol/index.ts';
import { REPORT_SIGNING } from '../../src/renderer/components/hand-over/texts.ts';
import { readHtmlReport } from '../../src/reports/reading/index.ts';
import { submitAirlineActions } from '../support/airline-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { chosenSentences, expectInOrder } from '../support/chosen-sentences.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { bundleOf, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

const folder = temporaryFolder();
const RECORDS = '1100,3,400,77,652';

/** What the verifier in one file says of a file: its exit code and what it prints. */
function singleFile(path: string, kid: string): Promise<{ readonly code: number; readonly text: string }> {
  const verifier = join(ROOT, 'resources', 'verifier', 'verify-bundle.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [verifier, path, `--trust=${kid}`], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** A copy of a file in which one text stands for another, once. */
function altered(path: string, name: string, from: string, to: string): string {
  const text = readFileSync(path, 'latin1');
  expect(text.split(from).length, `${from} stands there once`).toBe(2);
  const copy = join(folder, name);
  writeFileSync(copy, text.replace(from, to), 'latin1');
  return copy;
}

describe.skipIf(chromiumPath() === undefined)('a report of 5 scattered records of 1,164', () => {
  let service: TestService;
  let browser: Browser;
  let workspace: BrowserContext;
  const html = join(folder, 'report.html');
  const pdf = join(folder, 'report.pdf');

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const owner = await service.signUp();
    await submitAirlineActions(owner);
    const bundle = join(folder, 'airline.json');
    writeFileSync(bundle, await bundleOf(owner));
    const said = ['--records', RECORDS, '--title', 'Refunds', '--question', 'Which were promised?', '--comment'];
    for (const out of [html, pdf]) {
      const made = await run('report', bundle, ...said, '652=Booked in 1652.', '--trust', service.kid, '-o', out);
      expect(made, made.stderr).toMatchObject({ code: 0 });
      if (out === pdf) expect(Number(/(\d+) pages/.exec(made.stdout)?.[1])).toBeLessThanOrEqual(8);
    }
    browser = await openBrowser();
    workspace = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    const member = service.addMember(owner, 'org_owner');
    await signInPage(workspace, service, member);
    service.sql.prepare('UPDATE sessions SET proved_at = ? WHERE user_id = ?').run(Date.now(), member.userId);
  });

  /** Opens a file in a browser without a network. Its policy is passed over only where axe has to look at it. */
  const openFile = async (path: string, options: { dark?: boolean; bypassCSP?: boolean } = {}) => {
    const { dark = false, bypassCSP = false } = options;
    const context = await browser.newContext({ offline: true, colorScheme: dark ? 'dark' : 'light', bypassCSP });
    const opened = await openPage(context);
    await opened.page.goto(pathToFileURL(path).href);
    await opened.page.locator('.verdict').waitFor();
    return opened;
  };
  const verdict = (page: Page): Promise<string> => page.locator('.verdict').innerText();

  it('is one of many: that of all 1,164 has at most 12 pages, of which the records are none', async () => {
    const whole = join(folder, 'all.pdf');
    const made = await run('report', join(folder, 'airline.json'), '--trust', service.kid, '-o', whole);
    expect(Number(/(\d+) pages/.exec(made.stdout)?.[1])).toBeLessThanOrEqual(12);
  });

  it('is verified by the command; the verifier in one file verifies its data and looks at no pages', async () => {
    for (const path of [html, pdf]) {
      const verified = await run('verify', path, '--trust', service.kid);
      expect(verified.code).toBe(0);
      expect(verified.stdout).toContain('The pages of this report match its data');
      expect((await run('verify', path)).code).toBe(3);
      const single = await singleFile(path, service.kid);
      expect([single.code, /The data +verified/.test(single.text)]).toEqual([3, true]);
    }
  });

  it('verifies itself from file:// without a network, once the fingerprint is compared by keyboard', async () => {
    const { page, complaints, origins } = await openFile(html);
    expect(await verdict(page)).toContain('Consistent, issuer not confirmed');
    for (const text of ['Which were promised?', 'Booked in 1652.', 'What this report proves']) {
      await page.getByText(text).first().waitFor();
    }
    await expect.poll(() => page.locator('article').count()).toBe(5);
    await page.keyboard.press('Tab');
    const field = page.getByLabel('Fingerprint that you received');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('1'.repeat(60));
    await page.keyboard.press('Enter');
    await page.getByText('It is not the fingerprint of this issuer').waitFor();
    expect(await verdict(page)).not.toContain('Verified');
    await field.fill(fingerprintDigits(service.kid).join(' '));
    await page.keyboard.press('Enter');
    await page.getByText('It is the same fingerprint.').waitFor();
    expect(await verdict(page)).toContain('Verified');
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual(['null']);
  });

  it('says every sentence of its description, in its order', async () => {
    const { data } = readHtmlReport(readFileSync(html));
    const { page } = await openFile(html);
    const text = await page.evaluate(() => document.getElementById('report')?.textContent ?? '');
    expectInOrder(text, await chosenSentences(parseChosenReport(data), 'FILE.html'));
  });

  it('has verified data and pages that were not compared in the window that checks without storing', async () => {
    const { page } = await openPage(await browser.newContext());
    await page.goto(`${service.url}/#/verify`);
    const verify = async (path: string): Promise<void> => {
      await page.getByLabel(/Trusted fingerprints/).fill(service.kid);
      await page.getByLabel('Bundle, report or proof').setInputFiles(path);
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
    };
    const panel = page.getByRole('region', { name: 'Report of chosen records' });
    for (const path of [pdf, html]) {
      await page.reload();
      await verify(path);
      await panel.getByText('Report incomplete').waitFor();
      await panel.getByText('Only the data inside this file are proven').waitFor();
      await panel.getByText('5 records', { exact: true }).waitFor();
    }
    expect(await seriousIssues(page)).toEqual([]);
    await verify(altered(html, 'window.html', 'Booked in 1652.', 'Booked in 1654.'));
    await panel.getByText('REPORT_DIGEST_MISMATCH').waitFor();
    await panel.getByText('Report failed').waitFor();
  });

  it.each([false, true])('has nothing that axe finds, dark: %s', async (dark) => {
    const { page } = await openFile(html, { dark, bypassCSP: true });
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('says without scripts what it is, and shows nothing unverified', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(html).href);
    await expect.poll(() => page.locator('body').innerText()).toContain('needs scripts');
    expect(await page.locator('body').innerText()).not.toContain('1652');
  });

  it('says where its script was altered that it was, and shows nothing', async () => {
    const copy = altered(html, 'script.html', 'Checking the proofs in this file', 'Everything is verified here');
    const page = await (await browser.newContext()).newPage();
    await page.goto(pathToFileURL(copy).href);
    await page.getByText('the script of this file was changed').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('1652');
  });

  it.each([
    ['a comment', 'Booked in 1652.', 'Booked in 1653.', 'REPORT_DIGEST_MISMATCH'],
    ['a sequence number', '"seq_no":77}', '"seq_no":78}', 'REPORT_ENTRY_UNKNOWN'],
    ['the subject of a record', '"subject":"WUNA5K"', '"subject":"WUNA6K"', 'SIGNATURE_INVALID'],
  ])(
    'shows that %s was altered: to the command, the verifier in one file, and in the browser',
    async (what, from, to, code) => {
      const copy = altered(html, `${what}.html`, from, to);
      const verified = await run('verify', copy, '--trust', service.kid);
      expect(verified.code).toBe(1);
      expect(verified.stdout).toContain(code);
      const single = await singleFile(copy, service.kid);
      expect(single.code).toBe(1);
      expect(single.text).toContain(code);
      const { page } = await openFile(copy);
      expect(await verdict(page)).toMatch(/Altered|Failed/);
      await page.getByText(code).waitFor();
    },
  );

  it('shows the command that the page around the data was altered', async () => {
    const copy = altered(html, 'page.html', '<title>Refunds</title>', '<title>Refunds.</title>');
    const verified = await run('verify', copy, '--trust', service.kid);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('do not read them');
    const older = altered(html, 'older.html', 'content="Countersign 0.1.0"', 'content="Countersign 0.0.9"');
    const other = await run('verify', older, '--trust', service.kid);
    expect(other.stdout).toContain('were not compared');
  });

  /** Selects three records and opens the dialog, by keyboard. */
  const openDialog = async (page: Page): Promise<Locator> => {
    await page.goto(`${service.url}/#/search`);
    await page
      .locator('.grid-foot')
      .getByText(/1,164 actions/)
      .waitFor();
    await page.locator('.grid-body a, [role="row"] a').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('region', { name: 'Selected records' });
    await bar.getByText('3 actions selected').waitFor();
    await bar.getByRole('button', { name: 'Hand over…', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Hand over 3 records' });
    await dialog.getByRole('radio', { name: /^PDF report/ }).check();
    return dialog;
  };

  it('is made in the workspace by keyboard alone, from a selection', async () => {
    const { page, complaints } = await openPage(workspace);
    const dialog = await openDialog(page);
    await dialog.getByLabel('Title').fill('Three records');
    await dialog.getByRole('radio', { name: /^HTML report/ }).check();
    const items = dialog.getByRole('listitem');
    const numbers = async (): Promise<(string | undefined)[]> =>
      (await items.allInnerTexts()).map((text) => /No\. ([\d,]+)/.exec(text)?.[1]);
    const [first, second, third] = await numbers();
    await dialog.getByRole('button', { name: `Move No. ${first?.replace(',', '')} down`, exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(numbers).toEqual([second, first, third]);
    await page.keyboard.press('Enter');
    await expect.poll(numbers).toEqual([second, third, first]);
    const comment = dialog.getByRole('button', { name: `Comment on No. ${second?.replace(',', '')}`, exact: true });
    await comment.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: /Comment on/ }).fill('Begin here.');
    expect(await seriousIssues(page)).toEqual([]);
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save report', exact: true }).focus();
    await page.keyboard.press('Enter');
    const file: Download = await saving;
    const path = join(folder, 'from-window.html');
    await file.saveAs(path);
    expect((await run('verify', path, '--trust', service.kid)).code).toBe(0);
    const opened = await openFile(path);
    const headings = await opened.page.locator('article h3').allInnerTexts();
    expect(headings.map((text) => /No\. ([\d,]+)/.exec(text)?.[1])).toEqual([second, third, first]);
    await opened.page.getByText('Begin here.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is signed in the workspace, by keyboard, with a key that is made there', async () => {
    const { page, complaints } = await openPage(workspace);
    const dialog = await openDialog(page);
    await dialog.getByText('The report will not be signed').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create signing key', exact: true }).focus();
    await page.keyboard.press('Enter');
    const sign = dialog.getByRole('checkbox', { name: 'Sign the report with your key' });
    await sign.waitFor();
    await expect.poll(() => sign.isChecked()).toBe(true);
    await expect.poll(() => sign.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);
    const fingerprint = (
      await dialog
        .locator('.field')
        .filter({ has: page.getByRole('checkbox', { name: 'Sign the report with your key' }) })
        .locator('.code')
        .innerText()
    ).trim();
    await dialog.getByLabel('Title').fill('Signed here');
    await dialog.getByRole('radio', { name: /^HTML report/ }).check();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save report', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('A signed report of 3 records was saved.').waitFor();
    const path = join(folder, 'signed.html');
    await (await saving).saveAs(path);
    const verified = await run('verify', path, '--trust', service.kid);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toContain(`signed by     the key ${fingerprint}`);
    const copy = altered(path, 'signed-altered.html', 'Signed here","trusted', 'Signed gone","trusted');
    expect((await run('verify', copy, '--trust', service.kid)).stdout).toContain('REPORT_SIGNATURE_INVALID');

    await openDialog(page);
    await sign.focus();
    await page.keyboard.press('Space');
    await dialog.getByText(REPORT_SIGNING.leftUnsigned).waitFor();
    const unsigned = page.waitForEvent('download');
    await dialog.getByLabel('Title').press('Enter');
    const plain = join(folder, 'unsigned.pdf');
    await (await unsigned).saveAs(plain);
    expect((await run('verify', plain, '--trust', service.kid)).stdout).toContain('signed by     nobody');
    expect(complaints).toEqual([]);
  });
});
