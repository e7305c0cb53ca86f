// docs/investigating.md, Tags, notes and bookmarks: over the live ledger, by keyboard alone, found again by query and value.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { REPORT_DIALOG } from '../../src/renderer/components/hand-over/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { type Account, registerAgent, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

const SHOTS = process.env['COUNTERSIGN_SHOTS'];

describe.skipIf(chromiumPath() === undefined)('tags, notes and bookmarks in the workspace', () => {
  let service: TestService;
  let owner: Account;
  let browser: Browser;
  let page: Page;

  const opened = async (account: Account, dark = false): Promise<Page> => {
    const colorScheme = dark ? 'dark' : 'light';
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, colorScheme });
    await signInPage(context, service, account);
    return (await openPage(context)).page;
  };
  const shot = async (of: Page, name: string): Promise<void> => {
    if (SHOTS !== undefined) await of.screenshot({ path: join(SHOTS, `${name}.png`) });
  };
  const rowOf = (of: Page, seqNo: number) => of.locator('[data-row]', { hasText: new RegExp(`^${seqNo}$`) });
  const focused = (of: Page): Promise<string> => of.evaluate(() => document.activeElement?.textContent ?? '');

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    const signer = await registerAgent(owner);
    for (let n = 1; n <= 6; n++) {
      const payload = { session: 's1', tool: 'refund', arguments: { amount: n * 10 }, result: 'done' };
      await owner.client.ok('submitOperation', { body: signer.next({ payload, subject: `order ${n}` }) });
    }
    browser = await openBrowser();
    page = await opened(owner);
  });

  it('bookmarks a row, and tags several with a note, by keys', async () => {
    await page.goto(`${service.url}/#/search`);
    await rowOf(page, 6).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe('5');
    await page.keyboard.press('b');
    await page.getByText('1 record bookmarked.').waitFor();
    await page.locator('[data-row]').nth(1).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.getByText('2 actions selected').waitFor();
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tags and note of 2 records' });
    await dialog.waitFor();
    await dialog.getByLabel('Add a tag').focus();
    await page.keyboard.type('look into');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Note to add').focus();
    await page.keyboard.type('Ask the branch.');
    expect(await seriousIssues(page)).toEqual([]);
    await shot(page, 'annotate-dialog');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2 records changed.').waitFor();
    const query = { tags: [{ tag: 'look into', count: 2 }] };
    expect(await owner.client.ok('liveAnnotations')).toMatchObject(query);
    const bookmarks = await owner.client.ok('liveAnnotations', { query: { bookmarked: 'true' } });
    expect(bookmarks.data.map(({ note }) => note)).toEqual(['Ask the branch.']);
  });

  it('finds them by query, by the value of a facet, and as a list of bookmarks', async () => {
    await page.goto(`${service.url}/#/search`);
    await page.getByRole('button', { name: /^look into/ }).click();
    await page.getByText('2 actions', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Query' }).inputValue()).toBe('tag = "look into"');
    await page.goto(`${service.url}/#/search`);
    await page.getByText('6 actions').waitFor();
    await page.getByText('Saved searches', { exact: true }).click();
    await page.getByRole('link', { name: 'Bookmarked records' }).click();
    await page.getByText('1 action').waitFor();
    await page.getByRole('row').filter({ hasText: 'Bookmarked' }).waitFor();
  });

  it.each([false, true])('looks as it should and has nothing that axe finds, dark: %s', async (dark) => {
    const other = await opened(owner, dark);
    await other.goto(`${service.url}/#/search`);
    await other.getByRole('row').filter({ hasText: 'look into' }).first().waitFor();
    await rowOf(other, 5).focus();
    await other.getByRole('button', { name: 'Bookmarked', exact: true }).waitFor();
    expect(await seriousIssues(other)).toEqual([]);
    await shot(other, `annotations-search-${dark ? 'dark' : 'light'}`);
    await other.keyboard.press('o');
    await other.getByRole('region', { name: 'History of tags, note and bookmark' }).getByRole('row').nth(2).waitFor();
    expect(await seriousIssues(other)).toEqual([]);
    await shot(other, `annotations-operation-${dark ? 'dark' : 'light'}`);
  });

  it('puts notes into the comments of a report where somebody asks for it', async () => {
    await page.goto(`${service.url}/#/search?query=${encodeURIComponent('tag = "look into"')}`);
    // The same page would still have the records that were selected.
    await page.reload();
    await page.getByText('2 actions', { exact: true }).waitFor();
    await rowOf(page, 5).focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('region', { name: 'Selected records' });
    await bar.getByRole('button', { name: 'Hand over…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over 1 record' });
    await dialog.getByRole('radio', { name: /^PDF report/ }).check();
    await dialog.getByRole('button', { name: 'Comment on No. 5', exact: true }).click();
    const comment = dialog.getByRole('textbox', { name: 'Comment on No. 5' });
    await expect.poll(() => comment.inputValue()).toBe('');
    await dialog.getByRole('button', { name: REPORT_DIALOG.noteComments(1), exact: true }).click();
    await expect.poll(() => comment.inputValue()).toBe('Ask the branch.');
    await shot(page, 'report-dialog');
    await page.keyboard.press('Escape');
  });

  it('shows a member who may not write what others wrote, and locks the rest', async () => {
    await owner.client.ok('changeOrganization', { body: { separate_duties: true } });
    const reader = await opened(service.addMember(owner, 'readonly_investigator'));
    await reader.goto(`${service.url}/#/search`);
    await rowOf(reader, 5).focus();
    await reader.getByRole('button', { name: 'Bookmarked', exact: true }).waitFor();
    await expect.poll(() => reader.getByRole('button', { name: 'Bookmarked', exact: true }).isDisabled()).toBe(true);
    expect(await reader.getByLabel('Add a tag').count()).toBe(0);
    await reader.keyboard.press('b');
    await reader
      .getByText(/^This needs the role/)
      .first()
      .waitFor();
  });
});
