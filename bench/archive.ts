import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { chdbPath } from '../scripts/support/chdb.ts';
import { startCentral } from '../src/cli/archive/central.ts';
import { FolderStore } from '../src/service/archive/folder-store.ts';
import { writeParquetFiles } from '../src/service/archive/parquet-files.ts';
import { followArchive, shipRuns } from '../src/service/light.ts';
import type { EngineAddress } from '../src/service/search/engine/clickhouse.ts';
import { undoAll } from '../test/support/cleanup.ts';
import { TestClickHouse } from '../test/support/clickhouse.ts';
import { Client } from '../test/support/client.ts';
import { payloadOf, vocabularyWord } from './support/content-engines/records.ts';
import { quantile } from './support/figures.ts';
import { makeLedger } from './support/make-ledger.ts';

/**
 * An archive of many hosts: how fast runs are verified alone, and accepted and made searchable by a central node; how long questions over all
 * of them take there, how much memory and disk, and how many bytes as Parquet. Where chdb is (docs/tests.md), how fast a ClickHouse is filled with them, and whether and
 * how fast it counts the same.
 *
 *     npm run bench:archive -- --folder FOLDER [--ledgers N] [--records N] [--bytes N]
 *
 * `--records` is of each ledger. The folder keeps what was made; the next run continues from there. Times are in milliseconds of the clock,
 * and of questions also in units of reading one record through the same interface in the same run (`perRead`). Prints JSON.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    ledgers: { type: 'string', default: '20' },
    records: { type: 'string', default: '10000' },
    bytes: { type: 'string', default: '2048' },
    phase: { type: 'string' },
  },
});
const { folder } = values;
if (folder === undefined) throw new Error('name a folder: --folder FOLDER');
const [ledgers, records, bytes] = [Number(values.ledgers), Number(values.records), Number(values.bytes)];
const archive = join(folder, 'archive');
const central = join(folder, 'central');
const DAY_MS = 86_400_000;

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

const memory = (): { peakMb: number } => ({ peakMb: Math.round(process.resourceUsage().maxRSS / 1024) });

/** Makes ledgers and ships each; what is shipped needs its ledger no more. */
async function make(): Promise<object> {
  mkdirSync(archive, { recursive: true });
  for (let host = 0; host < ledgers; host++) {
    const dataDir = join(folder ?? '', `host-${host}`);
    if (existsSync(join(dataDir, 'shipped'))) continue;
    mkdirSync(dataDir, { recursive: true });
    const shape = (seqNo: number) => ({
      agent: seqNo % 8,
      operationType: 'tool.call',
      subject: `file ${seqNo % 100}`,
      delayMs: 20,
      payload: payloadOf(host * records + seqNo, bytes),
    });
    await makeLedger(dataDir, {
      records,
      epochSize: Math.min(records, 10_000),
      spacingMs: Math.max(1, Math.floor(DAY_MS / records)),
      shape,
    });
    await shipRuns({
      dataDir,
      store: new FolderStore(archive),
      withNewest: true,
      passphraseFile: null,
      now: Date.now,
      onRun: () => {},
      signal: new AbortController().signal,
    });
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'shipped'), '');
  }
  return { runBytesPerRecord: Math.round(sizeOf(archive) / (ledgers * records)) };
}

async function names(): Promise<{ readonly kids: string[]; readonly organizations: string[] }> {
  const runs = (await new FolderStore(archive).list()).flatMap(({ name }) => name ?? []);
  return {
    kids: [...new Set(runs.map(({ kid }) => kid))],
    organizations: [...new Set(runs.map(({ orgId }) => orgId))],
  };
}

/** What the verifier does alone, on one thread, of the same runs. */
async function verify(): Promise<object> {
  const { kids } = await names();
  let done = 0;
  const began = performance.now();
  await followArchive({
    store: new FolderStore(archive),
    trustedKids: kids,
    accepted: [],
    recheck: false,
    signal: new AbortController().signal,
    onAccepted: (run) => {
      done += run.records;
    },
    onRefused: (run) => {
      throw new Error(`${run.code} ${run.path}`);
    },
  });
  const seconds = (performance.now() - began) / 1000;
  return { records: done, verifiedPerSecond: Math.round(done / seconds), ...memory() };
}

async function opened(engine?: EngineAddress) {
  const { kids, organizations } = await names();
  return startCentral(
    { dataDir: central, port: '0' },
    {
      from: { at: archive, spool: folder ?? '' },
      engine,
      readers: organizations.map((organization) => ({ organization, reader: null })),
      trustedKids: kids,
      onAccepted: () => {},
      onRefused: (run) => {
        throw new Error(`${run.code} ${run.path}`);
      },
    },
  );
}

async function accept(): Promise<object> {
  const { service, node } = await opened();
  const began = performance.now();
  await node.follow(false, new AbortController().signal);
  const accepted = (performance.now() - began) / 1000;
  await node.settled();
  const searchable = (performance.now() - began) / 1000;
  await node.close();
  await service.close();
  const all = ledgers * records;
  return {
    acceptedPerSecond: Math.round(all / accepted),
    searchablePerSecond: Math.round(all / searchable),
    indexBytesPerRecord: Math.round(sizeOf(join(central, 'cases')) / all),
    ...memory(),
  };
}

interface Asked {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstMs: number;
  readonly perRead: number;
}

/** A client of the central node's owner, and the case of the archive. */
async function reading({ service, node: { email, password } }: Awaited<ReturnType<typeof opened>>) {
  const { token } = await new Client(service.url).ok('signIn', { body: { email, password } });
  const client = new Client(service.url, token);
  const { data: cases } = await client.ok('listCases', {});
  return { client, params: { case_id: cases.find((one) => one.archive !== null)?.case_id ?? '' } };
}

async function ask(): Promise<object> {
  const central = await opened();
  const { service, node } = central;
  const { client, params } = await reading(central);
  const idle = memory();
  const timed = async (times: number, question: (n: number) => Promise<unknown>): Promise<number[]> => {
    const found: number[] = [];
    for (let n = 0; n < times; n++) {
      const began = performance.now();
      await question(n);
      found.push(performance.now() - began);
    }
    return found;
  };
  const search = (body: object) => client.ok('caseAuditQuery', { params, body: { limit: 50, ...body } });
  const { data: rows } = await search({ details: true });
  const reads = await timed(200, (n) =>
    client.ok('caseOperation', { params: { ...params, operation_id: rows[n % rows.length]?.operation_id ?? '' } }),
  );
  const read = quantile(sorted(reads), 0.5);
  const figure = async (times: number, question: (n: number) => Promise<unknown>): Promise<Asked> => {
    const [first = 0, ...others] = await timed(times, question);
    const p50 = quantile(sorted(others), 0.5);
    return {
      p50Ms: round(p50),
      p99Ms: round(quantile(sorted(others), 0.99)),
      firstMs: round(first),
      perRead: round(p50 / read),
    };
  };
  const day = new Date(Date.now() - DAY_MS / 2).toISOString();
  const results = {
    readOneMs: round(read),
    'first page of a word': await figure(100, (n) => search({ query: vocabularyWord(50 + n * 7), details: true })),
    'all hits of a rare word': await figure(50, (n) =>
      client.ok('caseFacets', { params, body: { query: vocabularyWord(20_000 + n * 13), fields: ['issuer'] } }),
    ),
    'filter with time': await figure(50, (n) =>
      search({ agentId: `agent-${1 + (n % 8)}`, startTime: day, details: true }),
    ),
    'a person across hosts': await figure(50, (n) =>
      client.ok('caseFacets', {
        params,
        body: { query: `arguments.user_id:user_${n * 31}`, fields: ['issuer', 'tool'] },
      }),
    ),
    'one host': await figure(20, async (n) =>
      search({ query: `issuer:${(await names()).kids[n % ledgers]}`, details: true }),
    ),
    // Every payload of a session is read: what a search costs of which no term tells where to look.
    'an expression over 1,000 payloads': await figure(10, (n) =>
      search({ query: `/zz[q]qz/ session:session-${n * 7}` }),
    ),
    'counts over time': await figure(20, () => client.ok('caseHistogram', { params, query: { buckets: '100' } })),
  };
  await node.close();
  await service.close();
  return { idle, ...results, ...memory() };
}

/** The runs as files for programs that search. */
async function parquet(): Promise<object> {
  const to = join(folder ?? '', 'parquet');
  mkdirSync(to, { recursive: true });
  let written = 0;
  const began = performance.now();
  await writeParquetFiles({
    store: new FolderStore(archive),
    to,
    now: Date.now,
    signal: new AbortController().signal,
    onFile: (file) => {
      written += file.records;
    },
  });
  const seconds = (performance.now() - began) / 1000;
  const bytes = sizeOf(to);
  rmSync(to, { recursive: true });
  return {
    writtenPerSecond: Math.round(written / seconds),
    parquetBytesPerRecord: Math.round(bytes / written),
    ...memory(),
  };
}

/** Ten questions of each of ten forms. */
function questions(now: number): readonly (readonly [form: string, query: string])[] {
  const hour = 60 * 60 * 1000;
  return Array.from({ length: 10 }, (_, n): [string, string][] => {
    const [frequent, other, rare] = [40 + n * 7, 200 + n * 31, 20_000 + n * 13].map(vocabularyWord);
    const since = new Date(now - (1 + n * 2) * hour).toISOString();
    return [
      ['a frequent word', `${frequent}`],
      ['a rare word', `${rare}`],
      ['two words', `${frequent} ${other}`],
      ['a word and not another', `${other} not ${frequent}`],
      ['part of a word', `*${other?.slice(1)}*`],
      ['a field', `tool:${['get_user', 'pay_invoice', 'read_file'][n % 3]} agent:agent-${1 + (n % 8)}`],
      ['a member', `arguments.user_id:user_${n * 31}`],
      ['a comparison', `amount > ${900 + n * 9} tool = pay_invoice`],
      ['a time', `received > ${since} ${other}`],
      ['an expression', `/${rare}/ ${rare?.slice(0, 2)}*`],
    ];
  }).flat();
}

/** By the engine alone; by it and, of the records that SQL leaves open, by the reference; or by the own index. */
type CountedBy = 'engine' | 'both' | 'index';

function countedWith(statements: readonly string[]): CountedBy {
  // As searching.ts puts them.
  if (!statements.some((text) => /, group(Uniq)?Array\(/.test(text))) return 'index';
  return statements.some((text) => /^SELECT DISTINCT (n|lead) /.test(text)) ? 'both' : 'engine';
}

/**
 * What a central node counts of each question, and how long each took, in milliseconds.
 * @param statements grows by those that an engine is sent
 */
async function counts(central: Awaited<ReturnType<typeof opened>>, now: number, statements: readonly string[] = []) {
  const { client, params } = await reading(central);
  const answers: { readonly isWhole: boolean; readonly countedBy: CountedBy; readonly counted: object }[] = [];
  const times = new Map<string, number[]>();
  for (const [form, query] of questions(now)) {
    const before = statements.length;
    const began = performance.now();
    const { total, facets, coverage } = await client.ok('caseFacets', {
      params,
      body: { query, fields: ['issuer', 'tool'] },
    });
    times.set(form, [...(times.get(form) ?? []), performance.now() - began]);
    // Of values that are equally frequent each may name others last.
    const values = facets.map((facet) =>
      facet.values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    );
    const countedBy = countedWith(statements.slice(before));
    answers.push({ isWhole: coverage.complete, countedBy, counted: { query, total, values } });
  }
  return { answers, times };
}

/** The same questions to the own index and to a ClickHouse in this process. */
async function engine(): Promise<object> {
  if (chdbPath() === undefined) return { skipped: 'COUNTERSIGN_CHDB names no folder with chdb' };
  const now = Date.now();
  const alone = await opened();
  const own = await counts(alone, now);
  await alone.node.close();
  await alone.service.close();
  const clickhouse = await TestClickHouse.start();
  const central = await opened(clickhouse.address);
  const began = performance.now();
  await central.node.follow(false, new AbortController().signal);
  await central.node.settled();
  const seconds = (performance.now() - began) / 1000;
  const asked = clickhouse.asked.length;
  const counted = await counts(central, now, clickhouse.asked);
  const { asked: all } = clickhouse;
  const bytes = clickhouse.direct(
    `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${clickhouse.database}'`,
  );
  await central.node.close();
  await central.service.close();
  await undoAll();
  const both = own.answers.flatMap(({ isWhole, counted: one }, n) => {
    const other = counted.answers[n];
    return isWhole && other?.isWhole === true ? [[one, other.counted] as const] : [];
  });
  const medians = (times: ReadonlyMap<string, readonly number[]>) =>
    Object.fromEntries([...times].map(([form, of]) => [form, round(quantile(sorted(of), 0.5))]));
  return {
    filledPerSecond: Math.round((ledgers * records) / seconds),
    bytesPerRecord: Math.round(Number(bytes) / (ledgers * records)),
    questions: own.answers.length,
    // A question that takes its thread too long is answered in part, and says so.
    ownInPart: own.answers.filter(({ isWhole }) => !isWhole).length,
    engineInPart: counted.answers.filter(({ isWhole }) => !isWhole).length,
    compared: both.length,
    equal: both.filter(([one, other]) => isDeepStrictEqual(one, other)).length,
    statements: all.length - asked,
    countedBy: Object.fromEntries(
      Object.entries(Object.groupBy(counted.answers, ({ countedBy }) => countedBy)).map(([by, of]) => [by, of.length]),
    ),
    ownMs: medians(own.times),
    engineMs: medians(counted.times),
    ...memory(),
  };
}

const sorted = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);
const round = (value: number): number => Number(value.toFixed(2));

/** Each phase in a separate process, so that memory is that of one. */
const PHASES = { make, verify, accept, ask, parquet, engine } as const;

if (values.phase !== undefined) {
  const phase = PHASES[values.phase as keyof typeof PHASES];
  process.stdout.write(JSON.stringify(await phase()));
} else {
  const done: Record<string, unknown> = { bench: 'archive', ledgers, records: ledgers * records, bytes };
  const LIMITS = ['--max-semi-space-size=8', '--heap-growing-percent=60'];
  for (const phase of Object.keys(PHASES)) {
    const args = [...LIMITS, fileURLToPath(import.meta.url), ...process.argv.slice(2), '--phase', phase];
    done[phase] = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  }
  process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
}
