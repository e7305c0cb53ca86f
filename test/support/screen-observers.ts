// What is looked at on every screen (screen-walk.ts). Each leaves the page as it found it.
import type { Page } from 'playwright';
import { seriousIssuesInThemes } from './browser.ts';
import { chooseFace, type FaceName } from './faces.ts';
import { picture } from './pictures.ts';
import { type Observer, setWidth, USUAL_SIZE } from './screen-walk.ts';
import { lostOf } from './text-size.ts';

/** What axe finds in both themes, of which pictures are taken where somebody asks for them. */
export const accessible: Observer = (page, name) =>
  seriousIssuesInThemes(page, (theme) => picture(page, `${name}-${theme}`));

/** What a list shows unless somebody chooses otherwise has room in one line of the smallest usual window. */
export const inOneLine: Observer = async (page, name) => {
  const isFolded = (await page.locator('.is-folded .grid-row').count()) > 0;
  // But for findings and tags of a case next to its values, below which what happened has a whole line.
  return isFolded && name !== 'case-search' ? ['its rows have several lines'] : [];
};

/** What is chosen without a shape that tells so where the system has its own colours. */
export const toldByShape: Observer = async (page) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  const found = await page.evaluate(() => [
    ...[...document.querySelectorAll('.nav a[aria-current="page"], .grid-row.is-selected, .button-primary')]
      .filter((element) => getComputedStyle(element).outlineStyle !== 'solid')
      .map((element) => element.outerHTML),
    // Lines that are drawn, not filled, follow the system's colours too.
    ...[getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()]
      .filter((accent) => accent !== 'LinkText')
      .map((accent) => `lines in ${accent}`),
  ]);
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
};

/** Where a ring of checks, the words next to it, and the list of the same checks do not count alike. */
export const countedAlike: Observer = (page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const ring of document.querySelectorAll('.ring')) {
      const shown = ring.querySelector('figcaption strong')?.textContent ?? '';
      const words = ring.querySelector('svg')?.getAttribute('aria-label') ?? '';
      const [passed = 0, failed = 0, open = 0] = [...words.matchAll(/[0-9]+/g)].map(Number);
      const drawn = (kind: string): number => ring.querySelectorAll(`path.ring-${kind}`).length;
      const counted = [`${passed}/${passed + failed + open}`];
      counted.push(`${drawn('pass')}/${drawn('pass') + drawn('fail') + drawn('not_checked')}`);
      const said = /([0-9]+) of ([0-9]+) checks (passed|failed)|All ([0-9]+) checks passed/.exec(
        ring.closest('.hero')?.querySelector('.hero-words')?.textContent ?? '',
      );
      if (said !== null) {
        const [, some = '', of = '', what, all] = said;
        const done = what === 'failed' ? `${passed}` : some;
        counted.push(all === undefined ? `${done}/${of}` : `${all}/${all}`);
      }
      const list = document.querySelector('main .checks, main .steps');
      const marks = [...(list?.children ?? [])].map((item) => item.querySelector('.mark'));
      const of = (kind: string): number => marks.filter((mark) => mark?.classList.contains(`mark-${kind}`)).length;
      if (list !== null) counted.push(`${of('pass')}/${marks.length - of('not_applicable')}`);
      found.push(
        ...counted.filter((one) => one !== shown).map((one) => `its ring says ${shown}, elsewhere it is ${one}`),
      );
    }
    return found;
  });

/** What is cut off, covered, or cannot be reached. */
export const whole: Observer = lostOf;

/** What keeps the lines that it was given, however long they are; all else breaks, or turns into a list. */
const KEEPS_ITS_LINES = 'pre, textarea, .hex, .block';

/** Whether a screen is wider than its window, and its parts that scroll sideways, or cannot be scrolled by keyboard. */
function scrolling(page: Page): Promise<string[]> {
  return page.evaluate(async (kept) => {
    // What is observed of sizes is told after a frame, and what follows it changes the page in the next: nothing more comes
    // once two frames in a row found all as it was.
    const changes = new MutationObserver(() => undefined);
    changes.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
    for (let still = -1; still < 2; still = changes.takeRecords().length > 0 ? 0 : still + 1) {
      await new Promise(requestAnimationFrame);
    }
    changes.disconnect();
    const found: string[] = [];
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) found.push(`${over} pixels wider than the window`);
    const reaches = '[tabindex="0"], a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary';
    for (const element of document.querySelectorAll('body *')) {
      const { scrollWidth, clientWidth } = element;
      const [isWide, isHigh] = [scrollWidth > clientWidth + 1, element.scrollHeight > element.clientHeight + 1];
      if (!isWide && !isHigh) continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const [scrollsX, scrollsY] = [isWide && /auto|scroll/.test(overflowX), isHigh && /auto|scroll/.test(overflowY)];
      if ((!scrollsX && !scrollsY) || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (scrollsX && !element.matches(kept)) {
        const name = element.ariaLabel ?? element.className;
        found.push(`scrolls sideways: ${element.tagName} ${name}, ${scrollWidth} in ${clientWidth}`);
      }
      if (!element.matches(reaches) && element.querySelector(reaches) === null) {
        found.push(`not by keyboard: ${element.tagName} ${element.className}`);
      }
    }
    return found;
  }, KEEPS_ITS_LINES);
}

/** The widths of a window at which a screen is looked at in a face. */
export type WidthsOfFaces = readonly (readonly [face: FaceName | null, widths: readonly number[]])[];

/**
 * How a screen is laid out in faces, each at some widths.
 * @param look what else is to be looked at in each face, at the usual width
 */
export function laidOut(faces: WidthsOfFaces, look: Observer = async () => []): Observer {
  return async (page, name) => {
    const found: string[] = [];
    await unpainted(page, true);
    for (const [face, widths] of faces) {
      await setWidth(page, USUAL_SIZE.width);
      await chooseFace(page, face);
      found.push(...(await look(page, name)).map((what) => `${face ?? 'own'} font: ${what}`));
      for (const width of widths) {
        if (page.viewportSize()?.width !== width) await page.setViewportSize({ ...USUAL_SIZE, width });
        found.push(...(await scrolling(page)).map((what) => `${face ?? 'own'} font, ${width}: ${what}`));
      }
    }
    await chooseFace(page, null);
    await unpainted(page, false);
    await setWidth(page, USUAL_SIZE.width);
    return found;
  };
}

/** Has a page laid out as ever, but not painted, which is most of what a frame costs. */
async function unpainted(page: Page, is: boolean): Promise<void> {
  await page.evaluate((opacity) => document.documentElement.style.setProperty('opacity', opacity), is ? '0' : '');
}

/** How a screen fits windows of several widths: nothing of it is lost, and axe finds nothing but what may be. */
export function fits(widths: readonly number[], mayBe: RegExp): Observer {
  // The next screen appears in the window as it is: half of them in the wide one, half in the narrow one.
  let order = widths;
  return async (page) => {
    const found: string[] = [];
    for (const width of order) {
      await setWidth(page, width);
      const issues = (await seriousIssuesInThemes(page)).filter((issue) => !mayBe.test(issue));
      found.push(...[...(await lostOf(page)), ...issues].map((what) => `${width}: ${what}`));
    }
    order = order.toReversed();
    return found;
  };
}
