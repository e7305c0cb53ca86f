// Records that were received by a wrong clock (protocol V147, R45): in a case, in the epochs, and in a report that verifies itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { clockNote, describeWrongClock } from '../../src/protocol/index.ts';
import { WRONG_CLOCK } from '../../src/renderer/components/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { correctedLedger, RIGHT_RECORDS, WRONG_RECORDS } from '../support/corrected-ledger.ts';
import { temporaryFolder } from '../support/folders.ts';
import { picture } from '../support/pictures.ts';
import { type Account, bundleOf, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

describe.skipIf(chromiumPath() === undefined)('records that were received by a wrong clock', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let owner: Account;
  let correctedAt: string;
  let caseId: string;
  const marks = (of: Page) => of.getByRole('img', { name: describeWrongClock(WRONG_CLOCK.seq_no, '') });

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    ({ owner, correctedAt } = await correctedLedger(service, await service.signUp()));
    const bundle = { name: 'export.csbundle', bytes: await bundleOf(owner) };
    ({ case_id: caseId } = await importCase(owner.client, bundle, { trusted_kids: [service.kid] }));
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await signInPage(context, service, owner);
    watched = await openPage(context);
    page = watched.page;
  });

  it.each([
    ['the live ledger', () => ''],
    ['a case', () => `/cases/${caseId}`],
  ])('bear a mark in the list of %s, on their pages and next to their epoch', async (what, base) => {
    const { data } = await owner.client.ok('auditQuery', { body: { limit: 10 } });
    await page.goto(`${service.url}/#${base()}/search`);
    await expect.poll(() => marks(page).count()).toBe(WRONG_RECORDS.length);
    await picture(page, `wrong-clock-list-${what.replaceAll(' ', '-')}`);
    for (const { seq_no, operation_id } of data) {
      await page.goto(`${service.url}/#${base()}/operations/${operation_id}`);
      await page.getByText(operation_id).first().waitFor();
      const note = page.getByText(describeWrongClock(WRONG_CLOCK.seq_no, ''));
      if ((RIGHT_RECORDS as readonly number[]).includes(seq_no)) {
        await page.locator('dl.facts time').first().waitFor();
        expect(await note.count()).toBe(0);
      } else {
        await note.waitFor();
        await picture(page, `wrong-clock-record-${what.replaceAll(' ', '-')}`);
      }
    }
    await page.goto(`${service.url}/#${base()}/epochs`);
    await page.getByRole('img', { name: describeWrongClock(WRONG_CLOCK.epoch_no, '') }).waitFor();
    await expect.poll(() => marks(page).count()).toBe(1);
    await picture(page, `wrong-clock-epochs-${what.replaceAll(' ', '-')}`);
    expect(watched.complaints).toEqual([]);
  });

  it('say so in a report of chosen records as HTML, of which nothing else is marked', async () => {
    const body = {
      title: 'Who was it?',
      format: 'html',
      entries: [{ seq_no: 1 }, { seq_no: 2 }, { seq_no: 3 }],
    } as const;
    const { bytes } = await owner.client.call('caseReportOfRecords', { params: { case_id: caseId }, body });
    const path = join(temporaryFolder(), 'report.html');
    writeFileSync(path, bytes);
    const offline = await browser.newContext({ offline: true });
    const { page: opened, complaints } = await openPage(offline);
    await opened.goto(pathToFileURL(path).href);
    await opened.locator('.verdict').waitFor();
    const texts = await opened.locator('article').allInnerTexts();
    expect(texts.map((text) => text.includes(clockNote(correctedAt)))).toEqual([false, true, true]);
    await picture(opened, 'wrong-clock-report-html');
    expect(complaints).toEqual([]);
  });
});
