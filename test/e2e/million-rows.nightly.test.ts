// Lists of a million rows: wherever they are scrolled to, rows with content come, few are drawn and few are asked for at once.
// How long that takes is measured by bench/window.ts.
import type { Page, Request } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { openOwnBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { addManyRows } from '../support/many-rows.ts';
import { TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';
import { setUp } from '../support/workspace.ts';

const ROWS = 1_000_000;
/** Frames, whatever they last: a list that has become larger is drawn in the next ones. */
const MAX_BLANK = 2;
/** So many rows are drawn at most: what is visible of the list, and some on both sides. */
const MAX_DRAWN = 80;
/** So many requests are under way at most: what is looked at is fetched with two pages on both sides, then what is by then. */
const MAX_UNDER_WAY = 6;

/** In so many steps the scroll bar is drawn; on the way of each there may be another place that is looked at. */
const DRAGS = 30;

/** What a page saw of its list, frame by frame. */
interface Watch {
  /** The longest run of frames in which some place of the visible list had no row with content, and that of the last ones. */
  blank: number;
  blankNow: number;
  /** The most rows that were drawn at once. */
  drawn: number;
  running: boolean;
}
declare global {
  interface Window {
    watch: Watch;
  }
}

describe.skipIf(chromiumPath() === undefined)('a list of a million rows', () => {
  let page: Page;
  let url: string;
  const requests = { made: 0, underWay: 0, mostUnderWay: 0 };

  beforeAll(async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openOwnBrowser({ scrollBars: true })).newContext({
      viewport: { width: 1280, height: 800 },
    });
    const watched = await openPage(context);
    page = watched.page;
    const isForRows = (request: Request): boolean => /\/v1\/audit\/query|\/operations/.test(request.url());
    page.on('request', (request) => {
      if (!isForRows(request)) return;
      requests.made++;
      requests.mostUnderWay = Math.max(requests.mostUnderWay, ++requests.underWay);
    });
    const end = (request: Request): void => void (isForRows(request) && requests.underWay--);
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    const account = await setUp(page, service);
    await page.goto('about:blank');
    await addManyRows(service, account, 'busy', ROWS);
    url = service.url;
    // The service has another port now: a page there is of another origin.
    await signInPage(page.context(), service, account);
  });

  /** Looks at the list in each frame from now on. */
  async function startWatching(): Promise<void> {
    await settle();
    Object.assign(requests, { made: 0, mostUnderWay: requests.underWay });
    await page.evaluate(() => {
      if (window.watch) window.watch.running = false;
      const watch: Watch = { blank: 0, blankNow: 0, drawn: 0, running: true };
      window.watch = watch;
      const isBlank = (): boolean => {
        const list = document.querySelector('.grid-scroll');
        const head = list?.querySelector('.grid-head');
        if (!list || !head) return true;
        const box = list.getBoundingClientRect();
        const [top, bottom] = [head.getBoundingClientRect().bottom, box.top + list.clientHeight];
        let covered = 0;
        for (const row of list.querySelectorAll('.grid-row:not(.is-pending)')) {
          const { top: from, bottom: to } = row.getBoundingClientRect();
          covered += Math.max(0, Math.min(to, bottom) - Math.max(from, top));
        }
        return covered < bottom - top - 2;
      };
      const look = (): void => {
        if (!watch.running) return;
        watch.drawn = Math.max(watch.drawn, document.querySelectorAll('.grid-row').length);
        watch.blankNow = isBlank() ? watch.blankNow + 1 : 0;
        watch.blank = Math.max(watch.blank, watch.blankNow);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }
  /** Waits until all that is looked at is there, and what lies beside it. */
  async function settle(): Promise<void> {
    await page.waitForFunction(() => document.querySelector('.grid-row[aria-busy="true"]') === null);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await until('the rows beside', () => requests.underWay === 0);
  }
  /** Once it has come to rest, rows follow one another without a gap. */
  async function expectNoGap(): Promise<void> {
    const gap = async (): Promise<number | undefined> => {
      const numbers = await drawn();
      return numbers.find((seqNo, n) => seqNo !== (numbers[0] ?? 0) - n);
    };
    await expect.poll(gap).toBeUndefined();
  }
  /** @param places how many places were looked at on the way: each is fetched at most once, with the pages beside it */
  async function expectBounded(places: number): Promise<void> {
    await settle();
    const { blank, drawn: most } = await page.evaluate(() => window.watch);
    expect(blank, 'frames in a row with a place without content').toBeLessThanOrEqual(MAX_BLANK);
    expect(most, 'rows drawn at once').toBeLessThanOrEqual(MAX_DRAWN);
    expect(requests.mostUnderWay, 'requests under way at once').toBeLessThanOrEqual(MAX_UNDER_WAY);
    expect(requests.made, 'requests').toBeLessThanOrEqual(places * MAX_UNDER_WAY);
  }
  /** The seq_no of the rows that are drawn, from the top. */
  const drawn = (): Promise<number[]> =>
    page.locator('.grid-row [data-row]').evaluateAll((rows) =>
      rows
        .map((row) => ({ seqNo: Number(row.textContent), top: row.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top)
        .map(({ seqNo }) => seqNo),
    );
  /** Waits until a record is drawn in what is visible of the list. */
  const seen = (seqNo: number) => page.locator('.grid-row [data-row]', { hasText: new RegExp(`^${seqNo}$`) }).waitFor();
  /** Scrolls the list, and waits until it has moved and rests, with all its rows. */
  async function move(scroll: () => Promise<void>): Promise<void> {
    const before = await page.locator('.grid-scroll').evaluate((list) => list.scrollTop);
    await scroll();
    await page.locator('.grid-scroll').evaluate(async (list, from) => {
      for (let last = from; list.scrollTop === from || list.scrollTop !== last; ) {
        last = list.scrollTop;
        await new Promise((done) => requestAnimationFrame(done));
      }
    }, before);
    await settle();
  }
  async function wheel(turns: number, each: (turn: () => Promise<void>) => Promise<unknown>): Promise<void> {
    const box = await page.locator('.grid-scroll').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 200);
    for (let n = 0; n < turns; n++) await each(() => page.mouse.wheel(0, 400));
  }
  async function rush(scroll: () => Promise<void>): Promise<void> {
    await scroll();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  async function press(key: string, times: number): Promise<void> {
    for (let n = 0; n < times; n++) await move(() => page.keyboard.press(key));
  }
  /** Drags the scroll bar to the middle of the list. */
  async function dragToMiddle(): Promise<void> {
    const box = await page.locator('.grid-scroll').boundingBox();
    if (box === null) throw new Error('the list has no place');
    const bar = box.x + box.width - 5;
    await page.mouse.move(bar, box.y + 22);
    await page.mouse.down();
    await page.mouse.move(bar, box.y + box.height / 2, { steps: DRAGS });
    await page.mouse.up();
  }
  async function toBothEnds(): Promise<void> {
    await page.keyboard.press('End');
    await seen(1);
    await page.keyboard.press('Home');
    await seen(ROWS);
  }

  describe('in the search', () => {
    beforeAll(async () => {
      await page.goto(`${url}/#/search?unit=records`);
      await page.getByText('1,000,000 records').waitFor();
      await seen(ROWS);
    });

    it('goes row by row with the wheel and page by page with keys', async () => {
      await startWatching();
      await wheel(20, move);
      await page.getByRole('table', { name: 'Operations' }).focus();
      await press('PageDown', 20);
      await press('PageUp', 10);
      await expectBounded(50);
      // Faster than rows can come: once it rests, they are all there.
      await wheel(60, rush);
      await settle();
      expect((await drawn())[0]).toBeLessThan(ROWS - 800);
      await expectNoGap();
    });

    it('goes to its first record and back with End and Home', async () => {
      await startWatching();
      await page.getByRole('table', { name: 'Operations' }).focus();
      await toBothEnds();
      await expectBounded(4);
    });

    it('goes to its middle with the scroll bar', async () => {
      await startWatching();
      await dragToMiddle();
      await expect.poll(async () => Math.abs(((await drawn())[0] ?? 0) / ROWS - 0.5) < 0.05).toBe(true);
      await expectBounded(2 * DRAGS);
      await wheel(20, move);
      await expectBounded(2 * DRAGS + 20);
      await expectNoGap();
    });
  });

  describe('in the search, the oldest first', () => {
    beforeAll(async () => {
      await page.goto(`${url}/#/search?unit=records&order=oldest`);
      await page.getByText('1,000,000 records').waitFor();
      await seen(1);
    });

    it('goes to its last record and back with End and Home', async () => {
      await startWatching();
      await page.getByRole('table', { name: 'Operations' }).focus();
      await page.keyboard.press('End');
      await seen(ROWS);
      await page.keyboard.press('Home');
      await seen(1);
      await expectBounded(4);
    });

    it('goes to its middle with the scroll bar', async () => {
      await startWatching();
      await dragToMiddle();
      await expect.poll(async () => Math.abs(((await drawn())[0] ?? 0) / ROWS - 0.5) < 0.05).toBe(true);
      await expectBounded(2 * DRAGS);
      const numbers = await drawn();
      expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
    });
  });

  describe('in the chain explorer', () => {
    beforeAll(async () => {
      await page.goto(`${url}/#/agents/busy/chain`);
      await page.getByText(/records loaded, all linked/).waitFor();
      await seen(ROWS);
    });

    it('goes row by row with the wheel and page by page with keys', async () => {
      await startWatching();
      await wheel(40, move);
      await page.getByRole('table', { name: 'Chain' }).focus();
      await press('PageDown', 20);
      await expectBounded(60);
      expect((await drawn())[0]).toBeLessThan(ROWS - 800);
    });

    it('goes to its first record and back with End and Home', async () => {
      await startWatching();
      await page.getByRole('table', { name: 'Chain' }).focus();
      await toBothEnds();
      await expectBounded(4);
    });

    it('goes to the middle of what is loaded with the scroll bar', async () => {
      await startWatching();
      await dragToMiddle();
      await expectBounded(2 * DRAGS);
      expect((await drawn())[0]).toBeLessThan(ROWS);
    });
  });
});
