// Columns in memory: docs/content-index.md, Segments (Columns).
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { prepareRules } from '../../../../src/actions/index.ts';
import { Catalog, contentPaths } from '../../../../src/service/search/content-index/catalog.ts';
import { CATEGORIES, LISTS, NUMBERS, SegmentColumns } from '../../../../src/service/search/content-index/columns.ts';
import { defaultRules } from '../../../../src/service/search/content-index/default-rules.ts';
import { LoadedColumns } from '../../../../src/service/search/content-index/loaded-columns.ts';
import { readRecord } from '../../../../src/service/search/content-index/record-content.ts';
import type { RecordSource, SourceRecord } from '../../../../src/service/search/content-index/record-source.ts';
import { SegmentBuilder } from '../../../../src/service/search/content-index/segment-builder.ts';
import { SegmentFile } from '../../../../src/service/search/content-index/segment-file.ts';
import { SegmentWriter } from '../../../../src/service/search/content-index/segment-writer.ts';
import { ShelfReader } from '../../../../src/service/search/content-index/shelf-reader.ts';
import { ShelfWriter } from '../../../../src/service/search/content-index/shelf-writer.ts';
import { TermNames } from '../../../../src/service/search/content-index/term-names.ts';
import { atEnd } from '../../../support/cleanup.ts';
import { seedOf } from '../../../support/extent.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { SeededRandom } from '../../../support/random.ts';

const SEED = seedOf(20_261_124);
const random = new SeededRandom(SEED);

/** Records that grow in number. Values come up late, go, and come again; more than 128 of them take two bytes each. */
class GrowingSource implements RecordSource {
  readonly owner = 'org';
  readonly records: SourceRecord[] = [];
  readonly erased: number[] = [];

  add(count: number): void {
    for (let i = 0; i < count; i++) {
      const n = this.records.length + 1;
      const about = { operationId: `operation ${n}`, operationType: 'tool.call', action: 'call', subject: 'work' };
      const issuedMs = Date.UTC(2026, 0, 1) + n * 1000;
      const times = { issuedAt: new Date(issuedMs).toISOString(), issuedMs, receivedMs: issuedMs + 20 };
      const hosts = Array.from({ length: random.below(3) }, () => `https://host-${random.below(n + 1) >> 3}.example/x`);
      const tool = random.below(4) === 0 ? {} : { tool: `tool ${random.below(1 + (n >> 6))}` };
      const payload = {
        ...tool,
        session: `session ${random.below(n)}`,
        arguments: { urls: hosts },
        duration_ms: n * 3,
      };
      const agent = { agentId: `agent ${n >> 9}`, kid: 'k1', isFirstOfAgent: n === 1 };
      this.records.push({ n, seqNo: n, ...agent, ...about, ...times, payload, disclosures: {} });
    }
  }

  last(): number {
    return this.records.length;
  }

  after(n: number, limit: number): SourceRecord[] {
    return this.records.slice(n, n + limit);
  }

  heads(from: number, to: number): SourceRecord[] {
    return this.after(from - 1, to - from + 1);
  }

  record(n: number): SourceRecord | null {
    return this.records[n - 1] ?? null;
  }

  leafHash(): Uint8Array {
    return new Uint8Array(32);
  }

  place(): null {
    return null;
  }

  erase(n: number): void {
    this.erased.push(n);
    const record = this.records[n - 1];
    if (record !== undefined) this.records[n - 1] = { ...record, payload: null };
  }

  erasedAfter(event: number): { readonly ns: readonly number[]; readonly to: number } {
    return { ns: this.erased.slice(event), to: this.erased.length };
  }

  rules() {
    return defaultRules();
  }

  extent() {
    return { allAgents: true, toHead: true };
  }

  agent(): undefined {
    return undefined;
  }
}

const folder = temporaryFolder();
const source = new GrowingSource();
const catalog = Catalog.open(folder);
const sqlite = new Database(contentPaths(folder).catalog, { readonly: true });
const reader = new ShelfReader(sqlite, folder, source.owner);
const columns = new LoadedColumns(reader);
atEnd(() => {
  reader.close();
  sqlite.close();
  catalog.close();
});

function indexAll(): void {
  const writer = new ShelfWriter(catalog, folder, source);
  while (writer.step().more);
  reader.refresh();
}

/** What the columns have of each record, and of each value the first record with it. */
function columnsNow() {
  const categories = (['agent', 'tool', 'session', 'call'] as const).map((name) => {
    const { ids, digests, firsts } = columns.category(name);
    return source.records.map(({ n }) => [digests[ids[n] ?? 0], firsts[ids[n] ?? 0]]);
  });
  const { starts, ids, digests, firsts } = columns.list('host');
  const hosts = source.records.map(({ n }) =>
    Array.from(ids.subarray(starts[n], starts[n + 1]), (id) => [digests[id], firsts[id]]),
  );
  const numbers = (['seq', 'issued', 'duration'] as const).map((name) => columns.number(name));
  return {
    categories,
    hosts,
    numbers: [...numbers, columns.flags].map((column) => source.records.map(({ n }) => column[n])),
    seqShift: columns.seqShift,
  };
}

function columnsExpected(): ReturnType<typeof columnsNow> {
  const { names } = reader;
  const rules = prepareRules(source.rules());
  const read = source.records.map((record) => readRecord(record, rules));
  const firsts = new Map<string, number>();
  const valueIn = (field: string, text: string | null, n: number): [number, number] => {
    if (text === null) return [0, 0];
    const key = `${field} ${text}`;
    if (!firsts.has(key)) firsts.set(key, n);
    return [names.digest(text), firsts.get(key) ?? 0];
  };
  const textOf = {
    agent: (n: number) => read[n - 1]?.record.agentId ?? null,
    tool: (n: number) => read[n - 1]?.facts.tool ?? null,
    session: (n: number) => read[n - 1]?.facts.session ?? null,
    call: (n: number) => read[n - 1]?.facts.call ?? null,
  };
  return {
    categories: Object.entries(textOf).map(([name, of]) => read.map(({ record: { n } }) => valueIn(name, of(n), n))),
    hosts: read.map(({ record: { n }, facts }) => facts.host.map((host) => valueIn('host', host, n))),
    numbers: [
      read.map(({ record }) => record.seqNo),
      read.map(({ record }) => record.issuedMs),
      read.map(({ facts }) => facts.duration ?? Number.NaN),
      read.map(({ record }) => (record.payload === null ? 1 : 0)),
    ],
    seqShift: 0,
  };
}

it(`columns say of each record what was read out of it, as records come, segments are joined and some are erased, seed ${SEED}`, () => {
  for (const count of [260, 1, 40, 200, 7, 7, 7, 7, 7, 7, 7, 90, 3, 3]) {
    source.add(count);
    indexAll();
    expect(columnsNow()).toEqual(columnsExpected());
  }
  for (const n of [1, 42, 300, source.last()]) source.erase(n);
  indexAll();
  expect(columnsNow()).toEqual(columnsExpected());
  source.add(50);
  indexAll();
  expect(columnsNow()).toEqual(columnsExpected());
});

/** Segments that have a record for each of some rows. */
function segmentsOf(
  ...parts: readonly (readonly { readonly n: number; readonly agent: number; readonly seq: number }[])[]
) {
  const none = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  return parts.map((rows, at) => {
    const first = rows[0]?.n ?? 0;
    const builder = new SegmentBuilder(first, new TermNames(1));
    for (const { n, agent, seq } of rows) {
      const categories = { ...none(CATEGORIES, 0), agent } as never;
      const numbers = { ...none(NUMBERS, Number.NaN), seq, flags: n % 5 } as never;
      builder.add({ leaves: [], fields: [], row: { n, categories, lists: none(LISTS, []) as never, numbers } });
    }
    const path = join(temporaryFolder(), `${at}`);
    const writer = new SegmentWriter(path);
    builder.write(writer);
    writer.finish();
    const file = new SegmentFile(path, first);
    atEnd(() => file.close());
    return { row: { last: rows.at(-1)?.n ?? 0 }, columns: new SegmentColumns(file) };
  });
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

it('a field with a few, some hundred and many thousand values has each record at its value', () => {
  // As they come: a third segment brings more than 255 values, a fourth more than 65,535; in the second numbers are left out.
  const agentOf = (n: number): number => (n < 500 ? 1 + (n % 7) : n < 1200 ? n : 10_000 + n);
  const ns = [
    numbered(1, 400),
    numbered(400, 500).filter((n) => n % 3 !== 0),
    numbered(500, 1200),
    numbered(1200, 67_000),
  ];
  const all = segmentsOf(...ns.map((of) => of.map((n) => ({ n, agent: agentOf(n), seq: n + 3 }))));
  const source = { unerased: {}, names: new TermNames(1), indexedTo: 0, segments: [] as typeof all };
  const columns = new LoadedColumns(source);
  const sizes: number[] = [];
  for (let count = 1; count <= all.length; count++) {
    source.segments = all.slice(0, count);
    source.indexedTo = source.segments.at(-1)?.row.last ?? 0;
    const { ids, digests } = columns.category('agent');
    sizes.push(ids.BYTES_PER_ELEMENT);
    const there = ns.slice(0, count).flat();
    expect(there.map((n) => digests[ids[n] ?? 0])).toEqual(there.map(agentOf));
    expect(there.map((n) => columns.flags[n])).toEqual(there.map((n) => n % 5));
    expect(ids[402]).toBe(count > 1 ? 0 : undefined);
    expect(columns.seqShift).toBe(3);
  }
  expect(sizes).toEqual([1, 1, 2, 4]);
});

it('no single number says what seq_no records have where one of them differs', () => {
  const rows = [1, 2, 3, 4].map((n) => ({ n, agent: 1, seq: n + 5 }));
  const [first, second, third] = segmentsOf(rows.slice(0, 2), [{ n: 3, agent: 1, seq: 9 }], rows.slice(3));
  const source = {
    unerased: {},
    names: new TermNames(1),
    indexedTo: 2,
    segments: [first].flatMap((one) => one ?? []),
  };
  const columns = new LoadedColumns(source);
  expect(columns.seqShift).toBe(5);
  source.segments = [first, second, third].flatMap((one) => one ?? []);
  source.indexedTo = 4;
  expect(columns.seqShift).toBeNull();
});
