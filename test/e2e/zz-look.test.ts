import type { Page } from 'playwright';
import { beforeAll, describe, it } from 'vitest';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { TestService } from '../support/service.ts';
import { setTextSize } from '../support/text-size.ts';
import { fill, setUp } from '../support/workspace.ts';

const scrollers = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((e) => {
        const s = getComputedStyle(e);
        return (
          (/auto|scroll/.test(s.overflowY) && e.scrollHeight > e.clientHeight + 1) ||
          (/auto|scroll/.test(s.overflowX) && e.scrollWidth > e.clientWidth + 1)
        );
      })
      .map((e) => {
        const r = e.getBoundingClientRect();
        return `${e.tagName}.${e.className} ${Math.round(r.width)}x${Math.round(r.height)} content ${e.scrollWidth}x${e.scrollHeight}`;
      }),
  );
describe('look', () => {
  let page: Page;
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    ({ page } = await openPage(context));
    await fill(await setUp(page, service));
  });
  it('takes pictures', { timeout: 600_000 }, async () => {
    const shot = async (name: string) => {
      await page.waitForTimeout(700);
      await page.screenshot({ path: `/tmp/hh/pics/${name}.png` });
      console.log(name, JSON.stringify(await scrollers(page), null, 1));
    };
    await page.goto(`${service.url}/#/search`);
    await page.getByText('400 results').waitFor();
    await shot('1280-search');
    await page.locator('[data-row]').nth(3).click();
    await shot('1280-preview');
    await page.setViewportSize({ width: 900, height: 700 });
    await shot('900-preview');
    await page.goto(`${service.url}/#/dashboard`);
    await page.goto(`${service.url}/#/search`);
    await page.getByText('400 results').waitFor();
    await shot('900-search');
    await page.setViewportSize({ width: 1280, height: 800 });
    await setTextSize(page, 2);
    await page.getByText('400 results').waitFor();
    await shot('200-search');
    await page.locator('[data-row]').nth(3).click();
    await shot('200-preview');
    await setTextSize(page, 1);
    await page.goto(`${service.url}/#/`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.waitForTimeout(1500);
    await shot('dashboard');
    const canvas = page.locator('canvas').first();
    const box = await canvas.boundingBox();
    console.log('canvas', JSON.stringify(box), await page.locator('figure, .chart').first().innerText().catch(() => ''));
    if (box) {
      await page.mouse.click(box.x + box.width * 0.97, box.y + box.height * 0.6);
      await page.waitForTimeout(1500);
      console.log('after click', page.url());
      await shot('dashboard-clicked');
    }
  });
});
