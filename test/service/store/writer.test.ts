import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Checkpointer } from '../../../src/service/store/checkpointer.ts';
import { LookupCache } from '../../../src/service/store/lookup-cache.ts';
import { type HoldCommit, Writer } from '../../../src/service/store/writer.ts';
import { atEnd } from '../../support/cleanup.ts';
import { rowLedger } from '../../support/operation-rows.ts';

function opened() {
  const ledger = rowLedger('org');
  const writer = new Writer(ledger.store);
  const rename = (name: string): unknown => ledger.store.sqlite.prepare('UPDATE organizations SET name = ?').run(name);
  return { ...ledger, writer, rename };
}

describe('what is remembered', () => {
  it('is read again after any task of the writer, failed ones too, and not after what is only appended', async () => {
    const { writer, rename } = opened();
    const remembered = new LookupCache<string>(writer);
    const remember = (): void => {
      remembered.get('a');
      remembered.set('a', 'value');
      expect(remembered.get('a')).toBe('value');
    };
    remember();
    await writer.append(() => rename('appended'));
    expect(remembered.get('a')).toBe('value');
    await writer.transact(() => rename('transacted'));
    expect(remembered.get('a')).toBeUndefined();
    remember();
    await writer.run(() => rename('run'));
    expect(remembered.get('a')).toBeUndefined();
    remember();
    const failing = writer.run(() => {
      rename('half done');
      throw new Error('failed after it wrote');
    });
    await expect(failing).rejects.toThrow('failed after it wrote');
    expect(remembered.get('a')).toBeUndefined();
  });

  it('is read again in the turn after another connection has written', async () => {
    const { writer, ledgerPath } = opened();
    const other = new Database(ledgerPath);
    atEnd(() => other.close());
    const remembered = new LookupCache<string>(writer);
    await nextTurn();
    remembered.get('a');
    remembered.set('a', 'value');
    await nextTurn();
    expect(remembered.get('a')).toBe('value');
    other.prepare('UPDATE organizations SET name = ?').run('from elsewhere');
    await nextTurn();
    expect(remembered.get('a')).toBeUndefined();
  });

  it('is not read again after what the writer itself commits by its second connection', async () => {
    const { store, ledgerPath } = opened();
    const hold: HoldCommit = async (sqlite, change) => {
      sqlite.exec('BEGIN IMMEDIATE');
      const result = change(() => undefined);
      await nextTurn();
      sqlite.exec('COMMIT');
      return result;
    };
    const writer = new Writer(store, undefined, { isKeptElsewhere: true, hold });
    atEnd(() => writer.close());
    const rename = (name: string) => () =>
      writer.commitFlushedBeside(({ sqlite }) => sqlite.prepare('UPDATE organizations SET name = ?').run(name));
    const name = store.sqlite.prepare('SELECT name FROM organizations').pluck();
    const { generation } = writer;
    await nextTurn();
    await writer.append(rename('held'));
    await nextTurn();
    expect([name.get(), writer.generation]).toEqual(['held', generation]);
    const other = new Database(ledgerPath);
    atEnd(() => other.close());
    other.prepare('UPDATE organizations SET name = ?').run('from elsewhere');
    await writer.append(rename('held again'));
    expect([name.get(), writer.generation]).toEqual(['held again', generation + 1]);
  });

  it('is bounded', () => {
    const remembered = new LookupCache<number>(opened().writer);
    remembered.get('0');
    for (let n = 0; n <= 10_000; n++) remembered.set(String(n), n);
    expect(remembered.get('0')).toBeUndefined();
    expect(remembered.get('10000')).toBe(10_000);
  });
});

describe('a commit', () => {
  it('is refused by either connection once the disk has failed', async () => {
    const { store } = opened();
    const log = { flushed: () => Promise.reject(new Error('EIO')), close: async () => undefined };
    const hold: HoldCommit = async (_, change) => change(() => undefined);
    const writer = new Writer(store, undefined, { isKeptElsewhere: true, hold, log });
    atEnd(() => writer.close());
    await expect(writer.flushFile()).rejects.toThrow('EIO');
    const held = writer.append(() => writer.commitFlushedBeside(() => undefined));
    await expect(held).rejects.toThrow('EIO');
    await expect(writer.transact(() => undefined)).rejects.toThrow('EIO');
  });

  it('waits for the disk itself, and one of records does not, in whatever order they come', async () => {
    const { writer, store, rename } = opened();
    const waits: unknown[] = [];
    const note = (): void => {
      rename('changed');
      waits.push(store.sqlite.pragma('synchronous', { simple: true }));
    };
    const ofRecords = (): Promise<void> => writer.append(() => writer.commitFlushedBeside(note));
    for (const commit of [ofRecords, ofRecords, () => writer.transact(note), () => writer.transact(note), ofRecords]) {
      await commit();
    }
    // NORMAL and FULL, as SQLite says them: https://sqlite.org/pragma.html#pragma_synchronous
    expect(waits).toEqual([1, 1, 2, 2, 1]);
  });
});

describe('the write-ahead log', () => {
  it('stays small under commits that go on', async () => {
    const { writer, store, ledgerPath, rename } = opened();
    const errors: unknown[] = [];
    // How quick the disk is does not matter here.
    store.sqlite.pragma('synchronous = OFF');
    const second = new Database(ledgerPath);
    const reader = new Database(ledgerPath);
    atEnd(() => {
      second.close();
      reader.close();
    });
    const checkpointer = new Checkpointer({
      writer,
      inBackground: async () => {
        // There is always something that it misses: a commit that came while it worked, here behind a reader's back.
        reader.exec('BEGIN');
        reader.prepare('SELECT count(*) FROM organizations').get();
        rename('meanwhile');
        second.pragma('wal_checkpoint(PASSIVE)');
        reader.exec('COMMIT');
      },
      onError: (error) => void errors.push(error),
    });
    for (let n = 0; n < 1500; n++) {
      await writer.append(() => rename(`${n}`.repeat(200)));
      checkpointer.committed();
      if (n % 8 === 0) await nextTurn();
    }
    await checkpointer.close();
    expect(errors).toEqual([]);
    // Of some 4 KiB for each commit, those of a few hundred at most.
    expect(statSync(`${ledgerPath}-wal`).size).toBeLessThan(300 * 4200);
  });

  it('is left to SQLite where the background fails, which is reported', async () => {
    const { writer, store } = opened();
    const errors: unknown[] = [];
    const failure = new Error('no thread');
    const options = { store, writer, inBackground: () => Promise.reject(failure) };
    const checkpointer = new Checkpointer({ ...options, onError: (error) => void errors.push(error) });
    for (let n = 0; n < 64; n++) checkpointer.committed();
    await nextTurn();
    expect(errors).toEqual([failure]);
    await checkpointer.close();
  });
});
