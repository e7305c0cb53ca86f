// How the screens behave under the hands of somebody who types, goes along rows, drops files and loses the connection.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { KEY_FIELDS } from '../../src/renderer/screens/agents/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage } from '../support/browser.ts';
import { type Account, bundleOf, TestService } from '../support/service.ts';
import { fill, setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('the screens', () => {
  let service: TestService;
  let watched: WatchedPage;
  let page: Page;
  let account: Account;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    watched = await openPage(context);
    page = watched.page;
    account = await setUp(page, service);
    await fill(account);
  });

  const go = (path: string) => page.goto(`${service.url}/#${path}`);

  it('say what is wrong with a time where it is typed', async () => {
    await go('/search');
    await page.getByText('400 actions').waitFor();
    await page.getByRole('button', { name: /^Any time/ }).click();
    await page.getByLabel('Issued from (UTC)').fill('noonish');
    await page.getByRole('button', { name: 'Apply times', exact: true }).click();
    await page.getByText('Not a date or time. Try 10:00').waitFor();
    await page.getByLabel('Issued from (UTC)').fill('now');
    await page.getByLabel('Issued before (UTC)').fill('-15m');
    await page.getByRole('button', { name: 'Apply times', exact: true }).click();
    await page.getByText('The range ends before it begins.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('offer the agents that contain what an address names', async () => {
    await go('/search?agentId=b');
    await page.getByText('1 agent contains').waitFor();
    await page.getByRole('link', { name: 'billing-bot', exact: true }).click();
    await page.getByText('266 actions').waitFor();
  });

  it('let the details follow the focus, and open what is chosen', async () => {
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.getByRole('region', { name: `Action ${focused}` }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: `Search / Operation ${focused}` }).waitFor();
  });

  it('check the id of an agent while it is typed, before a key is made', async () => {
    await go('/register-agent');
    const make = page.getByRole('button', { name: KEY_FIELDS.generateKey, exact: true });
    await expect.poll(() => make.isDisabled()).toBe(true);
    const field = page.getByLabel('Agent', { exact: true });
    await field.fill('billing bot');
    await page.getByRole('alert').filter({ hasText: 'no spaces' }).waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('billing-bot');
    await page.getByRole('alert').filter({ hasText: 'An agent with this ID is registered' }).waitFor();
    await field.fill('other-bot');
    await expect.poll(() => make.isEnabled()).toBe(true);
  });

  it('show a file that was dropped in the field for it', async () => {
    await go('/cases');
    const text = (await bundleOf(account)).toString('utf8');
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'dropped.csbundle'));
      return transfer;
    }, text);
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
    const field = page.getByLabel('Bundle or report');
    await expect
      .poll(() => field.evaluate((input: HTMLInputElement) => input.files?.[0]?.name))
      .toBe('dropped.csbundle');
    await page.getByText('Nothing is verified yet').waitFor();
  });

  it('say before an export is made how many records it will hold', async () => {
    await go('/exports?new=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Everything', exact: true }).click();
    await dialog
      .getByText(/400 records/)
      .first()
      .waitFor();
    await dialog.getByLabel('Agent (optional)').fill('nobody');
    await dialog.getByText('no agent "nobody"').waitFor();
    await page.keyboard.press('Escape');
  });

  it('leave nothing green once the service has stopped, and recover by themselves', async () => {
    await go('/dashboard');
    await page.locator('.chart canvas').waitFor();
    const health = page
      .locator('section, div')
      .filter({ has: page.getByText('Service key') })
      .last();
    await health.getByText('Working', { exact: true }).first().waitFor();
    const { port } = new URL(service.url);
    await service.stop();
    await page.getByText(/Not connected since \d\d:\d\d:\d\d/).waitFor();
    await page.getByText('was Working').first().waitFor();
    const green = await page.evaluate(() => {
      const good = [...document.querySelectorAll('.mark-pass')].map((mark) => getComputedStyle(mark).color);
      const muted = document.createElement('span');
      muted.style.color = 'var(--ink-muted)';
      document.querySelector('.shell')?.append(muted);
      const neutral = getComputedStyle(muted).color;
      muted.remove();
      return good.filter((colour) => colour !== neutral);
    });
    expect(green).toEqual([]);
    await service.restart({ port: Number(port) });
    await page.getByText(/Not connected since/).waitFor({ state: 'detached' });
    await page.getByText('was Working').first().waitFor({ state: 'detached' });
    expect(watched.complaints).toEqual([]);
  });
});
