/**
 * How fast a whole ledger is exported, by the service that keeps it, and what memory that takes.
 *
 *     npm run bench:export -- [RECORDS]
 *
 * Prints JSON. `ratio` compares with the bare reading of the same rows by the same library in the same run.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { makeLedger } from './support/make-ledger.ts';
import { ServiceProcess } from './support/service-process.ts';

const DEFAULT_RECORDS = 100_000;
const ACCOUNT = { email: 'owner@example.org', password: 'correct horse battery' };

/** Rows a second that SQLite gives out of the same table, all columns, and nothing is done with them. */
function bareReading(path: string): number {
  const database = new Database(path, { readonly: true });
  const began = performance.now();
  let count = 0;
  for (const _ of database.prepare('SELECT * FROM operations ORDER BY seq_no').iterate()) count++;
  const rate = (count * 1000) / (performance.now() - began);
  database.close();
  return rate;
}

const records = Number(process.argv[2] ?? DEFAULT_RECORDS);
const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
try {
  await makeLedger(folder, { records, epochSize: 1000 });
  // The first start makes the index of operations, which a ledger that grew by submissions already has; that of contents too, and
  // would be making it all the while.
  await (await ServiceProcess.startWithoutContentIndex(folder)).stop();
  const service = await ServiceProcess.startWithoutContentIndex(folder);
  const { token } = (await service.call('POST', '/api/auth/sign-in/email', null, ACCOUNT)) as { token: string };
  const bare = bareReading(join(folder, 'ledger.sqlite'));
  const before = service.memory();
  const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
  const began = performance.now();
  const { exportId } = (await service.call('POST', '/v1/exports', token, range)) as { exportId: string };
  for (;;) {
    const job = (await service.call('GET', `/v1/exports/${exportId}`, token)) as { status: string; failure?: string };
    if (job.status === 'completed') break;
    if (job.status === 'failed') throw new Error(job.failure ?? 'the export failed');
    await sleep(20);
  }
  const seconds = (performance.now() - began) / 1000;
  const rate = records / seconds;
  const result = {
    bench: 'export',
    records,
    seconds: Number(seconds.toFixed(2)),
    recordsPerSecond: Math.round(rate),
    bareReadingPerSecond: Math.round(bare),
    ratio: Number((rate / bare).toFixed(3)),
    bundleBytes: statSync(join(folder, 'exports', `${exportId}.json`)).size,
    residentMbBefore: Math.round(before.residentMb),
    peakMb: Math.round(service.memory().peakMb),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  await service.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
