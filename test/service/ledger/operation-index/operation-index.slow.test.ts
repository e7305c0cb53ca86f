import { rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { OperationIndex } from '../../../../src/service/ledger/operation-index/operation-index.ts';
import type { OperationRow } from '../../../../src/service/store/schema.ts';
import { atEnd } from '../../../support/cleanup.ts';
import { insertRows, operationRow, type RowLedger, rowLedger } from '../../../support/operation-rows.ts';
import { until } from '../../../support/until.ts';

const [ORG, OTHER] = ['org-1', 'org-2'];

function rowsOf(first: number, last: number, orgId = ORG): OperationRow[] {
  return Array.from({ length: last - first + 1 }, (_, n) => operationRow({ orgId, seqNo: first + n }));
}

interface Opened {
  readonly index: OperationIndex;
  readonly errors: unknown[];
}

async function open({ store, ledgerPath, indexPath }: RowLedger, maxTail?: number): Promise<Opened> {
  const errors: unknown[] = [];
  const index = await OperationIndex.open({
    ledger: store.sqlite,
    ledgerPath,
    indexPath,
    onError: (error) => void errors.push(error),
    ...(maxTail === undefined ? {} : { maxTail }),
  });
  atEnd(() => index.close());
  return { index, errors };
}

/** How far the file has an organization's ledger. */
function indexedUpTo({ indexPath }: RowLedger, orgId = ORG): number {
  const file = new Database(indexPath, { readonly: true });
  try {
    return (
      (file.prepare('SELECT indexed_seq FROM orgs WHERE org_id = ?').pluck().get(orgId) as number | undefined) ?? 0
    );
  } finally {
    file.close();
  }
}

function taken(ledger: RowLedger, seqNo: number): Promise<unknown> {
  return until('the index to take it up', () => indexedUpTo(ledger) === seqNo);
}

function expectAllKnown(index: OperationIndex, rows: readonly OperationRow[]): void {
  for (const { orgId, seqNo, operationId, agentId, nonce } of rows) {
    expect(index.findOperation(orgId, operationId.toUpperCase())).toBe(seqNo);
    expect(index.isNonceUsed(orgId, agentId, nonce)).toBe(true);
    expect(index.isUnique(orgId, { seqNo, operationId, agentId, nonce })).toBe(true);
    // Of another organization or another agent, nothing of it is known.
    expect(index.findOperation(OTHER, operationId)).toBeNull();
    expect(index.isNonceUsed(OTHER, agentId, nonce)).toBe(false);
    expect(index.isNonceUsed(orgId, `${agentId}x`, nonce)).toBe(false);
  }
}

/** A ledger with records of which all were taken up. */
async function indexedLedger(count: number): Promise<{ ledger: RowLedger; rows: OperationRow[] }> {
  const ledger = rowLedger(ORG, OTHER);
  const rows = rowsOf(1, count);
  insertRows(ledger, rows);
  const { index } = await open(ledger);
  await taken(ledger, count);
  await index.close();
  return { ledger, rows };
}

describe('what was used before', () => {
  it('is known from the commit on, while it waits, once it is in the index, and after a restart', async () => {
    const ledger = rowLedger(ORG, OTHER);
    const { index } = await open(ledger);
    const rows: OperationRow[] = [];
    for (let first = 1; first < 40; first += 10) {
      const some = rowsOf(first, first + 9);
      insertRows(ledger, some);
      index.committed(some);
      rows.push(...some);
      expectAllKnown(index, rows);
      if (first === 21) await taken(ledger, 30);
    }
    expectAllKnown(index, rows);
    await taken(ledger, 40);
    expectAllKnown(index, rows);
    await index.close();
    expectAllKnown((await open(ledger)).index, rows);
  });

  it('is known while it moves from memory into the index, at each moment', async () => {
    const ledger = rowLedger(ORG, OTHER);
    const { index } = await open(ledger);
    // Enough for a step at once.
    const rows = rowsOf(1, 5000);
    insertRows(ledger, rows);
    index.committed(rows);
    const few = rows.filter(({ seqNo }) => seqNo % 250 === 0);
    await until('the index to take it up', () => {
      expectAllKnown(index, few);
      return indexedUpTo(ledger) === 5000;
    });
    expectAllKnown(index, few);
  });

  it('counts a record that was kept although its commit seemed to fail', async () => {
    const ledger = rowLedger(ORG, OTHER);
    const { index } = await open(ledger);
    const rows = rowsOf(1, 3);
    insertRows(ledger, rows);
    expect(index.findOperation(ORG, rows[0]?.operationId ?? '')).toBeNull();
    index.doubt();
    expectAllKnown(index, rows);
  });

  it('finds two records with the same id or nonce, waiting and in the index', async () => {
    const ledger = rowLedger(ORG);
    const [one, two, three] = rowsOf(1, 3) as [OperationRow, OperationRow, OperationRow];
    const rows = [one, { ...two, operationId: one.operationId.toUpperCase() }, { ...three, nonce: one.nonce }];
    insertRows(ledger, rows);
    const { index } = await open(ledger);
    const unique = () => rows.map((row) => index.isUnique(ORG, row));
    expect(unique()).toEqual([false, false, false]);
    const alone = operationRow({ orgId: ORG, seqNo: 4 });
    insertRows(ledger, [alone]);
    index.committed([alone]);
    await taken(ledger, 4);
    await until('the tail to be dropped', () => index.isUnique(ORG, alone));
    expect(unique()).toEqual([false, false, false]);
  });
});

/** Changes the file past the index. */
function changed(sql: string): (ledger: RowLedger) => void {
  return ({ indexPath }) => {
    const file = new Database(indexPath);
    file.exec(sql);
    file.close();
  };
}

describe('an index file', () => {
  it.each<[string, (ledger: RowLedger) => void]>([
    ['is missing', ({ indexPath }) => rmSync(indexPath)],
    ['is no database', ({ indexPath }) => writeFileSync(indexPath, 'x'.repeat(10_000))],
    ['is empty', ({ indexPath }) => writeFileSync(indexPath, '')],
    ['is of another version', changed('DELETE FROM agents; PRAGMA user_version = 99')],
    [
      'is of another ledger',
      changed("DELETE FROM agents; UPDATE orgs SET leaf_hash = zeroblob(32) WHERE org_id = 'org-1'"),
    ],
    [
      'is ahead of a ledger that was set back',
      changed("DELETE FROM agents; UPDATE orgs SET indexed_seq = 1000 WHERE org_id = 'org-1'"),
    ],
    ['lacks a segment', changed('DELETE FROM segments')],
    [
      'has a segment below all others',
      changed('UPDATE segments SET segment = 1; INSERT INTO segments (segment, records) VALUES (-5, 0)'),
    ],
    [
      'says that records are in a segment that is not there',
      changed('DELETE FROM names; UPDATE stretches SET segment = 1048576'),
    ],
    ['has a segment far beyond the others', changed('UPDATE segments SET segment = 1000000000')],
  ])('that %s is rebuilt', async (_, damage) => {
    const { ledger, rows } = await indexedLedger(30);
    for (const ending of ['-wal', '-shm']) rmSync(ledger.indexPath + ending, { force: true });
    damage(ledger);
    const { index } = await open(ledger);
    expectAllKnown(index, rows);
    await taken(ledger, 30);
    expectAllKnown(index, rows);
  });

  it.each<[string, readonly number[]]>([
    ['all records', []],
    ['records that somebody took out', [3, 4, 8]],
  ])('that is sound is kept, of a ledger with %s', async (_, gone) => {
    const ledger = rowLedger(ORG);
    insertRows(
      ledger,
      rowsOf(1, 10).filter(({ seqNo }) => !gone.includes(seqNo)),
    );
    const first = await open(ledger);
    await taken(ledger, 10);
    await first.index.close();
    const file = new Database(ledger.indexPath);
    file.exec('CREATE TABLE kept (x)');
    file.close();
    const { index } = await open(ledger);
    await index.close();
    const again = new Database(ledger.indexPath);
    expect(again.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'kept'").pluck().get()).toBe(1);
    again.close();
  });
});

describe('an index that cannot be written', () => {
  it('for one organization forgets what it took up of the others', async () => {
    const ledger = rowLedger(ORG, OTHER);
    const { index, errors } = await open(ledger, 60);
    const file = new Database(ledger.indexPath);
    file.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON orgs WHEN NEW.org_id = '${OTHER}' AND NEW.records > 0
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const rows = [...rowsOf(1, 50), ...rowsOf(1, 20, OTHER)];
    insertRows(ledger, rows);
    index.committed(rows);
    expect(index.isBehind).toBe(true);
    await until('the failure', () => errors.length > 0);
    expect(index.isBehind).toBe(false);
    expectAllKnown(index, rows.slice(0, 50));
    file.close();
  });

  it('is tried again after a rest, while records wait in memory, and says when they are too many', async () => {
    const ledger = rowLedger(ORG, OTHER);
    const { index, errors } = await open(ledger, 60);
    const file = new Database(ledger.indexPath);
    file.exec("CREATE TRIGGER refuse BEFORE INSERT ON agents BEGIN SELECT RAISE(ABORT, 'refused'); END");
    const rows: OperationRow[] = [];
    const commit = (first: number, last: number): void => {
      const some = rowsOf(first, last);
      insertRows(ledger, some);
      index.committed(some);
      rows.push(...some);
    };
    commit(1, 50);
    await until('the failure', () => errors.length > 0);
    expect(index.isBehind).toBe(false);
    // Each of these would start the thread again.
    for (let n = 51; n <= 70; n++) commit(n, n);
    expect(index.isBehind).toBe(true);
    expectAllKnown(index, rows);
    file.exec('DROP TRIGGER refuse');
    file.close();
    await until('the index to come after', () => !index.isBehind);
    expect(errors).toHaveLength(1);
    expectAllKnown(index, rows);
  });
});
