// docs/archive.md, A search engine: it finds and counts what the own index finds and counts.
import { beforeAll, expect, it } from 'vitest';
import { parseQuery } from '../../../../src/actions/index.ts';
import type { FacetsAnswer, Histogram, Unit } from '../../../../src/api/index.ts';
import type { ContentView } from '../../../../src/service/search/content-index/content-view.ts';
import { histogramOf } from '../../../../src/service/search/content-index/queries/histogram.ts';
import { coverageOf } from '../../../../src/service/search/content-index/queries/list-records.ts';
import { facetsOfFilter } from '../../../../src/service/search/content-index/queries/search.ts';
import { type ContentFilter, queryOf } from '../../../../src/service/search/content-index/search-filter.ts';
import { ClickHouse, Parameters } from '../../../../src/service/search/engine/clickhouse.ts';
import { EngineFiller, meantValues, rowsText } from '../../../../src/service/search/engine/filling.ts';
import { EngineSearch } from '../../../../src/service/search/engine/searching.ts';
import { groupsOf } from '../../../../src/service/search/grouping/groups.ts';
import { TestClickHouse } from '../../../support/clickhouse.ts';
import { IndexedFolder, numbersOf, randomPayload, randomQuery } from '../../../support/content-index.ts';
import { seedOf } from '../../../support/extent.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';
import { SeededRandom } from '../../../support/random.ts';

const SEED = seedOf(20_261_129);
const RECORDS = 400;
const NOW = Date.UTC(2026, 10, 22);
const UNITS: readonly Unit[] = ['records', 'actions'];

let view: ContentView;
let search: EngineSearch;
let engine: TestClickHouse;
const queries: string[] = [];

beforeAll(async () => {
  const random = new SeededRandom(SEED);
  const ledger = rowLedger('org');
  const indexed = new IndexedFolder(ledger.folder);
  const rows = Array.from({ length: RECORDS }, (_, n) =>
    operationRow({
      orgId: 'org',
      seqNo: n + 1,
      agentId: `agent-${random.below(3)}`,
      subject: `session ${random.below(5)}`,
      payload: random.below(20) === 0 ? null : JSON.stringify(randomPayload(random)),
    }),
  );
  insertRows(ledger, rows);
  indexed.catchUp('org');
  view = indexed.view('org');
  while (queries.length < 110) {
    const text = randomQuery(random);
    if (parseQuery(text, { now: NOW, zone: 'UTC' }).ok) queries.push(text);
  }
  engine = await TestClickHouse.start();
  const clickhouse = new ClickHouse(engine.address);
  const filler = new EngineFiller(clickhouse, 'one');
  // Rows of another reader's archive, which nobody who reads this one may count.
  for (const [reading, load] of [
    ['one', 1],
    ['other', 2],
  ] as const) {
    const other = new EngineFiller(clickhouse, reading);
    await other.fillings();
    const run = { sha256: '', first: 1, records: RECORDS };
    await other.fill({ run: 0, load, runs: 1, basis: '' }, run, (from) =>
      Promise.resolve(rowsText(view, from, RECORDS + 1)),
    );
  }
  expect(await filler.fillings()).toEqual([{ run: 0, load: 1, runs: 1, basis: '', rows: RECORDS }]);
  search = new EngineSearch(
    clickhouse,
    { reading: 'one', records: RECORDS, coverage: coverageOf(view) },
    {
      query: (...asked) => Promise.resolve(queryOf(...asked)),
      meant: (...asked) => {
        view.begin();
        return Promise.resolve(meantValues(view, ...asked));
      },
      decide: (filter, ns, now) => {
        view.begin();
        const { records, complete } = view.decided(queryOf(filter, now), ns, filter.unit ?? 'records');
        const meant: number[] = [];
        records.each((n) => meant.push(n));
        return Promise.resolve(complete ? meant : null);
      },
      facets: (...asked) => Promise.resolve(facetsOfFilter(view, ...asked)),
    },
  );
});

it.each(UNITS)('finds the same %s', async (unit) => {
  const wrong: string[] = [];
  let exact = 0;
  for (const query of queries) {
    const found = await search.find({ query, unit }, NOW);
    const wanted = numbersOf(view, queryOf({ query }, NOW), unit);
    if (found === null) {
      wrong.push(`${query}: no answer`);
      continue;
    }
    if (found.decided === 0) exact++;
    const id = unit === 'records' ? 'n' : 'lead';
    const rows = await found.ask(`SELECT DISTINCT ${id} FROM ${recordsTable()} WHERE ${found.rows} ORDER BY ${id}`);
    const ns = rows.map(([n]) => Number(n));
    if (ns.join() !== wanted.join()) wrong.push(`${query}: ${ns.length} of ${wanted.length}`);
  }
  expect(wrong).toEqual([]);
  // What SQL alone does not answer is decided here: expressions, marks and tags, outcomes and durations of calls.
  expect(exact / queries.length).toBeGreaterThan(0.7);
});

function recordsTable(): string {
  return /FROM (countersign_records_\w+)/.exec(engine.asked.at(-1) ?? '')?.[1] ?? '';
}

/** A view asked until it had the time for a whole answer. */
function whole<T extends { readonly coverage: { readonly complete: boolean } }>(ask: () => T): T {
  for (;;) {
    view.begin();
    const answer = ask();
    if (answer.coverage.complete) return answer;
  }
}

function inOrder(answer: FacetsAnswer): FacetsAnswer {
  const facets = answer.facets.map((facet) => ({
    ...facet,
    values: facet.values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  }));
  return { ...answer, facets };
}

function byAgent({ agents, ...chart }: Histogram) {
  return { ...chart, others: agents?.others, agents: new Map(agents?.data.map((one) => [one.agent_id, one.counts])) };
}

const FACETS = ['agent', 'type', 'subject', 'session', 'tool', 'person', 'host', 'outcome', '/arguments', '/note'];
const GROUPS: readonly string[][] = [['tool'], ['host'], ['note'], ['hour'], ['agent', 'day'], ['session', 'note'], []];

it.each(UNITS)('counts the same %s over time and by value', async (unit) => {
  for (const query of [...queries.slice(0, 10), undefined]) {
    const filter: ContentFilter = { ...(query !== undefined && { query }), unit };
    const asked = { ...filter, agents: 5, zone: 'Europe/Berlin' };
    const chart = await search.histogram(asked, NOW);
    expect(chart && byAgent(chart), query).toEqual(byAgent(whole(() => histogramOf(view, asked, NOW))));
    // All values, in whichever order those stand that are equally frequent.
    const facets = [filter, FACETS, 1000, NOW] as const;
    const [found, wanted] = [await search.facets(...facets), whole(() => facetsOfFilter(view, ...facets))];
    expect(found && inOrder(found), query).toEqual(inOrder(wanted));
  }
});

it('groups and adds up the same', async () => {
  const measures = [
    { op: 'sum', of: 'amount' },
    { op: 'min', of: 'amount' },
    { op: 'max', of: 'amount' },
    { op: 'count' },
    { op: 'sum', of: 'duration' },
  ] as const;
  for (const query of [...queries.slice(0, 2), undefined]) {
    for (const by of GROUPS) {
      for (const unit of UNITS) {
        const asked = {
          ...(query !== undefined && { query }),
          unit,
          by,
          measures: unit === 'records' ? [...measures] : [{ op: 'count' } as const],
          order: 'value',
          limit: 1000,
          zone: 'UTC',
        } as const;
        const wanted = whole(() => groupsOf(view, asked, { now: NOW }));
        expect(await search.groups(asked, { now: NOW }), `${query} ${by.join()} ${unit}`).toEqual(wanted);
      }
    }
  }
});

it('notices that a row is missing', async () => {
  const clickhouse = new ClickHouse(engine.address);
  expect(await search.isWhole()).toBe(true);
  await clickhouse.run(
    `ALTER TABLE ${recordsTable()} DELETE WHERE reading = 'one' AND n = 7 SETTINGS mutations_sync = 1`,
    new Parameters(),
  );
  expect(await search.isWhole()).toBe(false);
});
