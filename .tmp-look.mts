import { chromium } from 'playwright';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
for (const [name, scheme] of [['five', 'light'], ['five', 'dark'], ['alt', 'light'], ['page', 'light'], ['thou', 'light']] as const) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, colorScheme: scheme, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  const asked: string[] = [];
  page.on('request', (r) => asked.push(r.url().slice(0, 60)));
  page.on('console', (m) => console.log(name, 'console', m.text().slice(0, 200)));
  page.on('pageerror', (e) => console.log(name, 'error', String(e)));
  page.on('dialog', (d) => { console.log(name, 'DIALOG'); void d.dismiss(); });
  const t = Date.now();
  await page.goto(`file:///tmp/fh/${name}.html`);
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(4000);
  console.log(name, Date.now() - t, 'ms', asked, (await page.locator('h1,h2').allTextContents()).slice(0, 6));
  await page.screenshot({ path: `/tmp/fh/shot-${name}-${scheme}.png` });
  if (name === 'five') {
    const field = page.locator('input').first();
    await field.fill('87789 99585 13712 91022 92207 77781 29089 71552 99975 42331 53644 64643');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(3000);
    await page.screenshot({ path: `/tmp/fh/shot-${name}-${scheme}-trusted.png` });
    await page.evaluate(() => window.scrollTo(0, 900));
    await page.screenshot({ path: `/tmp/fh/shot-${name}-${scheme}-2.png` });
  }
  await context.close();
}
await browser.close();
