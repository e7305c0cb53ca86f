// A report of a bundle with the given number of records: node bench/report.ts [RECORDS] (10,000 unless told; whole thousands). Prints one line of JSON.
// The bundle is made by another process, so that the memory told is that of verifying and of writing the report.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { nodeCrypto } from '../src/node/index.ts';
import { verifyBundle } from '../src/protocol/index.ts';
import { writePdfReport } from '../src/reports/pdf/index.ts';
import { makeBundle, makeLedger } from './support/make-ledger.ts';

const MAKE = '--make-bundle';

async function measure(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const pdf = join(folder, 'report.pdf');
  try {
    const made = spawnSync(process.execPath, [import.meta.filename, MAKE, folder, String(records)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error('the bundle could not be made');
    const { bundle, kid } = JSON.parse(made.stdout) as { bundle: string; kid: string };
    const source = () => createReadStream(bundle, { highWaterMark: 1024 * 1024 });
    const start = performance.now();
    const report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids: [kid] });
    const verified = performance.now();
    const out = createWriteStream(pdf);
    const { pages } = await writePdfReport({ source, report, maker: 'reader', version: 'bench', out });
    const end = performance.now();
    const seconds = (from: number, to: number): number => Math.round((to - from) / 10) / 100;
    console.log(
      JSON.stringify({
        records,
        verdict: report.verdict,
        pages,
        verifySeconds: seconds(start, verified),
        reportSeconds: seconds(verified, end),
        peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
        bundleBytes: statSync(bundle).size,
        pdfBytes: statSync(pdf).size,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first = '10000', path, count] = process.argv.slice(2);
if (first === MAKE && path !== undefined) {
  const records = Number(count);
  // Every record of a bundle is sealed: the last epoch ends with the last record.
  const made = await makeLedger(path, { records, epochSize: Math.min(records, 1000) });
  process.stdout.write(JSON.stringify({ bundle: await makeBundle(path, made), kid: made.kid }));
} else await measure(Number(first));
