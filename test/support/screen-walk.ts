// One walk over the screens of a workspace, with everything that is looked at on each of them.
import type { Page } from 'playwright';
import { messageOf } from '../../src/protocol/text/light.ts';
import type { Visit } from './workspace-visits.ts';

/** The usual size of a window; an observer that changes it, or anything else of the page, puts it back. */
export const USUAL_SIZE = { width: 1280, height: 800 } as const;

/** Looks at a screen that is complete. @returns what is wrong with it */
export type Observer = (page: Page, name: string) => Promise<readonly string[]>;

/**
 * Goes to every screen in turn, and has all observers look at each.
 * @param open goes to a screen and waits until it is complete, where its visit waits for words that the page does not have
 * @returns what each observer found, with the names of the screens
 * @throws Error with the name of a screen that never was complete
 */
export async function walk<Name extends string>(
  page: Page,
  origin: string,
  visits: readonly Visit[],
  observers: Readonly<Record<Name, Observer>>,
  open: (page: Page, address: string, visit: Visit) => Promise<unknown> = openVisit,
): Promise<Record<Name, readonly string[]>> {
  const names = Object.keys(observers) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as string[]])) as Record<Name, string[]>;
  for (const visit of visits) {
    try {
      await open(page, `${origin}/#${visit.path}`, visit);
      for (const name of names) {
        const wrong = await observers[name](page, visit.name);
        found[name].push(...wrong.map((what) => `${visit.name}: ${what}`));
      }
    } catch (error) {
      throw new Error(`${visit.name} (${visit.path}): ${messageOf(error)}\n${await shownBy(page)}`, { cause: error });
    }
  }
  return found;
}

/** What a page shows that never was complete: where it is, what it loads still, and its words. */
function shownBy(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [loading] = document.querySelectorAll('.loading[role="status"]');
    const waiting = performance.getEntriesByType('resource').slice(-5);
    return [
      location.href,
      loading === undefined
        ? 'nothing loads'
        : `loading in ${loading.parentElement?.className}: ${loading.textContent}`,
      ...waiting.map((one) => `${one.name} after ${Math.round(one.startTime)} ms took ${Math.round(one.duration)} ms`),
      `at ${Math.round(performance.now())} ms: ${document.body.innerText.slice(0, 600)}`,
    ].join('\n');
  });
}

async function openVisit(page: Page, address: string, { ready }: Visit): Promise<void> {
  await page.goto(address);
  await ready(page);
}

/** Goes to a screen whatever its language is: it is complete with a title other than that of the screen before, and nothing loading. */
export async function openAnyLanguage(page: Page, address: string, { path }: Visit): Promise<void> {
  const [screen = ''] = path.split('?');
  const isSame = page.url().includes(`#${screen}?`) || page.url().endsWith(`#${screen}`);
  const title = await page.evaluate(() => document.querySelector('main h1')?.textContent ?? null);
  await page.goto(address);
  await page.waitForFunction(
    (left) => {
      const shown = document.querySelector('main h1')?.textContent ?? null;
      return shown !== null && shown !== left && document.querySelector('.loading[role="status"]') === null;
    },
    isSame ? null : title,
  );
  if (path.includes('new=true')) await page.getByRole('dialog').waitFor();
  await framesPass(page);
}

/** What is observed of sizes is told after a frame, and what follows it is drawn in the next. */
export function framesPass(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Gives the window a width, and waits until the screen has followed. */
export async function setWidth(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width === width) return;
  await page.setViewportSize({ ...USUAL_SIZE, width });
  await framesPass(page);
}
