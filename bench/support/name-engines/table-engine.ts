import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { OperationRow } from '../../../src/service/store/schema.ts';
import { BenchLedger } from './bench-ledger.ts';
import { fillTable } from './fill.ts';
import { keysOf, type NameEngine, namesInOrder } from './name-engine.ts';

/**
 * All names in one plain table of the keys that the index uses too.
 * @param place in the ledger's file and transaction, or in a file beside it that is not flushed before the answer
 */
export async function openTable(folder: string, place: 'ledger' | 'beside'): Promise<NameEngine> {
  const ledger = new BenchLedger(folder);
  const path = join(folder, 'names.sqlite');
  const file = place === 'ledger' ? ledger.store.sqlite : new Database(path);
  file.pragma('journal_mode = WAL');
  if (place === 'beside') file.pragma('synchronous = NORMAL');
  file.pragma('wal_autocheckpoint = 16384');
  file.pragma('cache_size = -16384');
  file.exec(`
    CREATE TABLE IF NOT EXISTS names (key INTEGER, seq_no INTEGER, PRIMARY KEY (key, seq_no)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY, seq_no INTEGER NOT NULL) STRICT`);
  if (place === 'ledger') ledger.checkpointOnThread();
  else ledger.checkpointOnThread(path);
  const insert = file.prepare('INSERT OR IGNORE INTO names VALUES (?, ?)');
  const moveMark = file.prepare('INSERT OR REPLACE INTO mark VALUES (1, ?)');
  const find = file.prepare('SELECT seq_no FROM names WHERE key = ?').pluck();
  let last = (file.prepare('SELECT seq_no FROM mark').pluck().get() as number | undefined) ?? 0;
  const add = (rows: readonly OperationRow[]): void => {
    for (const name of namesInOrder(rows)) insert.run(name);
    last = rows.at(-1)?.seqNo ?? last;
    moveMark.run(last);
  };
  const addAll = file.transaction(add);
  addAll(ledger.after(last));
  const isKnown = (row: OperationRow): boolean => keysOf(row).filter((key) => find.get(key) !== undefined).length > 0;

  const close = async (): Promise<void> => {
    if (place === 'beside') file.close();
    await ledger.close();
  };

  return {
    get last() {
      return last;
    },
    known: file.transaction((rows: readonly OperationRow[]) => rows.filter(isKnown).length),
    commit: async (rows) => {
      await ledger.commit(rows, place === 'ledger' ? () => add(rows) : undefined);
      if (place === 'beside') addAll(rows);
    },
    settle: async () => {},
    fill: async (first, to) => {
      fillTable(file, first, to);
      await close();
    },
    close,
  };
}
