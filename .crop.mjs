import { chromium } from 'playwright';
import { chromiumPath } from './scripts/support/capabilities.ts';
const [file, out, scheme, h] = process.argv.slice(2);
const b = await chromium.launch({executablePath: chromiumPath(), args:['--no-sandbox']});
const p = await (await b.newContext({ colorScheme: scheme, viewport: { width: 900, height: Number(h) } })).newPage();
await p.goto('file://' + file); await p.waitForSelector('.verdict');
await p.screenshot({ path: out }); await b.close();
