// docs/archive.md, Search: the screens of a central node over the ledgers of three hosts, and what is refused.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { SWEEP_RESULT, SWEEPS_PANEL } from '../../src/renderer/screens/retention/texts.ts';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { type ArchiveHost, archiveHost, shipped } from '../support/archive.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { at as nth } from '../support/bytes.ts';
import { archiveOf, TestCentral } from '../support/central.ts';
import { temporaryFolder } from '../support/folders.ts';
import { AT_ONCE } from '../support/retention.ts';
import { type Account, submitNext } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

const SHOTS = process.env['COUNTERSIGN_SHOTS'];

describe.skipIf(chromiumPath() === undefined)('the screens of a central node', () => {
  const hosts: ArchiveHost[] = [];
  let central: TestCentral;
  let reader: Account;
  let browser: Browser;
  let page: Page;
  let base: string;

  const shot = async (name: string): Promise<void> => {
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `archive-${name}.png`) });
  };

  beforeAll(async () => {
    const folder = temporaryFolder();
    for (let n = 0; n < 3; n++) hosts.push(await archiveHost());
    for (let epoch = 0; epoch < 2; epoch++) {
      for (const [n, host] of hosts.entries()) {
        for (const step of [1, 2, 3]) {
          const payload = {
            session: `s${n === 2 ? 1 : n}`,
            tool: 'refund',
            arguments: { order: step },
            result: 'done',
          };
          await submitNext(host.account, host.signer, { payload, subject: `order ${step}` });
        }
        await host.seal(0);
        await shipped(host.service.dataDir, new FolderStore(folder));
      }
    }
    const changed = nth(hosts, 0);
    const ledger = join(folder, changed.service.kid, changed.account.orgId);
    const [, second = ''] = readdirSync(ledger).sort();
    const bytes = readFileSync(join(ledger, second));
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(join(ledger, second), bytes);
    central = await TestCentral.start({
      folder,
      trusted: hosts.map(({ service }) => service.kid),
      rendererDir: RENDERER_DIR,
    });
    reader = await central.service.signUp();
    await central.letRead(hosts.map(({ account }) => ({ organization: account.orgId, reader: reader.orgId })));
    await central.follow();
    const archive = await archiveOf(reader.client);
    base = `${central.service.url}/#/cases/${archive?.case_id}`;
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
    await signInPage(context, central.service, reader);
    ({ page } = await openPage(context));
  });

  it('say what was accepted, and what was refused with its code and a sentence', async () => {
    await page.goto(`${central.service.url}/#/cases`);
    await page.getByRole('link', { name: 'Archive' }).click();
    await page.getByText('5 runs of 3 ledgers accepted.').waitFor();
    await page.getByText('15 records searchable.').waitFor();
    await page.getByRole('cell', { name: 'is not as its host signed it, or not as it was accepted' }).waitFor();
    expect(await page.getByText('Failed').count()).toBeGreaterThan(0);
    await page.getByRole('link', { name: nth(hosts, 1).service.kid }).waitFor();
    await shot('verdict');
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('search over all hosts, with the ledger of each row and its count', async () => {
    await page.goto(`${base}/search?unit=records`);
    await page.getByRole('columnheader', { name: 'Issuer' }).waitFor();
    await page.locator('[data-row]').first().waitFor();
    await page.getByText('Issuer', { exact: true }).last().waitFor();
    await shot('search');
    const kid = nth(hosts, 1).service.kid;
    await page.goto(`${base}/search?unit=records&query=${encodeURIComponent(`issuer:${kid}`)}`);
    await expect.poll(() => page.locator('[data-row]').count()).toBe(6);
    await shot('one-host');
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('show a session on two hosts, and the record with its proof', async () => {
    await page.goto(`${base}/sessions`);
    await page.locator('[data-row]').first().waitFor();
    await shot('sessions');
    await page.goto(`${base}/search?unit=records&query=${encodeURIComponent('mark:SESSION_ON_OTHER_LEDGER')}`);
    await page.locator('[data-row]').first().click();
    await shot('marked');
    const { data } = await reader.client.ok('caseAuditQuery', {
      params: { case_id: base.slice(-36) },
      body: { query: 'mark:SESSION_ON_OTHER_LEDGER' },
    });
    expect(data.length).toBeGreaterThan(0);
    await page.goto(`${base}/operations/${data[0]?.operation_id}`);
    await page
      .getByText('Each step was checked', { exact: false })
      .or(page.getByRole('heading', { name: 'Verification' }))
      .first()
      .waitFor();
    await shot('record');
    expect(await seriousIssues(page)).toEqual([]);
    await page.goto(`${base}/agents`);
    await page
      .getByRole('link', { name: nth(hosts, 0).signer.agentId })
      .first()
      .waitFor();
    await shot('agents');
    await page.goto(`${base}/epochs`);
    await page.locator('[data-row]').first().waitFor();
    await shot('epochs');
  });

  it('preview what is due in the archive by the rules of its keeper', async () => {
    await central.letKeep(hosts.map(({ account }) => ({ organization: account.orgId, reader: reader.orgId })));
    await central.follow();
    const selection = { kind: 'session', session: 's0' } as const;
    await reader.client.ok('placeHold', { body: { selection, reason: 'Matter 1' } });
    await reader.client.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
    await page.goto(`${central.service.url}/#/retention`);
    await page.getByRole('button', { name: SWEEPS_PANEL.previewSweep }).click();
    const found = SWEEP_RESULT.inArchive(SWEEP_RESULT.payloads(12), '3');
    await page.getByText(found).waitFor();
    await page.getByRole('button', { name: SWEEPS_PANEL.ask }).click();
    await page.getByRole('dialog').getByText(found).waitFor();
    await shot('preview');
    expect(await seriousIssues(page)).toEqual([]);
  });
});
