import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { AGENTS, auditRecord, BUSY_AGENT, HOT_SUBJECT, LATE_AGENT, NEVER_OF_BUSY } from './support/audit-records.ts';
import { durations } from './support/figures.ts';
import { type Answered, requestBytes, runLoad } from './support/http-load.ts';
import { makeLedger, OWNER } from './support/make-ledger.ts';
import { ServiceProcess } from './support/service-process.ts';

/**
 * How long pages of the audit query take over HTTP, with every combination of filters, and other reads that go through
 * the index, one request after the other. Beside them: a bare read by primary key, and the round trip of /v1/health.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '100' },
  },
});
const records = Number(values.records);
const perCase = Number(values.requests);
const SPACING_MS = 100;

const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
const output: Record<string, unknown> = { bench: 'audit', records };

/** Microseconds that SQLite alone takes to read a whole row by its primary key. */
function bareReads(orgId: string): { microseconds: number; ids: string[] } {
  const ledger = new Database(join(folder, 'ledger.sqlite'), { readonly: true });
  const read = ledger.prepare('SELECT * FROM operations WHERE org_id = ? AND seq_no = ?');
  const places = Array.from({ length: 2000 }, () => 1 + Math.floor(Math.random() * records));
  const began = performance.now();
  const rows = places.map((seqNo) => read.get(orgId, seqNo) as { operation_id: string });
  const microseconds = ((performance.now() - began) * 1000) / places.length;
  ledger.close();
  return { microseconds: Number(microseconds.toFixed(1)), ids: rows.map(({ operation_id }) => operation_id) };
}

function found(answer: Answered): void {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString()}`);
}

let service: ServiceProcess | null = null;
try {
  const began = performance.now();
  const made = await makeLedger(folder, {
    records,
    agents: AGENTS,
    epochSize: 65_536,
    spacingMs: SPACING_MS,
    shape: auditRecord,
  });
  output['made'] = { seconds: Math.round((performance.now() - began) / 1000) };
  const { microseconds, ids } = bareReads(made.orgId);
  const running = await ServiceProcess.start(folder);
  service = running;
  const signedIn = (await running.call('POST', '/api/auth/sign-in/email', null, OWNER)) as { token: string };
  const { token } = (await running.call('POST', '/v1/auth/token', signedIn.token, {})) as { token: string };
  const get = (path: string): Buffer => requestBytes('GET', path, running.port, token, '');
  // What is measured is a service at work: one that has just been given all of these records is still taking them in.
  const indexing = performance.now();
  for (let pending = 1; pending > 0; await setTimeout(200)) {
    const facets = await running.call('POST', '/v1/audit/facets', token, { fields: ['agent'] });
    ({ pending } = (facets as { readonly coverage: { readonly pending: number } }).coverage);
  }
  output['indexed'] = { seconds: Math.round((performance.now() - indexing) / 1000) };
  const health = Array.from({ length: 1000 }, () => get('/v1/health'));
  await runLoad(running.port, [health], found);
  output['primitives'] = {
    primaryKeyReadMicroseconds: microseconds,
    health: durations((await runLoad(running.port, [health], found)).times),
  };

  const all: number[] = [];
  const figures: Record<string, unknown> = {};
  const measure = async (name: string, requests: readonly Buffer[]): Promise<void> => {
    const { times } = await runLoad(running.port, [requests], found);
    all.push(...times);
    figures[name] = durations(times);
  };
  const cursor = (seqNo: number): string => Buffer.from(JSON.stringify(seqNo)).toString('base64url');
  const placeOf = (n: number): number => Math.max(2, Math.floor((records * ((n * 7919) % perCase)) / perCase));

  const time = (share: number): number => made.startedAt + records * SPACING_MS * share;
  const iso = (at: number): string => new Date(at).toISOString();
  const hour = 3_600_000;
  const windows: Record<string, { startTime?: string; endTime?: string }> = {
    always: {},
    narrowNew: { startTime: iso(time(0.998)), endTime: iso(time(0.999)) },
    narrowOld: { startTime: iso(time(0.01)), endTime: iso(time(0.011)) },
    second: { startTime: iso(time(0.5)), endTime: iso(time(0.5) + 1000) },
    wide: { startTime: iso(time(0.1)), endTime: iso(time(0.9)) },
    untilEarly: { endTime: iso(time(0.02)) },
    // Only what came late is in here.
    dayBefore: { startTime: iso(time(0) - 24 * hour), endTime: iso(time(0) - hour / 60) },
    nothing: { startTime: iso(time(0) - 90 * hour), endTime: iso(time(0) - 80 * hour) },
  };
  const agentId = { busy: `agent-${BUSY_AGENT + 1}`, late: `agent-${LATE_AGENT + 1}`, other: 'agent-40' };
  const subject = 'repository/service-7/module-7.ts';
  const filters: Record<string, object> = {
    nothing: {},
    busyAgent: { agentId: agentId.busy },
    lateAgent: { agentId: agentId.late },
    otherAgent: { agentId: agentId.other },
    unknownAgent: { agentId: 'agent-none' },
    type: { operationType: 'db.query' },
    rareType: { operationType: 'rare.type' },
    subject: { subject },
    hotSubject: { subject: HOT_SUBJECT },
    agentAndType: { agentId: agentId.other, operationType: 'db.query' },
    neverTogether: { agentId: agentId.busy, operationType: NEVER_OF_BUSY },
    agentAndSubject: { agentId: agentId.busy, subject },
    agentNeverSubject: { agentId: agentId.busy, subject: HOT_SUBJECT },
    typeAndSubject: { operationType: 'db.query', subject: HOT_SUBJECT },
    allThree: { agentId: agentId.late, operationType: 'db.query', subject: HOT_SUBJECT },
  };
  for (const [windowName, window] of Object.entries(windows)) {
    for (const [filterName, filter] of Object.entries(filters)) {
      const body = (n: number): string =>
        // The first page, and pages from all over the ledger; mostly of 50, some of the largest.
        JSON.stringify({
          ...filter,
          ...window,
          limit: n % 10 === 9 ? 200 : 50,
          ...(n % 2 === 0 ? {} : { cursor: cursor(placeOf(n)) }),
        });
      const requests = Array.from({ length: perCase }, (_, n) =>
        requestBytes('POST', '/v1/audit/query', running.port, token, body(n)),
      );
      await measure(`${filterName}, ${windowName}`, requests);
    }
  }
  const audit = durations(all);
  const chain = (n: number): Buffer =>
    get(`/v1/agents/agent-${1 + (n % AGENTS)}/operations?cursor=${cursor(placeOf(n))}`);
  await measure(
    'agent chain',
    Array.from({ length: perCase }, (_, n) => chain(n)),
  );
  const operations = ids.slice(0, 5 * perCase).map((id) => get(`/v1/operations/${id}`));
  await measure('operation with proof', operations);
  const verify = ids
    .slice(0, perCase)
    .map((id) => requestBytes('POST', `/v1/operations/${id}/verify`, running.port, token, ''));
  await measure('operation verified', verify);
  const slowest = Object.entries(figures as Record<string, ReturnType<typeof durations>>)
    .sort(([, a], [, b]) => b.p99Ms - a.p99Ms)
    .slice(0, 12);
  output['auditQuery'] = { pages: Object.keys(windows).length * Object.keys(filters).length * perCase, ...audit };
  output['slowest'] = Object.fromEntries(slowest);
  output['figures'] = figures;
  Object.assign(output, running.memory());
} finally {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(output, null, 1)}\n`);
