import { chromium } from 'playwright';
import { chromiumPath } from './scripts/support/capabilities.ts';
import { readFileSync } from 'node:fs';
const [out, ...files] = process.argv.slice(2);
const b = await chromium.launch({executablePath: chromiumPath(), args:['--no-sandbox']});
const p = await b.newPage({ viewport: { width: 2020, height: 100 } });
await p.setContent('<body style="margin:0;background:#888;display:flex;flex-wrap:wrap;gap:4px">' + files.map((f) => `<img style="width:500px" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join(''));
await p.screenshot({ path: out, fullPage: true });
await b.close();
