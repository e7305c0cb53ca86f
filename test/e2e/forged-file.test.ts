// README's moving picture: a forged export is dropped on the window, and two clicks later its record is shown next to the true
// one. With COUNTERSIGN_SCREENSHOTS=1 it is recorded.
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { submitAirlineActions } from '../support/airline-actions.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { Recording } from '../support/recording/recording.ts';
import { bundleOf, TestService } from '../support/service.ts';
import { setUp } from '../support/workspace.ts';

const MOVING_PICTURE = join(ROOT, 'docs', 'screenshots', 'forged-file.gif');
const IS_PICTURED = process.env['COUNTERSIGN_SCREENSHOTS'] === '1';
const MAX_BYTES = 2_000_000;
/** Some forty pictures, each of which takes a busy machine seconds. */
const LIMIT_MS = 15 * 60_000;

const FILE = 'from-operator.csbundle';
/** Once in the records: a voucher that a real agent gave a customer. */
const TRUE_AMOUNT = '"arguments":{"amount":200,';
const FORGED_AMOUNT = '"arguments":{"amount":2000,';

async function drop(page: Page, text: string, over: () => Promise<void>): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name = '', content = '']) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name));
      return transfer;
    },
    [FILE, text],
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.getByText('Drop a bundle').waitFor();
  await over();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

describe.skipIf(chromiumPath() === undefined)('a forged file', () => {
  it('is dropped, and two clicks later shown next to the true record', { timeout: LIMIT_MS }, async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: '' });
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1120, height: 640 },
      deviceScaleFactor: IS_PICTURED ? 1.25 : 1,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const { page, complaints } = await openPage(context);
    const account = await setUp(page, service);
    await submitAirlineActions(account);
    const whole = (await bundleOf(account)).toString('utf8');
    expect(whole.split(TRUE_AMOUNT)).toHaveLength(2);
    const recording = IS_PICTURED ? await Recording.of(page, { x: 980, y: 590 }) : null;

    await page.goto(`${service.url}/#/cases`);
    await page.getByRole('heading', { name: 'No case yet' }).waitFor();
    await recording?.say('Somebody hands you the record of 1,164 actions of AI agents. One figure in it is forged.');
    await recording?.hold(1800);
    await drop(page, whole.replace(TRUE_AMOUNT, FORGED_AMOUNT), async () => {
      await recording?.say('1&ensp;Drop the file');
      await recording?.carry(FILE);
      await recording?.move({ x: 640, y: 330 });
      await recording?.hold(500);
    });
    await recording?.carry('');
    const open = page.getByRole('button', { name: 'Verify and open as a case', exact: true });
    await open.waitFor();
    await recording?.hold(900);
    await recording?.say('2&ensp;Verify: every signature, hash and chain');
    await recording?.click(open);
    if (recording === null) await open.click();
    await page.getByRole('heading', { name: 'Verdict: failed' }).waitFor();
    const headline =
      /^Record \S+ was changed after it was signed: arguments\.amount is 2000, 200 was signed\. The live ledger/;
    await page.getByRole('status').getByText(headline).waitFor();
    await recording?.say('One of 1,164 records is not what the agent signed');
    await recording?.hold(2200);
    const map = page.getByRole('img', { name: /^Records 1 to 1164: .*1 damaged/ });
    await map.waitFor();
    await recording?.scrollTo(map, 110);
    await recording?.moveTo(map.locator('.damage-damaged'));
    await recording?.hold(1400);
    const record = page.getByRole('link', { name: /^Record \d+$/ }).first();
    await recording?.say('3&ensp;Open the record');
    await recording?.click(record);
    if (recording === null) await record.click();
    await page.getByText('Differs from this record').waitFor();
    await page.getByText(headline).waitFor();
    await page.locator('.difference-changed').filter({ hasText: 'amount' }).waitFor();
    await recording?.say('The voucher was 200, not 2000');
    await recording?.hold(3800);

    const size = recording?.write(MOVING_PICTURE) ?? 0;
    expect(size).toBeLessThan(MAX_BYTES);
    expect(complaints).toEqual([]);
  });
});
