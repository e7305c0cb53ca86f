import type { Page } from 'playwright';
import { durations } from './figures.ts';

interface ListWatch {
  readonly blanks: number[];
  readonly tasks: number[];
  running: boolean;
}
declare global {
  interface Window {
    listWatch: ListWatch;
  }
}

/** Of the page's list: how long places of it were without content at a time, and how long the page was held up. */
export type ScrolledList = Readonly<Record<'blankMs' | 'taskMs', ReturnType<typeof durations>>>;

/** Scrolls the list that a page shows as fast as it can, by wheel, keys, scroll bar and to both ends, and watches each frame. */
export async function scrolledList(page: Page): Promise<ScrolledList> {
  await page.evaluate(watch);
  const box = await page.locator('.grid-scroll').boundingBox();
  if (box === null) throw new Error('the list has no place');
  await page.mouse.move(box.x + 300, box.y + 200);
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 400);
    await nextFrame(page);
  }
  await page.locator('.grid-scroll').focus();
  for (let n = 0; n < 20; n++) await page.keyboard.press('PageDown');
  for (const key of ['End', 'Home']) {
    await page.keyboard.press(key);
    await page.waitForFunction(() => document.querySelector('.grid-row[aria-busy="true"]') === null);
  }
  const bar = box.x + box.width - 5;
  await page.mouse.move(bar, box.y + 22);
  await page.mouse.down();
  await page.mouse.move(bar, box.y + box.height / 2, { steps: 30 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('.grid-row[aria-busy="true"]') === null);
  await nextFrame(page);
  const { blanks, tasks } = await page.evaluate(() => {
    window.listWatch.running = false;
    return window.listWatch;
  });
  return { blankMs: durations(blanks), taskMs: durations(tasks) };
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
}

/** Runs in the page: notes in each frame how long some place of the visible list has had no row with its content. */
function watch(): void {
  const seen: ListWatch = { blanks: [], tasks: [], running: true };
  window.listWatch = seen;
  new PerformanceObserver((list) => {
    if (seen.running) seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
  const isBlank = (): boolean => {
    const list = document.querySelector('.grid-scroll');
    const head = list?.querySelector('.grid-head');
    if (!list || !head) return true;
    const [top, bottom] = [head.getBoundingClientRect().bottom, list.getBoundingClientRect().top + list.clientHeight];
    let covered = 0;
    for (const row of list.querySelectorAll('.grid-row:not(.is-pending)')) {
      const { top: from, bottom: to } = row.getBoundingClientRect();
      covered += Math.max(0, Math.min(to, bottom) - Math.max(from, top));
    }
    return covered < bottom - top - 2;
  };
  let blankSince: number | null = null;
  const look = (now: number): void => {
    if (isBlank()) blankSince ??= now;
    else if (blankSince !== null) {
      seen.blanks.push(now - blankSince);
      blankSince = null;
    }
    if (seen.running) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
