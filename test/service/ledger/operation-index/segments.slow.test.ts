import { describe, expect, it } from 'vitest';
import { openIndexFile } from '../../../../src/service/ledger/operation-index/index-file.ts';
import { NameFilter } from '../../../../src/service/ledger/operation-index/name-filter.ts';
import { NamedOperations } from '../../../../src/service/ledger/operation-index/named-operations.ts';
import { Segments } from '../../../../src/service/ledger/operation-index/segments.ts';
import { atEnd } from '../../../support/cleanup.ts';
import { newIndexer } from '../../../support/operation-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';

const SIZE = 100;
const [ORG, OTHER] = ['org-1', 'org-2'];

const ledger = rowLedger(ORG, OTHER);
const rows = [ORG, OTHER].flatMap((orgId) =>
  Array.from({ length: orgId === ORG ? 730 : 220 }, (_, n) => operationRow({ orgId, seqNo: n + 1 })),
);
insertRows(ledger, rows);

/** An index of the ledger, in segments of 100 records, and its rows by table. */
function indexed(name: string) {
  const index = openIndexFile(`${ledger.indexPath}-${name}`, () => true);
  atEnd(() => index.close());
  const indexer = newIndexer(ledger.store.sqlite, index, { maxStep: 70, segmentSize: SIZE });
  while (indexer.step().more);
  return { index, indexer, count: (sql: string) => index.prepare(sql).pluck().get() };
}

/** The filter as the next start fills it, and what is found by it. */
function reopened(index: ReturnType<typeof openIndexFile>) {
  const filter = new NameFilter();
  filter.cover(10, false);
  new Segments(index, filter, SIZE).loadFilter();
  expect(filter.isSettled).toBe(true);
  return { filter, names: new NamedOperations(ledger.store.sqlite, index, filter) };
}

function expectAllFound({ names }: ReturnType<typeof reopened>): void {
  for (const { orgId, seqNo, operationId, agentId, nonce } of rows) {
    expect(names.withId(orgId, operationId)).toEqual([seqNo]);
    expect(names.withNonce(orgId, agentId, nonce)).toEqual([seqNo]);
  }
}

describe('segments of the index', () => {
  it('take records of all organizations as they come, and a full one keeps its part of the filter', () => {
    const { index, count } = indexed('whole');
    expect(index.prepare('SELECT records FROM segments ORDER BY segment').pluck().all()).toEqual([
      ...Array(9).fill(SIZE),
      50,
    ]);
    expect(count('SELECT count(*) FROM segments WHERE filter IS NOT NULL')).toBe(9);
    expect(count('SELECT count(*) FROM names')).toBe(2 * rows.length);
    expect(count('SELECT count(*) FROM agents')).toBe(rows.length);
    expectAllFound(reopened(index));
  });

  it('that are full never change again', () => {
    const { index } = indexed('grown');
    const full = () =>
      ['names', 'agents', 'segments'].map((table) =>
        index.prepare(`SELECT * FROM ${table} WHERE segment < 9 ORDER BY 1, 2, 3`).raw().all(),
      );
    const before = full();
    const grown = rowLedger(ORG, OTHER);
    insertRows(grown, rows);
    insertRows(
      grown,
      Array.from({ length: 80 }, (_, n) => operationRow({ orgId: ORG, seqNo: 731 + n })),
    );
    const indexer = newIndexer(grown.store.sqlite, index, { maxStep: 70, segmentSize: SIZE });
    while (indexer.step().more);
    expect(index.prepare('SELECT max(segment) FROM segments').pluck().get()).toBe(10);
    expect(full()).toEqual(before);
  });

  it('get nothing of a step that fails', () => {
    const { index } = indexed('failed step');
    const tables = ['orgs', 'names', 'agents', 'segments', 'stretches'];
    const content = () => tables.map((table) => index.prepare(`SELECT * FROM ${table}`).raw().all());
    const before = content();
    const grown = rowLedger(ORG, OTHER);
    insertRows(grown, [...rows, operationRow({ orgId: ORG, seqNo: 731 })]);
    // The last write of a step.
    index.exec("CREATE TRIGGER refuse BEFORE UPDATE ON orgs BEGIN SELECT RAISE(ABORT, 'refused'); END");
    expect(() => newIndexer(grown.store.sqlite, index, { segmentSize: SIZE }).step()).toThrow('refused');
    expect(content()).toEqual(before);
  });

  it('know which of them an organization’s record is in', () => {
    const { index } = indexed('stretches');
    const segments = new Segments(index, new NameFilter(), SIZE);
    const orgNos = index.prepare('SELECT org_id, org_no FROM orgs').raw().all() as [string, number][];
    const orgNo = new Map(orgNos);
    const inNames = index.prepare('SELECT count(*) FROM names WHERE segment = ? AND seq_no = ?').pluck();
    for (const { orgId, seqNo } of rows) {
      const segment = segments.of(orgNo.get(orgId) ?? 0, seqNo);
      expect(inNames.get(segment, seqNo)).toBeGreaterThanOrEqual(2);
    }
    expect(segments.of(99, 1)).toBeNull();
  });

  it.each([
    ['are missing', 'UPDATE segments SET filter = NULL'],
    ['are of other segments', 'UPDATE segments SET filter = (SELECT filter FROM segments WHERE segment = 0)'],
    ['are damaged', 'UPDATE segments SET filter = CAST(zeroblob(length(filter)) AS BLOB) WHERE filter IS NOT NULL'],
    ['have no digest', 'UPDATE segments SET filter_digest = NULL'],
  ])('whose stored parts of the filter %s are read name by name', (name, sql) => {
    const { index } = indexed(name);
    expect(index.prepare(sql).run().changes).toBeGreaterThan(0);
    expectAllFound(reopened(index));
  });

  it.each([
    ['a name', 'DELETE FROM names WHERE segment = 3 AND seq_no = (SELECT max(seq_no) FROM names WHERE segment = 3)'],
    [
      'a record of an agent',
      'DELETE FROM agents WHERE segment = 3 AND seq_no = (SELECT max(seq_no) FROM agents WHERE segment = 3)',
    ],
    ['a stretch', 'DELETE FROM stretches WHERE segment = 3'],
    ['a stretch, which is said to be elsewhere,', 'UPDATE stretches SET segment = 1048576 WHERE segment = 3'],
    ['a stretch, which is said to be nowhere,', 'UPDATE stretches SET segment = -1 WHERE segment = 3'],
  ])('that lack %s do not pass a check', (name, sql) => {
    const { index, indexer } = indexed(`lacking ${name}`);
    const isSound = () => [ORG, OTHER].map((orgId) => indexer.check(orgId, 0).sound);
    expect(isSound()).toEqual([true, true]);
    expect(index.prepare(sql).run().changes).toBeGreaterThan(0);
    expect(isSound()).toContain(false);
  });

  it('whose filter lacks a name do not pass a check', () => {
    const { index } = indexed('bare filter');
    expect(newIndexer(ledger.store.sqlite, index, { segmentSize: SIZE }).check(ORG, 0).sound).toBe(false);
  });
});
