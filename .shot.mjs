import { chromium } from 'playwright';
import { chromiumPath } from './scripts/support/capabilities.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const [file, out] = process.argv.slice(2);
const b = await chromium.launch({executablePath: chromiumPath(), args:['--no-sandbox']});
for (const scheme of ['light','dark']) {
  const c = await b.newContext({ colorScheme: scheme, offline: true, viewport: { width: 1000, height: 1400 } });
  const p = await c.newPage();
  p.on('console', m => console.log(m.text())); p.on('pageerror', e => console.log('ERR', e.message)); p.on('request', r => console.log('req', r.url()));
  await p.goto('file://' + file);
  await p.waitForSelector('.verdict');
  const kid = await p.locator('.fingerprint').innerText();
  if (scheme === 'dark') { await p.getByLabel('Fingerprint that you received').fill(kid.replace('\n',' ')); await p.keyboard.press('Enter'); await p.waitForSelector('.verdict.verified'); }
  await p.screenshot({ path: `${out}-${scheme}.png`, fullPage: true });
  const src = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'),'utf8');
  const c2 = await b.newContext({ colorScheme: scheme, bypassCSP: true }); const p2 = await c2.newPage();
  await p2.goto('file://' + file); await p2.waitForSelector('.verdict'); await p2.evaluate(src);
  const r = await p2.evaluate(() => axe.run()); console.log(scheme, 'axe', r.violations.map(v => [v.id, v.nodes[0].html.slice(0,200)]));
  if (scheme === 'light') { await p.emulateMedia({ media: 'print' }); await p.evaluate(() => dispatchEvent(new Event('beforeprint'))); await p.pdf({ path: `${out}-print.pdf`, preferCSSPageSize: true }); }
}
await b.close();
