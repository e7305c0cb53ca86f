// Fonts that a page is shown with instead of its own: what another script, a setting or a machine may bring.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import { ROOT } from '../../scripts/support/paths.ts';

export interface Face {
  /** A file of resources/fonts; null for no font of the page at all: what the machine has, if anything. */
  readonly file: string | null;
  /** How much larger each letter is than the font's own. */
  readonly sizeAdjust: string;
}

export const FACES = {
  narrow: { file: 'NotoSans-Regular.ttf', sizeAdjust: '84%' },
  wide: { file: 'NotoSans-Bold.ttf', sizeAdjust: '112%' },
  'of one width': { file: 'NotoSansMono-Regular.ttf', sizeAdjust: '100%' },
  'of the machine': { file: null, sizeAdjust: '100%' },
} as const satisfies Record<string, Face>;

/** Shows all pages of a browser context in another face; those that the page ships never reach it. */
export async function setFace(context: BrowserContext, { file, sizeAdjust }: Face): Promise<void> {
  await context.route('**/*.woff2', (route) => route.abort());
  if (file === null) return;
  await context.route('**/other-face.ttf', (route) =>
    route.fulfill({ body: readFileSync(join(ROOT, 'resources', 'fonts', file)), contentType: 'font/ttf' }),
  );
  await context.route('**/assets/*.css', async (route) => {
    const response = await route.fetch();
    const face = `@font-face { font-family: Other; src: url(/other-face.ttf); size-adjust: ${sizeAdjust} }`;
    await route.fulfill({
      response,
      body: `${await response.text()}${face} :root { --font: Other; --font-code: Other }`,
    });
  });
}
