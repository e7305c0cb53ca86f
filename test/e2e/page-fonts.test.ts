// The fonts of the page: its own, loaded with it, and the same for every weight and script that they have.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { TestService } from '../support/service.ts';

/** The families that the browser really drew the texts of an element with; a font of the page has a leading "own". */
async function familiesOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => `${isCustomFont ? 'own' : 'system'} ${familyName}`);
}

describe.skipIf(chromiumPath() === undefined)('the fonts of the page', () => {
  let service: TestService;
  let page: Page;
  const loaded: string[] = [];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    page = (await openPage(await (await openBrowser()).newContext())).page;
    page.on('response', (response) => {
      if (response.request().resourceType() === 'font') loaded.push(new URL(response.url()).pathname);
    });
    await page.goto(service.url);
    await page.getByRole('heading').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
  });

  /** Puts a paragraph on the page, in the code or the text face. */
  async function write(text: string, face: '--font' | '--font-code'): Promise<string[]> {
    await page.evaluate(
      async ([content, family]) => {
        document.querySelector('#written')?.remove();
        const line = document.createElement('p');
        line.id = 'written';
        line.textContent = content;
        line.style.fontFamily = `var(${family})`;
        document.body.append(line);
        line.getBoundingClientRect();
        await document.fonts.ready;
      },
      [text, face] as const,
    );
    return familiesOf(page, '#written');
  }

  it('come from the service itself, and only those that are needed', () => {
    expect(loaded.every((path) => path.startsWith('/assets/') && path.endsWith('.woff2'))).toBe(true);
    expect(loaded.map((path) => /(ibm-plex-sans|jetbrains-mono)-[a-z]+/.exec(path)?.[0]).toSorted()).toEqual([
      'ibm-plex-sans-latin',
      'jetbrains-mono-latin',
    ]);
  });

  it.each(['Receipts, l I 1 | 0 O', 'Ślązak Žižek Đặng Việt', 'Αθήνα', 'Київ'])('draw %s', async (text) => {
    expect(await write(text, '--font')).toEqual([expect.stringMatching(/^own IBM Plex Sans/)]);
    expect(await write(text, '--font-code')).toEqual([expect.stringMatching(/^own JetBrains Mono/)]);
  });

  it('give all figures one width, and make no two characters one sign', async () => {
    const widthOf = (text: string, face: '--font' | '--font-code') =>
      write(text, face).then(() =>
        page.evaluate(() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('#written') as Element);
          return range.getBoundingClientRect().width;
        }),
      );
    expect(await widthOf('1111111', '--font')).toBeCloseTo(await widthOf('0000000', '--font'), 1);
    const ligatures = await page.evaluate(() =>
      [...document.querySelectorAll('*')].map((element) => getComputedStyle(element).fontVariantLigatures),
    );
    expect(new Set(ligatures)).toEqual(new Set(['none']));
  });

  it('shift nothing while they are loaded, however late they come', async () => {
    const isFont = (url: URL) => url.pathname.endsWith('.woff2');
    // As on a busy machine: after everything else that the page asked for, and time enough to draw it.
    await page.route(isFont, async (route) => {
      await answered;
      await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        for (let left = 10; left > 0 && document.querySelector('h1') === null; left--) await frame();
        await frame();
      });
      await route.continue();
    });
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/auth/session');
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('heading').first().waitFor();
    await page.unroute(isFont);
    const shift = await page.evaluate(async () => {
      await document.fonts.ready;
      return new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      });
    });
    expect(shift).toBeLessThan(0.01);
  });
});
