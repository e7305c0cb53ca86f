// The chain explorer on a chain that is longer than what it keeps in memory.

import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { CHAIN_SCREEN } from '../../src/renderer/screens/chain/texts.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { setUp } from '../support/workspace.ts';

const RECORDS = 6000;

describe.skipIf(chromiumPath() === undefined)('a long chain', () => {
  let page: Page;
  let url: string;

  beforeAll(async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    url = service.url;
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    ({ page } = await openPage(context));
    const account = await setUp(page, service);
    const signer = await registerAgent(account, 'busy');
    for (let n = 0; n < RECORDS; n += 1000) {
      const records = Array.from({ length: 1000 }, () => signer.next());
      await account.client.ok('submitBatch', { body: { records } });
    }
  });

  /** The numbers of the records that are drawn, from the top. */
  const drawn = (): Promise<number[]> =>
    page.locator('.grid-row [data-row]').evaluateAll((rows) =>
      rows
        .map((row) => ({ seqNo: Number(row.textContent), top: row.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top)
        .map(({ seqNo }) => seqNo),
    );
  /** Scrolls by 100 lines at a time until a record is drawn; the lines on the way must have no gap. */
  async function scrollTo(seqNo: number, lines: number): Promise<void> {
    await expect
      .poll(
        async () => {
          const numbers = await drawn();
          for (const [n, number] of numbers.entries()) if (n > 0) expect(number).toBe((numbers[n - 1] ?? 0) - 1);
          if (numbers.includes(seqNo)) return true;
          await page.locator('.grid-scroll').evaluate((list, by) => list.scrollBy({ top: by }), lines * 25);
          return false;
        },
        { interval: 20 },
      )
      .toBe(true);
  }

  it('is gone through from the newest to the first and back, without a gap', async () => {
    await page.goto(`${url}/#/agents/busy/chain`);
    await page.getByText(/records loaded, all linked/).waitFor();
    await scrollTo(1, 100);
    await page.getByText(CHAIN_SCREEN.downToFirst).waitFor();
    await scrollTo(RECORDS, -100);
    await page.getByText(CHAIN_SCREEN.newestTop).waitFor();
    await expect.poll(() => page.getByText(/records loaded/).innerText()).toMatch(/^4,000 records loaded, all linked/);
  });

  it('begins anywhere, and stays there while newer records come in above', async () => {
    await page.goto(`${url}/#/agents/busy/chain?seq=3000`);
    await page.locator('.grid-row.is-selected').getByText('3000', { exact: true }).waitFor();
    await page.getByText(CHAIN_SCREEN.newerOnesAbove).waitFor();
    await expect.poll(async () => (await page.getByText(/records loaded/).innerText()).startsWith('200 ')).toBe(false);
    await page.locator('.grid-row.is-selected').getByText('3000', { exact: true }).waitFor();
    await scrollTo(3150, -20);
  });

  it('goes to a time', async () => {
    await page.getByLabel(CHAIN_SCREEN.goToTime).fill('2020-01-01');
    await page.getByRole('button', { name: CHAIN_SCREEN.go, exact: true }).click();
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    await page.getByLabel(CHAIN_SCREEN.goToTime).fill('2099-01-01');
    await page.getByRole('button', { name: CHAIN_SCREEN.go, exact: true }).click();
    await page.getByRole('cell', { name: String(RECORDS), exact: true }).waitFor();
  });
});
