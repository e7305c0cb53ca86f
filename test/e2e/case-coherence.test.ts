// Coherence in the case room: a lamp apart from the verdict, and ways from what it found to the records.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ANNOTATION_TEXTS } from '../../src/renderer/components/annotations/texts.ts';
import { action, approvedPayloads, bundleOfPayloads } from '../support/agent-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes, type WatchedPage } from '../support/browser.ts';
import { serviceKid } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase, type WorkstationClient } from '../support/cases.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const trusted_kids = [serviceKid(0)];
const honest = bundleOfPayloads(approvedPayloads(1));
const AT = '2026-05-01T10:00:00.000Z';
const gap = action('gap', { gap: { count: 1, first_at: AT, last_at: AT, reason: 'the disk was full' } });

describe.skipIf(chromiumPath() === undefined)('coherence in the case room', () => {
  let service: TestService;
  let desk: WorkstationClient;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    watched = await openPage(context);
    page = watched.page;
    await enter();
    desk = await enterWorkstation(service);
  });

  async function enter(): Promise<void> {
    await page.goto(service.workstationLink());
    await page.getByRole('button', { name: 'Open the workstation', exact: true }).click();
    await page.waitForURL(/#\/dashboard/);
  }

  async function show(name: string, text: string): Promise<string> {
    const { case_id } = await importCase(desk, { name, bytes: Buffer.from(text) }, { trusted_kids });
    await page.goto(`${service.url}/#/cases/${case_id}`);
    await page.getByRole('heading', { name: 'Verdict: verified' }).waitFor();
    return case_id;
  }

  const panel = () => page.getByRole('region', { name: 'Coherence of agent actions' });
  const findings = () => panel().getByRole('list', { name: 'Findings of coherence' }).getByRole('listitem');

  it('has no lamp for a bundle without agent actions', async () => {
    await show('plain', bundleOfPayloads([{ n: 1 }, { n: 2 }]));
    expect(await panel().count()).toBe(0);
    expect(await page.locator('.lamp').count()).toBe(0);
  });

  it('shows a lamp apart from a verdict that stays verified, contradictions first', async () => {
    await show('incoherent', bundleOfPayloads([...Array.from({ length: 12 }, () => gap), ...approvedPayloads(1, 2)]));
    await panel().getByText('Incoherent', { exact: true }).waitFor();
    await panel().getByText('1 contradiction, 13 open questions').waitFor();
    await panel().getByText('Coherence does not change the verdict.').waitFor();
    const banner = page.getByRole('region', { name: 'Case', exact: true });
    await banner.getByText('Verified').waitFor();
    await banner.getByText('Actions incoherent').waitFor();
    const [first] = await findings().allInnerTexts();
    expect(first).toContain('EXECUTED_OTHER_THAN_APPROVED');
    expect(first).toMatch(
      /Record 15 \(operation [0-9a-f-]{36}\), compared with record 14, in its payload at \/input\/value/,
    );
    await expect.poll(() => findings().count()).toBe(6);
    await panel().getByRole('button', { name: 'Show 9 more', exact: true }).click();
    await expect.poll(() => findings().count()).toBe(14);
  });

  it('has no serious issue for people with disabilities, light and dark', async () => {
    expect(await seriousIssuesInThemes(page)).toEqual([]);
  });

  it('leads from a finding to its record in the case', async () => {
    await findings().first().getByRole('link', { name: 'Record 15' }).click();
    await page.waitForURL(/cases\/[0-9a-f-]{36}\/operations\/[0-9a-f-]{36}/);
    await page.getByRole('heading', { name: ANNOTATION_TEXTS.panel }).waitFor();
  });

  it('says of a case of an older version that it was not checked, until it is verified again', async () => {
    const { case_id } = await importCase(desk, { name: 'older', bytes: Buffer.from(honest) }, { trusted_kids });
    await service.stop();
    const about = join(service.dataDir, 'cases', case_id, 'case.json');
    const { coherence: _, ...older } = JSON.parse(readFileSync(about, 'utf8'));
    writeFileSync(about, JSON.stringify(older));
    await service.restart();
    await enter();
    await page.goto(`${service.url}/#/cases/${case_id}`);
    await panel().getByText('Not checked', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.lamp').count()).toBe(1);
    await page.getByRole('button', { name: 'Verify again', exact: true }).click();
    await panel().getByText('Coherent, with open questions', { exact: true }).waitFor();
    await panel().getByText('0 contradictions, 1 open question in 4 records (1 action, 0 sessions)').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
