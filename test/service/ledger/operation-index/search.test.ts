import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperationCounts } from '../../../../src/service/ledger/operation-index/counts.ts';
import { openIndexFile, RUN } from '../../../../src/service/ledger/operation-index/index-file.ts';
import { TermKeys } from '../../../../src/service/ledger/operation-index/posting-keys.ts';
import {
  type IndexedOrg,
  type OperationQuery,
  OperationSearch,
} from '../../../../src/service/ledger/operation-index/search.ts';
import type { OperationRow } from '../../../../src/service/store/schema.ts';
import { atEnd } from '../../../support/cleanup.ts';
import { newIndexer } from '../../../support/operation-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';

/** Two whole runs and a part of one. */
const ROWS = 9000;
const [ORG, OTHER] = ['org-1', 'org-2'];
const START = 1_700_000_000_000;
/** Records issued long before they were received have their time in here. */
const LONG_AGO = START - 80_000_000;

const AGENTS = ['always', 'sometimes', 'late', 'hardly-ever', 'nobody'];
const TYPES = ['file.read', 'file.write', 'never.used'];
const SUBJECTS = ['plain', 'with\0nul', 'with', '😀 astral', 'ünï', 'Plain', 'plain\0', "'; --", 'nothing'];

function agentOf(seqNo: number): string {
  if (seqNo % 2000 === 7) return 'hardly-ever';
  if (seqNo % 10 === 3) return 'late';
  return seqNo % 3 === 0 ? 'sometimes' : 'always';
}

/** Mostly in order, with a step back, some issued late, and one long ago in almost each stretch. */
function issuedAt(seqNo: number): number {
  if (agentOf(seqNo) === 'late' || seqNo % 1000 === 500) return LONG_AGO + seqNo;
  if (seqNo % 7 === 0) return START + seqNo * 10 - 5000;
  return START + (seqNo > 4000 && seqNo < 4100 ? 0 : seqNo * 10);
}

const rows: OperationRow[] = Array.from({ length: ROWS }, (_, n) =>
  operationRow({
    orgId: ORG,
    seqNo: n + 1,
    agentId: agentOf(n + 1),
    operationType: n % 2 === 0 || agentOf(n + 1) === 'sometimes' ? 'file.read' : 'file.write',
    subject: SUBJECTS[n % (SUBJECTS.length - 1)] ?? '',
    issuedAtMs: issuedAt(n + 1),
  }),
);
const ledger = rowLedger(ORG, OTHER);
insertRows(ledger, rows);
insertRows(
  ledger,
  rows.slice(0, 50).map(({ seqNo, agentId, subject }) => operationRow({ orgId: OTHER, seqNo, agentId, subject })),
);

function naive(query: OperationQuery, before: number | null, limit: number): number[] {
  const { agentId, operationType, subject, from = -Infinity, to = Infinity } = query;
  return rows
    .filter(
      (row) =>
        (before === null || row.seqNo < before) &&
        (agentId === undefined || row.agentId === agentId) &&
        (operationType === undefined || row.operationType === operationType) &&
        (subject === undefined || row.subject === subject) &&
        row.issuedAtMs >= from &&
        row.issuedAtMs < to,
    )
    .map(({ seqNo }) => seqNo)
    .reverse()
    .slice(0, limit);
}

const anyTime = fc.oneof(
  fc.integer({ min: START - 6000, max: START + ROWS * 10 + 10 }),
  fc.integer({ min: LONG_AGO - 10, max: LONG_AGO + ROWS + 10 }),
  // Right at the border of a run.
  fc.integer({ min: 0, max: 2 }).map((run) => issuedAt(Math.max(1, run * RUN))),
  fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER),
);
const anyQuery: fc.Arbitrary<OperationQuery> = fc.record(
  {
    agentId: fc.constantFrom(...AGENTS),
    operationType: fc.constantFrom(...TYPES),
    subject: fc.constantFrom(...SUBJECTS),
    from: anyTime,
    to: anyTime,
  },
  { requiredKeys: [] },
);
const anyPlace = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: ROWS + 5 }),
  fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -1, max: 1 })).map(([b, d]) => Math.max(1, b * RUN + d)),
);
const anyLimit = fc.oneof(fc.constantFrom(1, 2, 51, 201), fc.integer({ min: 1, max: 300 }), fc.constant(10_000));

describe('an index with postings under keys of other terms, as two terms with one key have them', () => {
  const index = openIndexFile(`${ledger.indexPath}-false`, () => true);
  atEnd(() => index.close());
  newIndexer(ledger.store.sqlite, index).step();
  const addPosting = index.prepare('INSERT OR IGNORE INTO postings VALUES (0, ?, ?, ?, ?)');
  const terms = new TermKeys();
  index.transaction(() => {
    for (const { seqNo, issuedAtMs } of rows) {
      for (const query of [{ subject: 'with' }, { agentId: 'hardly-ever', operationType: 'file.write' }]) {
        addPosting.run(terms.of(ORG, query), Math.floor(seqNo / RUN), issuedAtMs, seqNo);
      }
    }
  })();
  const search = new OperationSearch(ledger.store.sqlite, index);
  const org = index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?').get(ORG) as IndexedOrg;

  it.each([
    { subject: 'with' },
    { subject: 'with', from: START + 1000 },
    { agentId: 'hardly-ever', operationType: 'file.write' },
    { agentId: 'hardly-ever', operationType: 'file.write', to: START + 60_000 },
  ])('finds what the rows say: %j', (query) => {
    for (const limit of [3, 20, ROWS]) {
      const found = search.page(ORG, org, query, null, limit).map(({ seq_no }) => seq_no);
      expect(found).toEqual(naive(query, null, limit));
    }
  });
});

describe.each([
  ['nothing', 0, 65_536],
  ['a part of a run', 1, 65_536],
  ['some runs', 5, 65_536],
  ['some runs in several segments', 7, 1500],
  ['all in many segments', 500, 300],
  ['all', 1000, 65_536],
])('a search with %s in the index', (_, steps, segmentSize) => {
  const index = openIndexFile(`${ledger.indexPath}-${steps}`, () => true);
  atEnd(() => index.close());
  const indexer = newIndexer(ledger.store.sqlite, index, steps === 1000 ? {} : { maxStep: 777, segmentSize });
  for (let step = 0; step < steps && indexer.step().more; step++);
  const search = new OperationSearch(ledger.store.sqlite, index);
  const org = (): IndexedOrg | null =>
    (index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?').get(ORG) as IndexedOrg | undefined) ?? null;

  it('finds what a look at every row finds', () => {
    fc.assert(
      fc.property(anyQuery, anyPlace, anyLimit, (query, before, limit) => {
        const found = search.page(ORG, org(), query, before, limit).map(({ seq_no }) => seq_no);
        expect(found).toEqual(naive(query, before, limit));
      }),
      {
        numRuns: 250,
        // Many postings lie in the window, above it, or between operations of other agents.
        examples: [
          [{ agentId: 'always', from: 0 }, null, 10_000],
          [{ agentId: 'always', from: START, to: START + 30_000 }, null, 201],
          [{ agentId: 'always', from: LONG_AGO, to: START - 10_000 }, null, 201],
        ],
      },
    );
  });

  it('finds each record once when paged through', () => {
    fc.assert(
      fc.property(anyQuery, fc.integer({ min: 20, max: 400 }), (query, limit) => {
        const found: number[] = [];
        for (let before: number | null = null; ; ) {
          const page: number[] = search.page(ORG, org(), query, before, limit).map(({ seq_no }) => seq_no);
          found.push(...page);
          before = page.at(-1) ?? null;
          if (page.length < limit) break;
        }
        expect(found).toEqual(naive(query, null, ROWS));
      }),
      { numRuns: 15 },
    );
  });

  it('finds as much by a mark that the index has gone beyond meanwhile', async () => {
    const now = org();
    if (now === null) return;
    const before = { ...now, indexed_seq: Math.floor(now.indexed_seq / 2) };
    const counts = new OperationCounts(ledger.store.sqlite, index);
    const agentId = 'sometimes';
    const of = (seqNo: number) => agentOf(seqNo) === agentId;
    const all = rows.filter(({ seqNo }) => of(seqNo));
    const whole = { start: 0, width: START * 2, count: 1 };
    expect(await counts.histogram(ORG, before, { agentId }, whole)).toEqual([all.length]);
    const next = all.filter(({ seqNo }) => seqNo > 100).map(({ seqNo }) => seqNo);
    expect(search.following(ORG, before, agentId, 100, ROWS)).toEqual(next);
    expect(search.page(ORG, before, { agentId }, null, ROWS).map(({ seq_no }) => seq_no)).toEqual(
      naive({ agentId }, null, ROWS),
    );
  });

  it('finds the next record of an agent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AGENTS), fc.integer({ min: 0, max: ROWS + 1 }), (agentId, after) => {
        const next = rows.find((row) => row.seqNo > after && row.agentId === agentId)?.seqNo ?? null;
        expect(search.following(ORG, org(), agentId, after, 1)[0] ?? null).toBe(next);
      }),
    );
  });

  it('finds nothing of another organization', () => {
    expect(search.page('org-3', null, {}, null, 10)).toEqual([]);
    const ofOther = index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?').get(OTHER);
    const found = search.page(OTHER, (ofOther as IndexedOrg | undefined) ?? null, { agentId: 'late' }, null, 300);
    expect(found.map(({ seq_no }) => seq_no)).toEqual([43, 33, 23, 13, 3]);
  });
});
