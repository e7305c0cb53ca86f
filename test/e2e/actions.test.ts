// The search speaks of actions: a call with all its records is one row, which says what happened, and opens to the records that say so.
import type { BrowserContext, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { PLACE_HOLD } from '../../src/renderer/components/holds/texts.ts';
import { ANSWER, GROUP_FIELDS } from '../../src/renderer/components/texts.ts';
import { SHOWN_AS } from '../../src/renderer/screens/audit/bar/texts.ts';
import { GROUPS } from '../../src/renderer/screens/audit/groups/texts.ts';
import { SELECTION_BAR } from '../../src/renderer/screens/audit/list/texts.ts';
import { ACTION_PREVIEW, PREVIEW_FRAME, TOLD_BEFORE } from '../../src/renderer/screens/audit/preview/texts.ts';
import { AUDIT_SCREEN } from '../../src/renderer/screens/audit/texts.ts';
import { ENTITY_LIST } from '../../src/renderer/screens/entities/texts.ts';
import { SESSION_LIST, SESSION_VIEW, SIDE_BY_SIDE } from '../../src/renderer/screens/sessions/texts.ts';
import { newAgentOf } from '../support/agent-sessions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { picture } from '../support/pictures.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

/** Payments of a session: supplier and amount; the last one fails. */
const PAID = [
  ['Nord', '120.10'],
  ['Süd', '80.20'],
  ['Nord', '0.20'],
] as const;

describe.skipIf(chromiumPath() === undefined)('actions in the search', () => {
  let service: TestService;
  let owner: Account;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let agentId: string;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    const { agent, agentId: id } = await newAgentOf(owner);
    agentId = id;
    for (const name of ['monday', 'tuesday']) {
      const session = agent.session({ id: name });
      await session.told({ kind: 'user', value: `Pay the bills of ${name}` });
      for (const [supplier, amount] of PAID) {
        await session.call({ tool: 'pay', input: { supplier, amount, currency: 'EUR' } }, async () => ({
          booked: true,
          of: name,
        }));
      }
      await session
        .call({ tool: 'pay', input: { supplier: 'West', amount: '5.00', currency: 'EUR' } }, async () => {
          throw new Error(`no such supplier on ${name}`);
        })
        .catch(() => undefined);
      if (name === 'tuesday') await session.call({ tool: 'report', input: { to: 'office' } }, async () => 'sent');
      await session.end();
    }
    await until('the index', async () => {
      const { coverage } = await owner.client.ok('facets', { body: { fields: ['agent'] } });
      return coverage.pending === 0;
    });
    context = await (await openBrowser()).newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    await signInPage(context, service, service.addMember(owner, 'org_owner'));
    ({ page, complaints } = await openPage(context));
  });

  const go = async (path: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${service.url}/#${path}`);
  };
  const box = (): Locator => page.getByRole('combobox', { name: 'Query' });
  const ask = async (query: string): Promise<void> => {
    await box().fill(query);
    await box().press('Enter');
  };
  const status = (text: string | RegExp): Promise<void> => page.locator('.grid-foot').getByText(text).waitFor();

  it('lists a call with all its records as one row, which says what happened', async () => {
    await go('/search?query=tool%3Dpay');
    await status('8 actions, 16 records');
    const row = page.locator('.grid-row').nth(1);
    expect(await row.innerText()).toContain('pay(');
    await picture(page, 'actions-list');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await page.getByRole('button', { name: SHOWN_AS.records, exact: true }).click();
    await status('16 records');
  });

  it('finds an action by what different records of it say', async () => {
    await go('/search');
    await ask('supplier=West outcome=failed');
    await status('2 actions, 4 records');
  });

  it('opens an action: what happened, the records that say so, and what the agent had been told by then', async () => {
    await go('/search?query=supplier%3DWest&order=oldest');
    await page.locator('[data-row]').first().focus();
    const preview = page.getByRole('region', { name: /^Action \d+$/ });
    await preview.getByText('no such supplier on monday').first().waitFor();
    await preview.getByText(ACTION_PREVIEW.records(2)).first().waitFor();
    await preview.getByRole('button', { name: /failed$/ }).click();
    await preview.getByRole('link', { name: /^Proof of record/ }).waitFor();
    await picture(page, 'actions-preview');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await preview.getByRole('tab', { name: ACTION_PREVIEW.told }).click();
    // A prompt, and the outputs of the three payments before.
    await preview.getByText(TOLD_BEFORE.ofSessions(4, 1)).waitFor();
    await preview.getByText('Prompt: Pay the bills of monday').waitFor();
    expect(await preview.getByText('Pay the bills of tuesday').count()).toBe(0);
    await picture(page, 'actions-told');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
  });

  it('keeps the buttons that close the details and the selection in their corners, in windows of any width', async () => {
    await go('/search?query=supplier%3DWest&order=oldest');
    const boxes = page.getByRole('checkbox', { name: /^Select action/ });
    await boxes.nth(1).check();
    await boxes.first().check();
    await page.locator('[data-row]').first().focus();
    for (const width of [1760, 1440, 1000]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of [PREVIEW_FRAME.closeDetails, SELECTION_BAR.clearSelection]) {
        const close = page.getByRole('button', { name, exact: true });
        const bar = await close.locator('..').boundingBox();
        const box = await close.boundingBox();
        if (bar === null || box === null) expect.fail();
        // Below the line above the bar, where it has one.
        const [below, before] = [box.y - bar.y, bar.x + bar.width - box.x - box.width];
        expect([width, name, below <= 5, before]).toEqual([width, name, true, 8]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('holds selected actions from deletion, with all of their records, and says how many that are', async () => {
    await go('/search?query=supplier%3DNord&order=oldest');
    const boxes = page.getByRole('checkbox', { name: /^Select action/ });
    await boxes.nth(3).check();
    await boxes.first().check();
    const bar = page.getByRole('region', { name: SELECTION_BAR.selectedRecords });
    await bar.getByRole('button', { name: PLACE_HOLD.ask }).click();
    const dialog = page.getByRole('dialog', { name: PLACE_HOLD.placeLegalHold });
    await dialog.getByText(PLACE_HOLD.now(PLACE_HOLD.someRecords(4))).waitFor();
    await picture(page, 'hold-selection');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await dialog.getByLabel(PLACE_HOLD.reason).fill('Payments to Nord');
    await dialog.getByRole('button', { name: PLACE_HOLD.placeHold }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await owner.client.ok('actions', { body: { query: 'supplier=Nord', order: 'oldest' } });
    const held = [data[0], data[3]].map((action) => action?.records.map(({ seq_no }) => seq_no).join('-'));
    const { holds } = await owner.client.ok('listHolds');
    expect(holds.map(({ selection }) => selection)).toEqual([{ kind: 'records', runs: held.join(',') }]);
  });

  it('leads from an action to what came after it and before it', async () => {
    await go('/search?query=supplier%3DWest&order=oldest');
    await page.locator('[data-row]').first().focus();
    const preview = page.getByRole('region', { name: /^Action \d+$/ });
    await preview.getByRole('link', { name: ACTION_PREVIEW.fromHere }).click();
    // The failed payment itself, the end of that session, and the other one: beginning, prompt, four payments, a report, end.
    await status(/^10 actions/);
    await page.locator('[data-row]').first().focus();
    await preview.getByRole('link', { name: ACTION_PREVIEW.upToHere }).click();
    await status(/^6 actions/);
  });

  it('groups and adds up, exactly, and leads from a group to what is in it', async () => {
    await go('/search?query=tool%3Dpay%20outcome%3Dok');
    await page.getByRole('button', { name: SHOWN_AS.group }).click();
    await page.getByLabel(GROUP_FIELDS.by, { exact: true }).fill('supplier');
    await page.getByLabel(GROUP_FIELDS.by, { exact: true }).press('Enter');
    await page.getByLabel(GROUP_FIELDS.measure).selectOption({ label: GROUP_FIELDS.operations.sum });
    const rows = page.locator('.group-table tbody tr');
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 4).join(' ')))
      .toEqual(['Nord 4 240.60 EUR', 'Süd 2 160.40 EUR']);
    await expect.poll(() => page.locator('.group-table tfoot').innerText()).toContain('401.00 EUR');
    await picture(page, 'groups');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await rows.getByRole('button', { name: 'Nord' }).click();
    await status(/^4 actions/);
  });

  it('leads from a group of a time to what was then, and from one without a value to what has none', async () => {
    const groups = async (by: string): Promise<void> => {
      await go(`/search?by=${encodeURIComponent(JSON.stringify([by]))}`);
      await page.locator('.group-table tbody tr').first().waitFor();
    };
    /** Opens a group, which leads to as many as it counts. */
    const open = async (row: Locator): Promise<void> => {
      const counted = (await row.getByRole('cell').nth(1).innerText()).trim();
      await row.getByRole('button').click();
      await status(new RegExp(`^${counted} actions`));
    };
    const row = page.locator('.group-table tbody tr');
    await groups('day');
    await open(row.filter({ hasText: /\d{4}-\d\d-\d\d/ }).first());
    expect(await box().inputValue()).toMatch(/^not issued < \S+T00:00:00\.000Z issued < \S+T00:00:00\.000Z$/);
    await groups('supplier');
    await open(row.filter({ hasText: GROUPS.withoutValue }));
  });

  it('leads from a group of two values to what has both, and keeps what the query says already', async () => {
    await go('/search?query=tool%3Dpay&by=%5B%22tool%22%2C%22outcome%22%5D');
    const row = page.locator('.group-table tbody tr').filter({ hasText: 'failed' });
    await row.getByRole('button', { name: 'pay' }).click();
    await status(/^2 actions/);
    expect(await box().inputValue()).toBe('tool=pay outcome = failed');
  });

  it('shows two sessions side by side, with what differs', async () => {
    await go('/sessions');
    for (const name of ['monday', 'tuesday']) {
      await page.getByRole('checkbox', { name: SESSION_LIST.select(name) }).check();
    }
    await page.getByRole('link', { name: SESSION_LIST.sideBySide }).click();
    await page.getByRole('list', { name: SIDE_BY_SIDE.steps }).waitFor();
    await page.getByText(SIDE_BY_SIDE.onlyRight, { exact: true }).waitFor();
    // What differs stands no further in than what does not, nor than the names above.
    const begins = await page
      .locator('.sides-head h2, .sides-side')
      .evaluateAll((texts) => [...new Set(texts.map((text) => Math.round(text.getBoundingClientRect().x)))]);
    expect(begins).toHaveLength(2);
    // Both failed, each with another error.
    await page
      .locator('.sides-differs')
      .filter({ hasText: 'supplier: West' })
      .getByText(SIDE_BY_SIDE.differs('Outcome'))
      .waitFor();
    await page.getByRole('button', { name: SIDE_BY_SIDE.next }).click();
    await page.keyboard.press('Enter');
    await page.locator('.sides-pointers li').first().waitFor();
    await picture(page, 'side-by-side');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 640, height: 900 });
    await picture(page, 'side-by-side-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });
    await go('/sessions?session=monday');
    await page.getByRole('button', { name: SESSION_VIEW.compareWith }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'tuesday' }).waitFor();
    await dialog.getByRole('textbox', { name: SESSION_VIEW.otherContains }).fill('bills of tues');
    await dialog.getByText(SESSION_VIEW.othersWith).waitFor();
    await dialog.getByRole('link', { name: 'tuesday' }).click();
    await page.getByRole('list', { name: SIDE_BY_SIDE.steps }).waitFor();
    expect(agentId).not.toBe('');
    expect(complaints).toEqual([]);
  });

  const LONG = [
    ['a search', 'actions', '/search?query=supplier%3DNord', AUDIT_SCREEN.what, () => status(/^4 actions/)],
    [
      'groups',
      'audit/groups',
      '/search?by=%5B%22supplier%22%5D',
      GROUPS.what,
      () => page.getByRole('button', { name: 'Nord' }).waitFor(),
    ],
    [
      'a list of sessions',
      'sessions',
      '/sessions',
      SESSION_LIST.what,
      () => page.getByRole('link', { name: 'monday' }).waitFor(),
    ],
    ['a list of entities', 'entities', '/entities', ENTITY_LIST.what, () => page.locator('.entity-browser').waitFor()],
    [
      'a story',
      'sessions/steps',
      '/sessions?session=monday',
      SESSION_VIEW.what,
      () => page.getByRole('button', { name: SESSION_VIEW.openAll }).waitFor(),
    ],
    [
      'a comparison of two sessions',
      'sessions/compare',
      '/sessions?session=tuesday&with=monday',
      SIDE_BY_SIDE.what,
      () => page.getByRole('list', { name: SIDE_BY_SIDE.steps }).waitFor(),
    ],
  ] as const;

  it.each(LONG)('ends %s for whoever no longer waits, and asks again', async (_, path, screen, what, isThere) => {
    const route = new RegExp(`/v1/${path}(?:/query)?$`);
    let ended = '';
    page.on('requestfailed', (request) => {
      if (route.test(request.url())) ended = request.failure()?.errorText ?? '';
    });
    // The answer is on its way for as long as the page waits for it.
    await page.route(route, () => undefined);
    await go(screen);
    await page.getByRole('button', { name: ANSWER.stop, exact: true }).click();
    await page.getByText(ANSWER.notLoaded(what)).waitFor();
    await expect.poll(() => ended).toContain('ABORTED');
    await page.unroute(route);
    await page.getByRole('button', { name: ANSWER.tryAgain }).click();
    await isThere();
    expect(complaints).toEqual([]);
  });

  it('can end a search while the rows of the one before are shown', async () => {
    await go('/search?query=supplier%3DNord');
    await status(/^4 actions/);
    await page.route('**/v1/actions/query', () => undefined);
    await ask('supplier=West');
    await page.getByRole('button', { name: ANSWER.stop, exact: true }).click();
    await page.getByText(ANSWER.notLoaded(AUDIT_SCREEN.what)).waitFor();
    await page.unroute('**/v1/actions/query');
    await page.getByRole('button', { name: ANSWER.tryAgain }).click();
    await status(/^2 actions/);
  });
});
