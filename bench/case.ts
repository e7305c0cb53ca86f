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
import type { AnswerOf } from '../src/api/index.ts';
import { startService } from '../src/service/index.ts';
import { Client } from '../test/support/client.ts';
import { makeBundle, makeLedger } from './support/make-ledger.ts';

const records = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));

try {
  const made = await makeLedger(folder, { records, epochSize: Math.min(records, 1000) });
  const bundle = await makeBundle(folder, made);
  const settings = { dataDir: join(folder, 'data'), port: 0, logLevel: 'error', trustStore: '', rateLimit: null };
  const service = await startService(settings);
  const account = { email: 'bench@example.org', password: 'bench bench bench', name: 'Bench', org_name: 'Bench' };
  const code = service.setUpCode();
  const { token: session } = await new Client(service.url).ok('signUp', {
    body: { ...account, ...(code !== null && { setup_code: code }) },
  });
  const { token } = await new Client(service.url, session).ok('createToken', { body: {} });
  const client = new Client(service.url, token);
  const seconds = (from: number): number => Math.round((performance.now() - from) / 10) / 100;

  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const begun = performance.now();
  const uploaded = await fetch(`${service.url}/v1/cases/inspect?name=bench`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: Readable.toWeb(createReadStream(bundle)) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!uploaded.ok) throw new Error(`${uploaded.status} ${await uploaded.text()}`);
  const { upload_id } = (await uploaded.json()) as { upload_id: string };
  const uploadSeconds = seconds(begun);
  // From here on: while the file came, this process was its sender too.
  delay.reset();
  const importing = performance.now();
  const { case_id } = await client.ok('createCase', { body: { upload_id, trusted_kids: [made.kid] } });
  let found: AnswerOf<'getCase'>;
  do {
    await setTimeout(100);
    found = await client.ok('getCase', { params: { case_id } });
  } while (found.state === 'importing');
  const importSeconds = seconds(importing);
  delay.disable();
  const timed = async (question: Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await question;
    return Math.round(performance.now() - start);
  };
  const params = { case_id };
  const milliseconds = {
    firstSearch: await timed(client.ok('caseAuditQuery', { params, body: {} })),
    search: await timed(client.ok('caseAuditQuery', { params, body: { subject: 'none' } })),
    histogram: await timed(client.ok('caseHistogram', { params })),
    summary: await timed(client.ok('caseSummary', { params })),
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
