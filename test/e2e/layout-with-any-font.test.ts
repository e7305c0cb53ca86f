// The layout does not hang on the fonts of a machine: under narrow, wide and missing ones, every part that scrolls is
// reached by keyboard, nothing is cut off with text of twice the size, and no screen is wider than its window.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { leaveUnpainted, openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { addFaces, chooseFace, type FaceName } from '../support/faces.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { lostOf, setTextSize } from '../support/text-size.ts';
import { setUp } from '../support/workspace.ts';
import { type Visit, workspaceVisits } from '../support/workspace-visits.ts';

/** Narrower letters find more room the narrower the window is: they are looked at in the widest alone. */
const WIDTHS: Partial<Record<FaceName | 'own', readonly number[]>> = {
  own: [1280, 900, 640],
  narrow: [1280],
  wide: [1280, 900, 640],
};
const USUAL_WIDTHS = [1280, 900];

/** What keeps the lines that it was given, however long they are; all else breaks, or turns into a list. */
const KEEPS_ITS_LINES = 'pre, textarea, .hex, .block';

/** @returns whether a screen is wider than its window, and its parts that scroll sideways, or cannot be scrolled by keyboard */
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

async function setWidth(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
}

/** @returns what is wrong with a screen at this width of its window */
async function troubleAt(page: Page, width: number): Promise<string[]> {
  await setWidth(page, width);
  return (await scrolling(page)).map((what) => `${width}: ${what}`);
}

describe.skipIf(chromiumPath() === undefined)('the layout', () => {
  let service: TestService;
  let visits: readonly Visit[];
  let account: Account;

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      epochIntervalSeconds: 3600,
      webhookAllowPrivate: true,
    });
    const context = await (await openBrowser()).newContext();
    account = await setUp((await openPage(context)).page, service);
    ({ visits } = await workspaceVisits(account));
    await context.close();
  });

  /** A page of the same account in a browser of its own, with the faces to choose from. */
  async function open(machineHasFonts: boolean): Promise<Page> {
    const browser = await openBrowser({ fonts: machineHasFonts });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await signInPage(context, service, account);
    await addFaces(context);
    await leaveUnpainted(context);
    return (await openPage(context)).page;
  }

  /** Goes to every screen. @returns what is wrong with each, in each of the faces */
  async function troubleOf(
    page: Page,
    faces: readonly (FaceName | null)[],
    look: (face: FaceName | 'own') => Promise<string[]>,
  ): Promise<string[]> {
    const trouble: string[] = [];
    for (const { name, path, ready } of visits) {
      await setWidth(page, 1280);
      await page.goto(`${service.url}/#${path}`);
      await ready(page);
      for (const face of faces) {
        await setWidth(page, 1280);
        await chooseFace(page, face);
        const named = face ?? 'own';
        trouble.push(...(await look(named)).map((what) => `${name}, ${named} font, ${what}`));
      }
    }
    return trouble;
  }

  async function troubleAtAll(page: Page, widths: readonly number[]): Promise<string[]> {
    const trouble: string[] = [];
    for (const width of widths) trouble.push(...(await troubleAt(page, width)));
    return trouble;
  }

  it.each([
    ['its own font or any other, on a machine with hardly any', false, [null, 'narrow', 'wide', 'of one width']],
    ["the machine's fonts", true, ['of the machine']],
  ] as const)(
    'holds with %s',
    async (_, machineHasFonts, faces) => {
      const page = await open(machineHasFonts);
      const usual = await troubleOf(page, faces, (face) => troubleAtAll(page, WIDTHS[face] ?? USUAL_WIDTHS));
      await setTextSize(page, 2);
      const wider = faces.filter((face) => face !== 'narrow' && face !== 'of one width');
      const large = await troubleOf(page, wider, async () => {
        const lost = await lostOf(page);
        return [...lost, ...(await troubleAtAll(page, USUAL_WIDTHS))].map((what) => `200 %, ${what}`);
      });
      await page.context().browser()?.close();
      expect([...usual, ...large]).toEqual([]);
    },
    600_000,
  );
});
