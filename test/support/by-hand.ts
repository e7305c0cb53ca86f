// What a person does at a page, as a person does it: again where the page changed under the hand, and not before it is drawn.
import type { Locator, Page } from 'playwright';
import { framesPass } from './screen-walk.ts';
import { until } from './until.ts';

/** A button by its whole name: a part of it is, sooner or later, that of another button too. */
export function buttonOf(within: Page | Locator, name: string | RegExp): Locator {
  return within.getByRole('button', { name, exact: true });
}

/** What the thing that has the focus is called. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    // Their texts are all that is within.
    if (element?.matches('body, main, [role="dialog"]')) return '';
    const [label] = (element instanceof HTMLInputElement && element.labels) || [];
    return element?.getAttribute('aria-label') ?? label?.innerText ?? (element as HTMLElement | null)?.innerText ?? '';
  });
}

/**
 * Presses Tab until something of this name has the focus, and keeps it: a screen that appears takes the focus to its beginning, and a
 * part of it that is still to come cannot have it.
 */
export function tabTo(page: Page, name: RegExp): Promise<unknown> {
  return until(`${name} to be reached with Tab`, async () => {
    await page.keyboard.press('Tab');
    if (!name.test(await focusedName(page))) return false;
    await framesPass(page);
    return name.test(await focusedName(page));
  });
}

/** Presses the two keys that lead to another screen, at once: the second one counts for a moment only. */
export async function goByLetter(page: Page, letter: string): Promise<void> {
  await Promise.all(['g', letter].map((key) => page.keyboard.press(key)));
}

/** Presses a key until it was taken: a screen that has just appeared listens to keys a moment later. */
export async function pressFor(page: Page, key: string, opened: Locator): Promise<void> {
  await until(`what ${key} opens`, async () => {
    await page.keyboard.press(key);
    return isThereWithin(opened, 2_000);
  });
}

function isThereWithin(what: Locator, timeout: number): Promise<boolean> {
  return what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** Waits until a dialog has taken the focus, which it does with the frame after it is drawn: a key before that is nobody's. */
export async function takesFocus(dialog: Locator): Promise<void> {
  await dialog.waitFor();
  await until('the focus in the dialog', () =>
    dialog.evaluate((element) => element.contains(document.activeElement) && element !== document.activeElement),
  );
}

/** Holds the pointer over something until its tip is there; what came above it meanwhile may have moved it from under the pointer. */
export async function pointTo(target: Locator, tip: Locator): Promise<void> {
  await until('the tip', async () => {
    await target.page().mouse.move(0, 0);
    await target.hover();
    return isThereWithin(tip, 2_000);
  });
}
