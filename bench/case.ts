/**
 * How long it takes to import a bundle of the given size as a case, and whether the service keeps answering meanwhile:
 *
 *     node bench/case.ts [RECORDS]
 *
 * 100,000 unless told; whole thousands. Prints one line of JSON. The ledger and its bundle are made beforehand.
 */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../src/service/index.ts';
import { makeBundle, makeLedger } from './support/make-ledger.ts';

const records = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));

interface CaseState {
  readonly state: string;
  readonly verdict: string | null;
}

try {
  const made = await makeLedger(folder, { records, epochSize: Math.min(records, 1000) });
  const bundle = await makeBundle(folder, made);
  const settings = { dataDir: join(folder, 'data'), port: 0, logLevel: 'error', trustStore: '', rateLimit: null };
  const service = await startService(settings);
  const entered = await fetch(service.workstationLink(), { redirect: 'manual' });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { cookie, origin: service.url };
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const sent = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(service.url + path, sent)).json();
  };
  const seconds = (from: number): number => Math.round((performance.now() - from) / 10) / 100;

  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const begun = performance.now();
  const uploaded = await fetch(`${service.url}/v1/cases/inspect?name=bench`, {
    method: 'POST',
    headers,
    body: Readable.toWeb(createReadStream(bundle)) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  const { upload_id } = (await uploaded.json()) as { upload_id: string };
  const uploadSeconds = seconds(begun);
  // From here on: while the file came, this process was its sender too.
  delay.reset();
  const importing = performance.now();
  const { case_id } = (await call('/v1/cases', { upload_id, trusted_kids: [made.kid] })) as { case_id: string };
  let found: CaseState;
  do {
    await setTimeout(100);
    found = (await call(`/v1/cases/${case_id}`)) as CaseState;
  } while (found.state === 'importing');
  const importSeconds = seconds(importing);
  delay.disable();
  const timed = async (path: string, body?: unknown): Promise<number> => {
    const start = performance.now();
    await call(`/v1/cases/${case_id}${path}`, body);
    return Math.round(performance.now() - start);
  };
  const milliseconds = {
    firstSearch: await timed('/audit/query', {}),
    search: await timed('/audit/query', { subject: 'none' }),
    histogram: await timed('/audit/histogram'),
    summary: await timed('/summary'),
  };
  console.log(
    JSON.stringify({
      records,
      state: found.state,
      verdict: found.verdict,
      uploadSeconds,
      importSeconds,
      longestWaitMs: Math.round(delay.max / 1e6),
      waitP99Ms: Math.round(delay.percentile(99) / 1e6),
      milliseconds,
      peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
      bundleBytes: statSync(bundle).size,
      indexBytes: statSync(join(folder, 'data', 'cases', case_id, 'case.sqlite')).size,
    }),
  );
  await service.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
