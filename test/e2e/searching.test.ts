// The search as investigators use it, over what real agents did: query, facets, cells, selection, preview, saved searches.
import { readFileSync } from 'node:fs';
import type { BrowserContext, Locator, Page, Response } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { RECORD_FORM_NAMES, RECORD_FORMS } from '../../src/actions/index.ts';
import { headInZone } from '../../src/renderer/lib/time-zone.ts';
import { EVENT_FILTERS } from '../../src/renderer/screens/admin-events/texts.ts';
import { QUERY_READING, SHOWN_AS } from '../../src/renderer/screens/audit/bar/texts.ts';
import { FACETS } from '../../src/renderer/screens/audit/facets/texts.ts';
import { NOTHING_FOUND } from '../../src/renderer/screens/audit/list/texts.ts';
import { EXPORT_REQUEST, MAKE_EXPORT } from '../../src/renderer/screens/exports/texts.ts';
import { REFUSED_FILTERS } from '../../src/renderer/screens/refused/texts.ts';
import { timeText } from '../../src/renderer/ui/time.tsx';
import { type AirlineAction, airlineActions, submitAirlineActions } from '../support/airline-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues, seriousIssuesInThemes } from '../support/browser.ts';
import { EVERY_SCREEN } from '../support/screen-paths.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { setTextSize } from '../support/text-size.ts';

const ACTIONS = airlineActions();
const counted = (test: (action: AirlineAction) => boolean): string =>
  new Intl.NumberFormat('en').format(ACTIONS.filter(test).length);

const isFailed = ({ result }: AirlineAction): boolean => result.startsWith('Error');
const isBooking = ({ tool }: AirlineAction): boolean => tool === 'book_reservation';

/** A moment as a list shows it of this year, in a zone. */
function shortIn(time: string | null, zone: string): string {
  const text = timeText(time ?? '', zone);
  return text.startsWith(timeText(Date.now(), zone).slice(0, 5)) ? text.slice(5) : text;
}

describe.skipIf(chromiumPath() === undefined)('searching what agents did', () => {
  let service: TestService;
  let context: BrowserContext;
  let owner: Account;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    await submitAirlineActions(owner);
    context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      timezoneId: 'Asia/Tokyo',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await signInPage(context, service, service.addMember(owner, 'org_owner'));
    ({ page, complaints } = await openPage(context));
  });

  const go = async (path: string): Promise<void> => {
    await page.goto(`${service.url}/#${path}`);
    await page.getByRole('combobox', { name: 'Query' }).waitFor();
  };
  const box = (): Locator => page.getByRole('combobox', { name: 'Query' });
  const ask = async (query: string): Promise<void> => {
    await box().fill(query);
    await box().press('Enter');
  };
  const results = (count: string): Promise<void> =>
    page
      .locator('.grid-foot')
      .getByText(new RegExp(`(^|of )${count} actions?( loaded)?$`))
      .waitFor();
  const values = (facet: string): Locator => page.getByRole('list', { name: `Values of ${facet}` });

  it('finds a word in payloads, and counts, chart, facets and list mean the same', async () => {
    await go('/search');
    await results(counted(() => true));
    await ask('gift_card_8516878');
    const expected = counted((action) => /gift_card_8516878/.test(JSON.stringify(action)));
    await results(expected);
    const total = await values('Agent').getByRole('button', { pressed: false }).locator('.facet-count').allInnerTexts();
    expect(total.reduce((sum, text) => sum + Number(text), 0)).toBe(Number(expected));
    await page.locator('figcaption').getByText(`${expected} operations`).waitFor();
  });

  it('completes fields and values by keyboard, with their counts', async () => {
    await go('/search');
    // Out of the field, as the key is for those who are elsewhere.
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('tool=book');
    const option = page.getByRole('option', { name: /book_reservation/ });
    await option.waitFor();
    await expect.poll(() => option.innerText()).toContain(counted(isBooking));
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => box().inputValue()).toBe('tool=book_reservation ');
    await page.keyboard.type('outc');
    await page.getByRole('option', { name: /outcome/ }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => box().inputValue()).toBe('tool=book_reservation outcome');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.type('=failed');
    await page.keyboard.press('Enter');
    await results(counted((action) => isBooking(action) && isFailed(action)));
  });

  it('says what is wrong with a query, and where', async () => {
    await go('/search');
    await ask('tool = "book');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => box().getAttribute('aria-invalid')).toBe('true');
    await page.getByText('These are the results of the previous query.').waitFor();
    await alert.getByRole('button', { name: /book/ }).click();
    const marked = await box().evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    );
    expect(marked).toContain('"');
    await ask('tool = "book_reservation"');
    await alert.waitFor({ state: 'detached' });
    await results(counted(isBooking));
  });

  it('finds a pasted text as it stands, and reads it as a query where that is asked for', async () => {
    await go('/search');
    await ask('');
    const paste = async (text: string): Promise<void> => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await box().focus();
      await box().press('ControlOrMeta+a');
      await box().press('ControlOrMeta+v');
    };
    // In results there is `Error: …`; read as a query it asks for a member of that name.
    await paste('Error: payment');
    await page.getByText(QUERY_READING.pasted).waitFor();
    await expect.poll(() => box().inputValue()).toBe('"Error: payment"');
    await box().press('Enter');
    await results(counted((action) => /\berror: payment\b/i.test(JSON.stringify(action))));

    await paste('Error: payment');
    await page.getByRole('button', { name: QUERY_READING.readAsQuery, exact: true }).click();
    const reading = page.getByRole('status').filter({ hasText: 'Read as' });
    await expect.poll(() => reading.innerText()).toContain('Error contains the words “payment”');
    await page.getByText(NOTHING_FOUND.readSo).waitFor();
    await page.getByRole('button', { name: QUERY_READING.searchText, exact: true }).click();
    await results(counted((action) => /\berror: payment\b/i.test(JSON.stringify(action))));
    await reading.waitFor({ state: 'detached' });

    // What names fields of records is a query, wherever it comes from.
    await paste('outcome = failed');
    await expect.poll(() => box().inputValue()).toBe('outcome = failed');
    await box().press('Enter');
    await results(counted(isFailed));
    await ask('');
  });

  it('filters by a value of a facet, for and out', async () => {
    await go('/search');
    await values('Outcome')
      .getByRole('button', { name: /^Failed/ })
      .click();
    await results(counted(isFailed));
    await expect.poll(() => box().inputValue()).toBe('outcome = failed');
    await values('Tool').getByRole('button', { name: 'Without Tool book_reservation', exact: true }).click();
    await results(counted((action) => isFailed(action) && !isBooking(action)));
    await values('Outcome')
      .getByRole('button', { name: /^Failed/ })
      .click();
    await results(counted((action) => !isBooking(action)));
    await page.getByRole('button', { name: 'Clear all', exact: true }).click();
    await values('Agent')
      .getByRole('button', { name: /^airline-agent-2/ })
      .click({ modifiers: ['Alt'] });
    await results(counted(({ agent }) => agent !== 'airline-agent-2'));
  });

  it('filters by a cell, with the right button and by keyboard', async () => {
    await go('/search');
    await results(counted(() => true));
    const newest = ACTIONS.at(-1);
    await page.locator('.grid-row [data-column="agent"]').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Only records with this' }).click();
    await results(counted(({ agent }) => agent === newest?.agent));
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('m');
    await page
      .getByRole('group', { name: /^Tool/ })
      .getByRole('menuitem', { name: 'Without records like this' })
      .waitFor();
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-row'))).toBe(true);
  });

  it('picks several rows by keyboard, and copies, shows or compares them', async () => {
    await go('/search');
    await results(counted(() => true));
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('region', { name: 'Selected records' });
    await bar.getByText('3 actions selected').waitFor();
    await page.getByRole('region', { name: 'Action 1162' }).waitFor();
    await bar.getByRole('button', { name: 'Copy as JSON lines', exact: true }).click();
    await page.getByText('3 records copied as JSON lines.').waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { ear: { seq_no: number } }).ear.seq_no);
    expect(numbers).toEqual([1162, 1163, 1164]);
    await bar.getByRole('button', { name: 'Show only these', exact: true }).click();
    await results('3');
    await page.getByRole('checkbox', { name: 'Select action 1163' }).uncheck();
    const compare = bar.getByRole('link', { name: 'Compare the two' });
    await expect.poll(() => compare.getAttribute('href')).toMatch(/difference\?left=.+&right=.+/);
    const download = page.waitForEvent('download');
    await bar.getByRole('button', { name: 'Hand over…', exact: true }).click();
    await page.getByRole('radio', { name: /^Raw records \(no proof\)/ }).check();
    await page.getByRole('button', { name: 'Save records', exact: true }).click();
    expect(
      readFileSync(await (await download).path(), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(2);
  });

  it.each(RECORD_FORM_NAMES)('hands picked records over as %s, which says that it is no evidence', async (form) => {
    await go('/search');
    await results(counted(() => true));
    await page.getByRole('checkbox', { name: 'Select action 1163' }).check();
    const bar = page.getByRole('region', { name: 'Selected records' });
    await bar.getByRole('button', { name: 'Hand over…', exact: true }).click();
    await page.getByRole('radio', { name: /^Raw records \(no proof\)/ }).check();
    await page.getByRole('combobox', { name: 'Format', exact: true }).selectOption(form);
    expect(await seriousIssues(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save records', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename().endsWith(RECORD_FORMS[form].ending)).toBe(true);
    const bytes = readFileSync(await file.path());
    expect(bytes.includes('A copy without proof.')).toBe(true);
  });

  it('shows the payload first, with texts opened and what was found marked, and filters by a value in it', async () => {
    await go('/search');
    await ask('tool=cancel_reservation HATHAU');
    await results('1');
    await page.locator('[data-row]').first().focus();
    const preview = page.getByRole('region', { name: /^Action \d+$/ });
    await preview.getByText('inside a text').first().waitFor();
    await expect.poll(() => preview.locator('mark').allInnerTexts()).toContain('HATHAU');
    await preview.getByRole('link', { name: 'airline-000-3' }).waitFor();
    await preview.getByRole('button', { name: 'Filter by result.cabin', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Only records with this' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Only records with this' }).click();
    await expect.poll(() => box().inputValue()).toMatch(/HATHAU \/result\/cabin = /);
    await page.getByRole('button', { name: SHOWN_AS.records, exact: true }).click();
    const record = page.getByRole('region', { name: /^Record \d+$/ });
    await record.getByRole('tab', { name: 'Bytes' }).click();
    await record.getByText('Signed bytes').first().waitFor();
    await page.getByRole('button', { name: SHOWN_AS.actions, exact: true }).click();
    await preview.waitFor();
  });

  it('builds a search without typing the language', async () => {
    await go('/search');
    await page.getByRole('button', { name: 'Build a search', exact: true }).click();
    await page.getByLabel('Field of condition 1').fill('tool');
    await page.getByLabel('Operator of condition 1').selectOption({ label: 'is' });
    await page.getByLabel('Value of condition 1').fill('book_reservation');
    await page.getByRole('button', { name: 'Add a condition', exact: true }).click();
    await page.getByLabel('Field of condition 2').fill('outcome');
    await page.getByLabel('Operator of condition 2').selectOption({ label: 'is not' });
    await page.getByLabel('Value of condition 2').fill('failed');
    await page.getByRole('dialog').getByRole('button', { name: 'Search', exact: true }).click();
    await results(counted((action) => isBooking(action) && !isFailed(action)));
    await page.getByRole('button', { name: 'Build a search', exact: true }).click();
    await expect.poll(() => page.getByLabel('Value of condition 2').inputValue()).toBe('failed');
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('turns the order around', async () => {
    await go('/search');
    await results(counted(() => true));
    await page.getByRole('button', { name: /Newest first/ }).click();
    await expect.poll(() => page.locator('[data-row]').first().innerText()).toBe('1');
  });

  const chooseZone = async (zone: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Another time zone' }).fill(zone);
    await page.getByRole('button', { name: 'Use time zone' }).click();
  };

  it('shows the times of all screens in the zone that is chosen, with their offset, and links carry it', async () => {
    await go('/search?unit=records');
    const time = page.locator('.grid-row [data-column="issued"] time').first();
    const isIn = async (zone: string) =>
      (await time.innerText()) === shortIn(await time.getAttribute('datetime'), zone);
    await expect.poll(() => isIn('UTC')).toBe(true);
    await page.getByRole('columnheader', { name: 'Issued (UTC)' }).waitFor();
    await page.getByRole('button', { name: /^Any time/ }).click();
    await page.getByRole('radio', { name: /^Asia\/Tokyo \(this computer\)/ }).check();
    await page.getByRole('columnheader', { name: 'Issued', exact: true }).waitFor();
    await expect.poll(() => isIn('Asia/Tokyo')).toBe(true);
    await chooseZone('Mars/Olympus');
    await page.getByText('There is no time zone “Mars/Olympus”').waitFor();
    await chooseZone('asia/colombo');
    await page.getByRole('radio', { name: /^Asia\/Colombo/ }).waitFor();
    await page.waitForURL(/zone=Asia%2FColombo/);
    await page.keyboard.press('Escape');
    await expect.poll(() => isIn('Asia/Colombo')).toBe(true);
    await page.goto(`${service.url}/#/agents`);
    await page.getByRole('columnheader', { name: 'Registered', exact: true }).waitFor();
    await expect.poll(() => page.locator('td time').first().innerText()).toMatch(/ \+05:30$/);
    // No screen asks the service for the zone as for a filter.
    const refused: string[] = [];
    const note = (answer: Response): void => void (answer.status() === 400 && refused.push(answer.url()));
    page.on('response', note);
    for (const path of EVERY_SCREEN.filter((each) => !each.includes('$'))) {
      await page.goto(`${service.url}/#${path}?zone=Asia%2FColombo`);
      await page.getByRole('main').getByRole('heading').first().waitFor();
    }
    await go('/search');
    await results(counted(() => true));
    page.off('response', note);
    expect(refused).toEqual([]);
    // What somebody is sent has the zone of who sent it, and leaves theirs as it is.
    const sent = await context.newPage();
    await sent.goto(`${service.url}/#/search?zone=America%2FLima`);
    await sent.getByRole('button', { name: /^Any time America\/Lima/ }).waitFor();
    await expect.poll(() => sent.evaluate(() => localStorage.getItem('countersign.zone'))).toBe('Asia/Colombo');
    await sent.goto('about:blank');
    await sent.goto(`${service.url}/#/search?query=issued+%3E+10%3A00`);
    await sent.getByRole('button', { name: /^Any time UTC/ }).waitFor();
    await sent.close();
  });

  it('reads times of other filters and of exports in that zone, and asks which of two is meant', async () => {
    for (const [path, label] of [
      ['/refused', REFUSED_FILTERS.from],
      ['/admin-events', EVENT_FILTERS.from],
    ] as const) {
      await page.goto(`${service.url}/#${path}`);
      const field = page.getByLabel(headInZone(label, 'Asia/Colombo'), { exact: true });
      // Both screens have one: it is empty on the one that comes.
      await expect.poll(() => field.inputValue()).toBe('');
      await field.fill('2026-11-21 10:30');
      await field.press('Enter');
      await page.waitForURL(/2026-11-21T05%3A00%3A00\.000Z/);
      await expect.poll(() => field.inputValue()).toBe('2026-11-21 10:30:00.000 +05:30');
      await field.press('Enter');
      await expect.poll(() => field.inputValue()).toBe('2026-11-21 10:30:00.000 +05:30');
    }
    await page.goto(`${service.url}/#/exports?new=true`);
    const from = page.getByRole('dialog').getByLabel(headInZone(MAKE_EXPORT.from, 'Asia/Colombo'), { exact: true });
    await page.getByRole('button', { name: EXPORT_REQUEST.everything, exact: true }).click();
    await expect.poll(() => from.inputValue()).toBe('1970-01-01 05:30:00.000 +05:30');
    await go('/search');
    await page.getByRole('button', { name: /^Any time/ }).click();
    await chooseZone('Europe/Berlin');
    await page.getByLabel('Issued from (Europe/Berlin)').fill('2026-10-25 02:30');
    await page.getByRole('button', { name: 'Apply times' }).click();
    await page.getByText('Type +02:00 behind the time for the first, +01:00 for the later one.').waitFor();
    await page.keyboard.press('Escape');
    await ask('issued >= 2026-10-25T02:30');
    await page.getByText('The later one is 2026-10-25 02:30+01:00.').waitFor();
  });

  it('keeps one range for the screens that have times, which one button takes away', async () => {
    await go('/search');
    await page.getByRole('button', { name: /^Any time/ }).click();
    await page.getByLabel('Issued from (Europe/Berlin)').fill('1990-01-01 00:00');
    await page.getByLabel('Issued before (Europe/Berlin)').fill('1990-01-02 00:00');
    await page.getByRole('button', { name: 'Apply times' }).click();
    const shown = page.getByRole('button', { name: /^1990-01-01 00:00:00 – 1990-01-02 00:00:00 \+01:00/ });
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await shown.waitFor();
    for (const [name, none] of [
      ['Dashboard', 'No agent made a record in this range.'],
      ['Sessions', 'No session matches'],
      ['Entities', 'No entity matches'],
      ['Search', 'Nothing'],
    ] as const) {
      await screens.getByRole('link', { name, exact: true }).click();
      await shown.waitFor();
      await page.getByText(none).first().waitFor();
      expect(page.url()).toContain('startTime=1989-12-31T23%3A00%3A00.000Z');
      // Also over a screen that has no times.
      await screens.getByRole('link', { name: 'Agents', exact: true }).click();
      expect(page.url()).not.toContain('startTime');
    }
    for (const path of ['/needs-look', '/what-left']) {
      await page.goto(`${service.url}/#${path}?endTime=1990-01-01T00%3A00%3A00.000Z`);
      await page.getByRole('button', { name: /^Before 1990-01-01 01:00:00\.000 \+01:00/ }).waitFor();
    }
    await screens.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Clear the time range' }).click();
    await results(counted(() => true));
    await screens.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('button', { name: /^Any time/ }).waitFor();
    await page.evaluate(() => localStorage.removeItem('countersign.zone'));
    await page.reload();
  });

  it('keeps searches for everybody, and offers once to move those of this browser', async () => {
    await page.evaluate(() =>
      localStorage.setItem('countersign.searches', JSON.stringify([{ name: 'Old one', search: { subject: 'x' } }])),
    );
    await go('/search?query=outcome%20%3D%20failed');
    await page.getByRole('button', { name: 'Saved searches', exact: true }).click();
    await page.getByRole('button', { name: 'Move to the organization', exact: true }).click();
    await page.getByRole('button', { name: 'Old one', exact: true }).waitFor();
    await page.getByLabel('Name of this search').fill('Failures');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Failures', exact: true }).waitFor();
    const { searches } = await owner.client.ok('savedSearches');
    expect(searches.map(({ name }) => name).toSorted()).toEqual(['Failures', 'Old one']);
    await go('/search');
    await page.reload();
    await page.getByRole('button', { name: 'Saved searches', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Move to the organization', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Failures', exact: true }).click();
    await page.keyboard.press('Escape');
    await results(counted(isFailed));
  });

  it('folds the values above the results where text is of twice the size, until somebody unfolds them', async () => {
    await go('/search');
    const toggle = page.getByRole('button', { name: FACETS.values, exact: true });
    await values('Outcome').waitFor();
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
    await setTextSize(page, 2);
    await results(counted(() => true));
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    expect(await values('Outcome').count()).toBe(0);
    const row = await page.locator('[data-row]').first().boundingBox();
    expect((row?.y ?? Number.POSITIVE_INFINITY) + (row?.height ?? 0)).toBeLessThan(800);
    await toggle.focus();
    await page.keyboard.press('Enter');
    await values('Outcome').waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await page.reload();
    await results(counted(() => true));
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    await setTextSize(page, 1);
    await values('Outcome').waitFor();
    // As a window is made narrower, too.
    await page.setViewportSize({ width: 640, height: 800 });
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    await page.setViewportSize({ width: 1280, height: 800 });
    await values('Outcome').waitFor();
  });

  it('has nothing that axe finds serious, and complains of nothing', async () => {
    await go('/search');
    await ask('outcome=failed');
    await results(counted(isFailed));
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('Space');
    await page.getByText('Read from the payload').waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
