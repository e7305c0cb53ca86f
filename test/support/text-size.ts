import type { Page } from 'playwright';
import { expect } from 'vitest';

/** What browsers have for the size of text unless somebody changes it, in pixels. */
const STANDARD = 16;

/** Has the browser's own size of text so many times the usual one, and waits until the page has followed. */
export async function setTextSize(page: Page, scale: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: scale * STANDARD } });
  await page.reload();
  const shown = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--text-scale'));
  await expect.poll(shown).toBe(String(scale));
}

/** @returns what of a screen is cut off or cannot be reached, by its text */
export function lostOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
    /** Whether something can be brought into sight: no box around it both cuts it off and does not scroll. */
    const isReachable = (element: Element): boolean => {
      const box = element.getBoundingClientRect();
      let scrolls = false;
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        scrolls ||= /auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY);
        // What ends in dots is whole in its title.
        if (getComputedStyle(around).textOverflow === 'ellipsis' && element.hasAttribute('title')) return true;
        if (scrolls || !/hidden|clip/.test(overflowX + overflowY)) continue;
        const edge = around.getBoundingClientRect();
        if (box.right > edge.right + 1 || box.bottom > edge.bottom + 1) return false;
      }
      return scrolls || (box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1);
    };
    /** Whether something else stands where the middle of it is; what does not scroll can not be moved from under it. */
    const isCovered = (element: Element): boolean => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      const isWithin = there === null || element.contains(there) || there.contains(element);
      return !isWithin && element.closest('[tabindex="0"], .wide, .nav, [role="dialog"]') === null;
    };
    for (const element of document.querySelectorAll('button, a[href], input, select, textarea, summary, h1, h2')) {
      if (element.getClientRects().length === 0 || element.closest('[aria-hidden="true"], [inert]')) continue;
      if (element.matches('.skip')) continue;
      if (isCovered(element)) found.push(`covered: ${element.tagName} ${element.textContent || element.ariaLabel}`);
      if (!isReachable(element)) found.push(`${element.tagName} ${element.textContent || element.ariaLabel}`);
    }
    for (const row of document.querySelectorAll('.grid-row > *, .table td')) {
      if (row.scrollHeight > row.clientHeight + 2) found.push(`cut off: ${row.textContent}`);
    }
    return found;
  });
}
