// Fonts that a page is shown with instead of its own: what another script, a setting or a machine may bring.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { ROOT } from '../../scripts/support/paths.ts';

/** Families by name: one of resources/fonts, and how much larger each letter is than the font's own; or what the machine has. */
const FACES = {
  narrow: { file: 'NotoSans-Regular.ttf', sizeAdjust: '84%' },
  wide: { file: 'NotoSans-Bold.ttf', sizeAdjust: '112%' },
  'of one width': { file: 'NotoSansMono-Regular.ttf', sizeAdjust: '100%' },
  'of the machine': null,
} as const;

export type FaceName = keyof typeof FACES;

/** The styles in which an attribute of the page chooses its face. */
function styles(): string {
  return Object.entries(FACES)
    .map(([name, face]) => {
      const chosen = `:root[data-face='${name}']`;
      if (face === null) return `${chosen} { --font: sans-serif; --font-code: monospace }`;
      const source = `src: url(/faces/${face.file}); size-adjust: ${face.sizeAdjust}`;
      return `@font-face { font-family: '${name}'; ${source} } ${chosen} { --font: '${name}'; --font-code: '${name}' }`;
    })
    .join('\n');
}

/** Gives all pages of a browser context these faces to choose from; they keep their own until one is chosen. */
export async function addFaces(context: BrowserContext): Promise<void> {
  await context.route('**/faces/*.ttf', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    return route.fulfill({ body: readFileSync(join(ROOT, 'resources', 'fonts', name)), contentType: 'font/ttf' });
  });
  await context.route('**/assets/*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n${styles()}` });
  });
}

/** Shows a page in a face, null for its own, and waits until it is laid out with it. */
export async function chooseFace(page: Page, name: FaceName | null): Promise<void> {
  await page.evaluate(async (face) => {
    const { dataset } = document.documentElement;
    if (face === null) delete dataset['face'];
    else dataset['face'] = face;
    // Fonts are asked for with the first layout that needs them.
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    // Two frames: what is observed of sizes is told after the first.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, name);
}
