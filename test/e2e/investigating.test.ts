// What agents did, as investigators follow it: sessions, entities, differences, the dashboard and the rules for reading payloads,
// over what real agents did and over a case of it.
import type { BrowserContext, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ACTIVITY } from '../../src/renderer/screens/dashboard/texts.ts';
import { DIFFERENCE_SCREEN } from '../../src/renderer/screens/difference/texts.ts';
import { ENTITY_LIST } from '../../src/renderer/screens/entities/texts.ts';
import { RULES_SCREEN } from '../../src/renderer/screens/reading-rules/texts.ts';
import { airlineActions, SPACING_MS, submitAirlineActions } from '../support/airline-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { type Account, bundleOf, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

const ACTIONS = airlineActions();
const FAILED = ACTIONS.filter(({ result }) => result.startsWith('Error'));
/** A session in which a booking fails and is tried again. */
const RETRIED = 'airline-046-3';
const ofSession = (session: string) => ACTIONS.filter((action) => action.session === session);

describe.skipIf(chromiumPath() === undefined)('following what agents did', () => {
  let service: TestService;
  let context: BrowserContext;
  let owner: Account;
  /** When the first action is said to be issued. */
  let firstAt: number;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    firstAt = await submitAirlineActions(owner);
    // Until then the dashboard counts what is known, and a list may have more.
    await until('what is unusual', async () => (await owner.client.ok('coherence')).pending === 0);
    context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await signInPage(context, service, service.addMember(owner, 'org_owner'));
    ({ page, complaints } = await openPage(context));
  });

  const go = async (path: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${service.url}/#${path}`);
  };
  /** With all that comes later and moves what is below it: a click on what moves meets nothing. */
  const goToDashboard = async (): Promise<void> => {
    await go('/dashboard');
    await page.waitForLoadState('networkidle');
  };
  const placeOf = async (chart: Locator) => {
    await chart.waitFor();
    const place = await chart.boundingBox();
    if (place === null) throw new Error('the chart has no place');
    return place;
  };
  const titles = (): Locator => page.locator('.step-title');
  const focusedStep = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.querySelector('.step-title')?.textContent ?? undefined);

  it('lists sessions with what went wrong in them, and those that a query finds', async () => {
    await go('/sessions');
    await page.getByText('100 sessions loaded').waitFor();
    const box = page.getByRole('combobox', { name: 'Query' });
    await box.fill('tool=cancel_reservation HATHAU');
    await box.press('Enter');
    await page.getByText('1 session, all').waitFor();
    await page.getByRole('link', { name: 'airline-000-3', exact: true }).click();
    await page.getByRole('heading', { name: 'Sessions / airline-000-3' }).waitFor();
  });

  it('tells a session in order, with what went in and came out', async () => {
    const actions = ofSession('airline-000-2');
    await go('/sessions?session=airline-000-2');
    await page.getByText(`${actions.length} steps`, { exact: true }).waitFor();
    await expect
      .poll(async () => (await titles().allInnerTexts()).map((title) => title.split('(')[0]))
      .toEqual(actions.map(({ tool }) => tool));
    await titles().first().click();
    const output = page.getByRole('region', { name: 'Output' });
    await output.getByText('payment_methods:').waitFor();
    await page.getByRole('region', { name: 'Input' }).getByText('mia_li_3668').waitFor();
    await page.getByRole('button', { name: 'Copy as text', exact: true }).click();
    await page.getByText(`${actions.length} steps copied.`).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Session airline-000-2');
  });

  it('is gone through by keyboard, to the proof and back to the same step', async () => {
    const actions = ofSession('airline-000-2');
    await go('/sessions?session=airline-000-2');
    await titles().first().waitFor();
    await page.getByRole('list', { name: 'Steps of airline-000-2' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focusedStep).toContain(actions[0]?.tool);
    await page.keyboard.press('End');
    await expect.poll(focusedStep).toContain(actions.at(-1)?.tool);
    await page.keyboard.press('ArrowUp');
    await expect.poll(focusedStep).toContain(actions.at(-2)?.tool);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Input' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'What the payload says' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Input' }).waitFor();
    await expect.poll(() => page.locator('.step.is-selected .step-title').innerText()).toContain(actions.at(-2)?.tool);
  });

  it('leads from a retry to what is other than in the try before', async () => {
    await go(`/sessions?session=${RETRIED}`);
    await page.getByRole('button', { name: /^Next problem \(3\)$/ }).click();
    await page.locator('.step.is-selected.is-failed').waitFor();
    const retry = page.locator('.step').filter({ hasText: 'Retried' }).first();
    await retry.locator('.step-line').click();
    await page.getByRole('link', { name: 'Compare with previous try' }).click();
    await page.getByRole('heading', { name: 'Session / Difference' }).waitFor();
    await page.locator('.difference-changed').first().waitFor();
    await page.getByLabel(DIFFERENCE_SCREEN.showSame).check();
    await page.getByRole('rowheader', { name: 'flight_type' }).waitFor();
  });

  it('shows all that touched an entity, over agents', async () => {
    await go('/entities');
    await page.getByRole('link', { name: /^reservation/ }).click();
    await page.getByLabel(ENTITY_LIST.nameContains).fill('hathau');
    await page.getByRole('button', { name: ENTITY_LIST.searchEntities, exact: true }).click();
    await page.getByText('1 entity, all').waitFor();
    await page.getByRole('link', { name: 'HATHAU' }).click();
    const cancelled = page.getByRole('row').filter({ hasText: 'deleted' });
    await cancelled.getByText('airline-agent-3').waitFor();
    await cancelled.getByRole('link', { name: 'airline-000-3' }).click();
    await page.locator('.step.is-selected', { hasText: 'cancel_reservation' }).waitFor();
  });

  it('leads from each figure of the dashboard to the records that it counts', async () => {
    await goToDashboard();
    const did = page.getByRole('region', { name: 'What agents did' });
    await did.getByRole('link', { name: String(FAILED.length), exact: true }).click();
    await page.getByText(new RegExp(`^${FAILED.length} actions`)).waitFor();
    await goToDashboard();
    const retries = page.getByRole('region', { name: /^Marks/ }).getByRole('link', { name: /Retried/ });
    const count = (await retries.locator('.number').innerText()).trim();
    await retries.click();
    await page.getByText(new RegExp(`^${count} actions`)).waitFor();
    await goToDashboard();
    await page.getByRole('region', { name: 'Newest failures and refusals' }).getByRole('link').nth(1).click();
    await page.locator('.step.is-selected.is-failed').waitFor();
  });

  it('leads from a bar of the dashboard to its rows, and to no other', async () => {
    await go('/dashboard');
    const chart = page.getByRole('region', { name: ACTIVITY.operationsOverTime }).locator('.u-over');
    // What is above it may still come, and move it.
    await expect
      .poll(async () => {
        await chart.scrollIntoViewIfNeeded();
        const at = await placeOf(chart);
        await page.mouse.move(at.x + at.width * 0.4 + 1, at.y + at.height / 2);
        await page.mouse.move(at.x + at.width * 0.4, at.y + at.height / 2);
        return page.locator('.chart-label:visible').count();
      })
      .toBe(1);
    const { x, y, width, height } = await placeOf(chart);
    const label = await page.locator('.chart-label:visible').innerText();
    await page.mouse.click(x + width * 0.4, y + height / 2);
    await page.waitForURL(/#\/search\?startTime=/);
    const search = new URL(page.url().replace('#', '')).searchParams;
    const [from, to] = [Date.parse(search.get('startTime') ?? ''), Date.parse(search.get('endTime') ?? '')];
    const meant = ACTIONS.map((_, n) => firstAt + n * SPACING_MS).filter((issued) => issued >= from && issued < to);
    expect(meant.length).toBeGreaterThan(0);
    expect(meant.length).toBeLessThan(ACTIONS.length / 20);
    expect(label).toContain(` · ${meant.length} operations`);
    await page.getByText(new RegExp(`^${meant.length} actions`)).waitFor();
    const issued = await page
      .locator('.grid-row time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
    expect(issued.map((time) => Date.parse(time))).toEqual(meant.toReversed());
  });

  it('says of a record what it was read as, and compares it with the one before', async () => {
    await go('/search?query=outcome%3Dfailed%20tool%3Dbook_reservation');
    await page.locator('.grid [data-row]').first().focus();
    await page.keyboard.press('o');
    const reading = page.getByRole('region', { name: 'What the payload says' });
    await reading.getByText('Failed').first().waitFor();
    await reading.getByRole('list', { name: 'Marks' }).getByText('The call failed').waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('link', { name: /^Previous record of book_reservation/ }).click();
    await page.getByRole('region', { name: /^Payloads/ }).waitFor();
  });

  it('explains rules that are none, and reads all payloads again by those that are', async () => {
    await go('/reading-rules');
    const area = page.getByLabel('Rules as JSON');
    await area.fill('{"version": 1, "sessions": ["sbject"]}');
    await page.getByRole('alert').getByText('sessions, entry 1').waitFor();
    await page.getByRole('button', { name: 'Line 1', exact: true }).click();
    expect(
      await area.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd)),
    ).toBe('"sbject"');
    await expect.poll(() => page.getByRole('button', { name: 'Save rules', exact: true }).isDisabled()).toBe(true);
    await area.fill('{"version": 1, "sessions": ["');
    // By key alone: what fits at the cursor, one of it, and the rest of the text.
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('option', { name: '"subject"', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(']}');
    await expect.poll(() => area.inputValue()).toBe('{"version": 1, "sessions": ["subject"]}');
    await page.getByRole('button', { name: 'Save rules', exact: true }).click();
    await page.getByText('Rules saved.').waitFor();
    await go('/sessions?query=HATHAU%20tool%3Dcancel_reservation');
    await page.getByRole('link', { name: 'HATHAU', exact: true }).waitFor();
    await go('/reading-rules');
    await page.getByRole('button', { name: RULES_SCREEN.restoreDefaults, exact: true }).click();
    await page.getByText('Default rules', { exact: true }).waitFor();
    await go('/sessions?query=HATHAU%20tool%3Dcancel_reservation');
    await page.getByRole('link', { name: 'airline-000-3', exact: true }).waitFor();
  });

  it('shows the same screens over a case', async () => {
    const bytes = await bundleOf(owner);
    const { case_id: caseId } = await importCase(owner.client, { name: 'airline.csbundle', bytes });
    await go(`/cases/${caseId}/sessions?session=airline-000-3`);
    await page.locator('.step', { hasText: 'cancel_reservation' }).first().locator('.step-line').click();
    await page.getByRole('link', { name: /reservation HATHAU/ }).click();
    await page.getByRole('row').filter({ hasText: 'deleted' }).waitFor();
    expect(page.url()).toContain(`/cases/${caseId}/entities`);
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('100 sessions loaded').waitFor();
  });

  it('has no serious issue for people with disabilities, light and dark', async () => {
    const issues: string[] = [];
    for (const [path, ready] of [
      ['/sessions', '100 sessions loaded'],
      [`/sessions?session=${RETRIED}`, '18 steps'],
      ['/entities', 'All kinds'],
      ['/entities?kind=reservation&id=HATHAU', '2 actions'],
      ['/reading-rules', 'Default rules'],
      ['/dashboard', 'Newest sessions'],
    ] as const) {
      await go(path);
      await page.getByText(ready, { exact: true }).first().waitFor();
      issues.push(...(await seriousIssuesInThemes(page)).map((issue) => `${path}: ${issue}`));
    }
    expect(issues).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
