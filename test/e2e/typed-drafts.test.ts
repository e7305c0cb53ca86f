// What is typed into a field and not applied yet: it stays while it is typed, and gives way to what the address says.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { setUp } from '../support/workspace.ts';

const RECORDS = 12;

describe.skipIf(chromiumPath() === undefined)('what is typed', () => {
  let page: Page;
  let go: (path: string) => Promise<unknown>;
  let epochId: string;

  beforeAll(async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    ({ page } = await openPage(await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } })));
    go = (path) => page.goto(`${service.url}/#${path}`);
    const account = await setUp(page, service);
    const signer = await registerAgent(account, 'clerk');
    await account.client.ok('submitBatch', { body: { records: Array.from({ length: RECORDS }, () => signer.next()) } });
    await account.client.ok('closeEpoch', { body: {} });
    const { data } = await account.client.ok('listEpochs');
    epochId = data[0]?.epoch_id ?? '';
  });

  const field = (label: string) => page.getByLabel(label, { exact: true });
  const focused = () => page.evaluate(() => document.activeElement?.tagName);

  it('in a filter is applied with the focus where it was, and goes back with the address', async () => {
    await go('/search');
    await page.getByText(`${RECORDS} actions`).waitFor();
    const query = field('Query');
    await query.fill('seq < 5');
    await query.press('Enter');
    await page.getByText('4 actions').waitFor();
    expect(await focused()).toBe('INPUT');
    await query.fill('seq < 7');
    await page.goBack();
    await page.getByText(`${RECORDS} actions`).waitFor();
    await expect.poll(() => query.inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => query.inputValue()).toBe('seq < 5');
  });

  it('in a filter and cannot be read is forgotten with its error where another filter is applied', async () => {
    await go('/search');
    await page.getByText(`${RECORDS} actions`).waitFor();
    await field('Query').fill('seq < many');
    await field('Query').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'many' }).waitFor();
    await page.getByText('These are the results of the previous query.').waitFor();
    await go('/search?operationType=nothing');
    await page.getByText('These are the results of the previous query.').waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Filters' }).getByText('nothing').waitFor();
  });

  it('in a filter and was never applied is cleared', async () => {
    await go('/admin-events');
    const action = page.getByRole('textbox', { name: 'Action', exact: true });
    await action.fill('agent.freeze');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => action.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear', exact: true }).waitFor({ state: 'detached' });
  });

  it('as the record of a path follows the address', async () => {
    await go(`/epochs/${epochId}`);
    await page.locator('.merkle').waitFor();
    const record = field('Path of record');
    await expect.poll(() => record.inputValue()).toBe('1');
    await record.fill('3');
    await record.press('Enter');
    await page.getByRole('link', { name: 'Operation 3' }).waitFor();
    expect(await focused()).toBe('INPUT');
    await record.fill('9');
    await page.goBack();
    await page.getByRole('link', { name: 'Operation 1', exact: true }).waitFor();
    await expect.poll(() => record.inputValue()).toBe('1');
  });

  it('in the palette is gone when that is opened again', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Go to or run' });
    await box.fill('theme');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /Theme: dark/, selected: true }).waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await box.waitFor();
    await expect.poll(() => box.inputValue()).toBe('');
    await page.getByRole('option', { selected: true }).filter({ hasText: 'Dashboard' }).waitFor();
    await page.keyboard.press('Escape');
  });
});
