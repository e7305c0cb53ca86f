// docs/retention.md in the workspace, by keyboard alone: rules, a legal hold, a preview, a sweep and its certificate; and the
// line on a record's page. What axe finds on the screen, light and dark.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import type { Receipt } from '../../src/protocol/index.ts';
import { HOLD_WORDS, PLACE_HOLD } from '../../src/renderer/components/holds/texts.ts';
import { HOLDS_PANEL, SWEEPS_PANEL } from '../../src/renderer/screens/retention/texts.ts';
import {
  openBrowser,
  openPage,
  RENDERER_DIR,
  seriousIssues,
  seriousIssuesInThemes,
  type WatchedPage,
} from '../support/browser.ts';
import { goByLetter, tabTo } from '../support/by-hand.ts';
import { importCase } from '../support/cases.ts';
import { certificateOf } from '../support/retention.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('retention', () => {
  let service: TestService;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  const receipts: Receipt[] = [];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    watched = await openPage(context);
    ({ page } = watched);
    owner = await setUp(page, service);
    const signer = await registerAgent(owner, 'letters');
    for (const to of ['Ann <ann@example.org>', 'Bob', 'Cyd']) {
      const payload = { to, text: 'Dear reader' };
      receipts.push(await submitNext(owner, signer, { payload, operation_type: 'mail.send' }));
    }
  });

  const type = (text: string) => page.keyboard.insertText(text);
  const press = (key: string) => page.keyboard.press(key);

  it('is set by rules and a hold, previewed and swept, by keyboard alone', async () => {
    await press('Escape');
    await goByLetter(page, 'h');
    await page.getByRole('heading', { name: 'Retention', exact: true }).waitFor();
    await page.getByText('Never changed').waitFor();

    await tabTo(page, /^Add rule/);
    await press('Enter');
    for (const [label, text] of [
      [/^Name, rule 1/, 'Letters'],
      [/^Operation type, rule 1/, 'mail.*'],
      [/^Keep at least \(days\), rule 1/, '9'],
      [/^Erase after \(days\), rule 1/, '0'],
    ] as const) {
      await tabTo(page, label);
      await press('Control+a');
      await type(text);
    }
    // What cannot hold is said before it is sent.
    await page.getByRole('alert').getByText('must not be below').waitFor();
    await tabTo(page, /^Keep at least \(days\), rule 1/);
    await press('Control+a');
    await type('0');
    await tabTo(page, /^Save rules/);
    await press('Enter');
    await page.getByText(/^Changed /).waitFor();

    await tabTo(page, /^Place hold/);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Name or address/);
    await type('ann@exam');
    await page.getByRole('option', { name: /^ann@example\.org/ }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await press('ArrowDown');
    await page.locator('[data-highlighted]').getByText('ann@example.org').waitFor();
    await press('Enter');
    await expect.poll(() => page.getByLabel(/^Name or address/).inputValue()).toBe('ann@example.org');
    await page.getByRole('dialog').getByText('Covers 1 record at the moment.').waitFor();
    await tabTo(page, /^Show places/);
    await press('Enter');
    await page.getByRole('heading', { name: 'Covered by a hold on this person' }).waitFor();
    await tabTo(page, /^Reason/);
    await type('Matter 12');
    await tabTo(page, /^Place hold/);
    await press('Enter');
    await page.getByText('In force', { exact: true }).waitFor();
    await page.getByRole('cell', { name: 'Covers 1 record at the moment.' }).waitFor();

    await tabTo(page, /^Preview/);
    await press('Enter');
    await page.getByText('2 payloads to erase, 1 held').waitFor();
    await tabTo(page, /^Start sweep/);
    await press('Enter');
    await page.getByRole('dialog').getByText('found: 2 payloads to erase, 1 held').waitFor();
    await tabTo(page, /^Type erase to confirm/);
    await type('erase');
    await press('Enter');
    await page.getByText('2 payloads erased, 1 held').waitFor();
    await tabTo(page, /^Save certificate/);
    const begun = page.waitForEvent('download');
    await press('Enter');
    const path = await (await begun).path();
    const { sweeps } = await owner.client.ok('listSweeps');
    const [swept] = sweeps.filter(({ dry_run: isPreview }) => !isPreview);
    if (swept === undefined) throw new Error('no sweep');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(await certificateOf(owner, swept));

    await tabTo(page, /^Release/);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Reason/);
    await type('Settled');
    await press('Enter');
    await page.getByText(/^Released /).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('has no serious issue for people with disabilities, light and dark', async () => {
    await page.goto(`${service.url}/#/retention`);
    await page.getByText('2 payloads erased, 1 held').waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    for (const name of [HOLDS_PANEL.placeHold, SWEEPS_PANEL.ask]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      expect(await seriousIssuesInThemes(page)).toEqual([]);
      await press('Escape');
    }
  });

  it('is told on the page of a record in one line', async () => {
    const line = async (at: number): Promise<string | null> => {
      await page.goto(`${service.url}/#/operations/${receipts[at]?.operation_id}`);
      await page.getByText(/^Payload: /).waitFor();
      return page.getByText(/^Payload: /).textContent();
    };
    expect(await line(1)).toContain('Payload: erased.');
    expect(await line(0)).toMatch(/^Payload: due for erasure since .* by the rule Letters\.$/);
  });

  it('is locked for whoever may not change it', async () => {
    const reader = service.addMember(owner, 'compliance_auditor');
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    await signInPage(context, service, reader);
    const theirs = await openPage(context);
    await theirs.page.goto(`${service.url}/#/retention`);
    const button = (name: RegExp) => theirs.page.getByRole('button', { name });
    await button(/^Start sweep/).waitFor();
    for (const name of [/^Start sweep/, /^Preview/, /^Save rules/]) {
      await expect.poll(() => button(name).getAttribute('aria-disabled')).toBe('true');
    }
    await expect.poll(() => button(/^Place hold/).getAttribute('aria-disabled')).toBeNull();
    expect(theirs.complaints).toEqual([]);
  });

  it('holds all records of an agent, and those of a case, found by their names', async () => {
    const bundle = Buffer.from(await bundleOf(owner));
    await importCase(owner.client, { name: 'letters.csbundle', bytes: bundle }, { name: 'The letters' });
    await page.goto(`${service.url}/#/retention`);
    for (const [kind, field, typed, option] of [
      [HOLD_WORDS.agent, PLACE_HOLD.agent, 'lett', /^letters/],
      [HOLD_WORDS.case, PLACE_HOLD.case, 'lett', /^The letters/],
    ] as const) {
      await page.getByRole('button', { name: HOLDS_PANEL.placeHold }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: kind, exact: true }).click();
      await dialog.getByLabel(field, { exact: true }).pressSequentially(typed);
      await page.getByRole('option', { name: option }).click();
      await dialog.getByText('Covers 3 records at the moment.').waitFor();
      expect(await seriousIssues(page)).toEqual([]);
      await dialog.getByLabel(PLACE_HOLD.reason).fill('Matter 13');
      await dialog.getByRole('button', { name: PLACE_HOLD.placeHold }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    const { holds } = await owner.client.ok('listHolds');
    const placed = holds.filter(({ reason }) => reason === 'Matter 13').map(({ selection }) => selection.kind);
    expect(placed.toSorted()).toEqual(['agent', 'case']);
    expect(watched.complaints).toEqual([]);
  });
});
