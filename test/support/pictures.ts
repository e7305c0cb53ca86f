// Pictures of screens, where somebody asks for them: COUNTERSIGN_SCREENSHOTS=1 takes those again that the docs have, and
// COUNTERSIGN_SCREENSHOTS=FOLDER takes each screen at three widths into that folder, to be looked at.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { ROOT } from '../../scripts/support/paths.ts';

const WANTED = process.env['COUNTERSIGN_SCREENSHOTS'];
const DOCS_SIZE = { width: 1280, height: 800 };
const SIZES = [{ width: 900, height: 700 }, DOCS_SIZE, { width: 1600, height: 1000 }] as const;

/** Whether pictures are taken: the screens then tell a story, where tests look for what is hard to show. */
export const ARE_TAKEN = WANTED !== undefined && WANTED !== '';

/** Takes a picture of what is shown, if any are wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!ARE_TAKEN) return;
  await page.mouse.move(0, 0);
  if (WANTED === '1') {
    const path = join(ROOT, 'docs', 'screenshots', `${name}.png`);
    if (existsSync(path)) await page.screenshot({ path });
    return;
  }
  mkdirSync(WANTED ?? '', { recursive: true });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // What is drawn for the width, such as a chart, follows in the next frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(WANTED ?? '', `${name}-${size.width}.png`) });
  }
  await page.setViewportSize(DOCS_SIZE);
}
