// A clock that jumped, on the dashboard: confirmed by mistake, then corrected; and which records say so from then on.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { describeWrongClock } from '../../src/protocol/index.ts';
import { CONFIRM, WRONG_CLOCK } from '../../src/renderer/components/texts.ts';
import { CLOCK_PANEL } from '../../src/renderer/screens/dashboard/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage } from '../support/browser.ts';
import { picture } from '../support/pictures.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { OWNER, setUp } from '../support/workspace.ts';

const MARK = describeWrongClock(WRONG_CLOCK.seq_no, '');
const realNow = Date.now;
let shift = 0;

describe.skipIf(chromiumPath() === undefined)('a clock that jumped, in the workspace', () => {
  let service: TestService;
  let watched: WatchedPage;
  let page: Page;
  let account: Account;
  let signer: Signer;

  beforeAll(async () => {
    // The service takes the machine's clock from here; that of the page stays as it is.
    Date.now = () => realNow() + shift;
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    watched = await openPage(context);
    page = watched.page;
    account = await setUp(page, service);
    signer = await registerAgent(account, 'billing');
  });
  afterAll(() => {
    Date.now = realNow;
  });

  async function pictures(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${colorScheme}`);
    }
  }

  async function answer(state: 'in_doubt' | 'ledger_ahead', reason: string): Promise<void> {
    await page.goto(`${service.url}/#/dashboard`);
    await page.reload();
    const { ask, verb, done } = CLOCK_PANEL[state];
    await page.getByRole('button', { name: ask }).waitFor();
    await pictures(`clock-${state}`);
    await page.getByRole('button', { name: ask }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(CONFIRM.reason).fill(reason);
    const password = dialog.getByLabel('Password');
    if (await password.isVisible()) await password.fill(OWNER.password);
    await dialog.getByRole('button', { name: verb }).click();
    await page.getByText(done).waitFor();
    await page.getByRole('button', { name: ask }).waitFor({ state: 'detached' });
  }

  it('is confirmed by an owner, then corrected, and the records of the stretch bear a mark wherever they are listed', async () => {
    await submitNext(account, signer, { payload: { n: 1 } });
    shift = 2 * 3_600_000;
    await answer('in_doubt', 'the machine was off');
    await submitNext(account, signer, { payload: { n: 2 } });
    shift = 0;
    await answer('ledger_ahead', 'it was not');
    const { operation_id } = await submitNext(account, signer, { payload: { n: 3 } });
    const { data } = await account.client.ok('auditQuery', { body: { limit: 3 } });
    const wrong = data.find(({ seq_no }) => seq_no === 2);
    await page.goto(`${service.url}/#/search`);
    await page.getByRole('img', { name: MARK }).first().waitFor();
    await expect.poll(() => page.getByRole('img', { name: MARK }).count()).toBe(1);
    await pictures('clock-corrected-list');
    await page.goto(`${service.url}/#/operations/${wrong?.operation_id}`);
    await page.getByText(MARK).waitFor();
    await pictures('clock-corrected-record');
    await page.goto(`${service.url}/#/operations/${operation_id}`);
    await page.getByText(operation_id).first().waitFor();
    expect(await page.getByText(MARK).count()).toBe(0);
    expect(watched.complaints).toEqual([]);
  });
});
