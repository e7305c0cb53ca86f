// Ctrl K finds records, entities, sessions and people, over the live ledger and over a case: docs/investigating.md.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { COMMANDS, FOUND, PALETTE } from '../../src/renderer/app/texts.ts';
import { newAgentOf } from '../support/agent-sessions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { picture } from '../support/pictures.ts';
import { type Account, bundleOf, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

const PERSON = 'mia.lindqvist@ward.example';
const FILE = '/srv/stock/heparin.csv';

describe.skipIf(chromiumPath() === undefined)('the palette', () => {
  let service: TestService;
  let owner: Account;
  let page: Page;
  let complaints: string[];
  let member: Account;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    const { agent } = await newAgentOf(owner);
    const session = agent.session({ id: 'night-shift', onBehalfOf: PERSON });
    await session.told({ kind: 'user', value: 'Count the stock' });
    const touched = [{ kind: 'file', id: FILE, access: 'read' }] as const;
    await session.call({ tool: 'count', input: { of: 'heparin' }, touched }, async () => 12);
    await session.end();
    await until('the index', async () => {
      const { coverage } = await owner.client.ok('facets', { body: { fields: ['agent'] } });
      return coverage.pending === 0;
    });
    const viewport = { width: 1280, height: 800 };
    const context = await (await openBrowser()).newContext({ viewport, reducedMotion: 'reduce' });
    member = service.addMember(owner, 'org_owner');
    service.sql.prepare('UPDATE users SET name = ? WHERE user_id = ?').run('Zoë Ångström', member.userId);
    await signInPage(context, service, member);
    ({ page, complaints } = await openPage(context));
  });

  const option = (label: string, hint: string) => page.getByRole('option', { name: `${label} ${hint}`, exact: true });

  async function go(path: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${service.url}/#${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  async function type(text: string): Promise<void> {
    await page.locator('.palette-button').click();
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.insertText(text);
  }

  const PLACES = [
    ['an entity by a part of its name', 'heparin.csv', FILE, 'file', /entities\?.*heparin/],
    [
      'a session by its name',
      'night-shift',
      'night-shift: Prompt: Count the stock',
      FOUND.sessionKind,
      /sessions\?.*night-shift/,
    ],
    ['a person by a part of the name', 'lindqvist', PERSON, FOUND.actions(4), /search\?.*person.*lindqvist/],
  ] as const;

  it('leads to a member, whatever the accents', async () => {
    await go('/agents');
    await type('angstrom');
    await option(`Zoë Ångström (${member.email})`, FOUND.personKind).click();
    await page.waitForURL(/people\//);
  });

  it.each(PLACES)('leads to %s', async (_, typed, label, hint, address) => {
    await go('/agents');
    await type(typed);
    await option(label, hint).click();
    await page.waitForURL(address);
    expect(complaints).toEqual([]);
  });

  it.each(PLACES)('leads from a case to what the case has: %s', async (_, typed, label, hint, address) => {
    const bytes = Buffer.from(await bundleOf(owner));
    const { case_id } = await importCase(owner.client, { name: typed, bytes }, { trusted_kids: [service.kid] });
    await go(`/cases/${case_id}/agents`);
    await type(typed);
    await option(label, hint).click();
    await page.waitForURL(new RegExp(`cases/${case_id}/${address.source}`));
    expect(complaints).toEqual([]);
  });

  it('offers commands by the beginnings of their words, and none that has the letters of a name by chance', async () => {
    await go('/agents');
    await type('vsl');
    await option(COMMANDS.verifyStoredLedger, COMMANDS.job).waitFor();
    await page.keyboard.press('Escape');
    // "Verify the stored ledger" has these letters in this order.
    await type('eire');
    await page.getByText(PALETTE.nothing).waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual([]);
    await page.keyboard.press('Escape');
    await type('night');
    await option('night-shift: Prompt: Count the stock', FOUND.sessionKind).waitFor();
    // What is called so comes before what mentions it.
    const hints = await page.locator('[role=option] .muted').allInnerTexts();
    expect(hints.indexOf(FOUND.sessionKind)).toBeLessThan(hints.indexOf(FOUND.recordKind));
    await picture(page, 'palette-found');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
  });
});
