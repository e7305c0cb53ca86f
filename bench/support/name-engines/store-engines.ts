import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OperationRow } from '../../../src/service/store/schema.ts';
import { BenchLedger } from './bench-ledger.ts';
import { randomKeys } from './fill.ts';
import { keysOf, type NameEngine, namesInOrder } from './name-engine.ts';

/** LevelDB takes them as they come; LMDB writes every page once per transaction. */
const FILLED_AT_ONCE = { level: 10_000, lmdb: 1_000_000 };

/** What is used of an embedded store of keys and values. */
interface KeyValueFile {
  readonly get: (key: Buffer) => Uint8Array | undefined;
  /** Puts all or none, not flushed. */
  readonly put: (entries: readonly (readonly [key: Buffer, value: Buffer])[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Level {
  open(options: object): Promise<void>;
  getSync(key: Buffer): Uint8Array | undefined;
  batch(operations: readonly object[], options: object): Promise<void>;
  close(): Promise<void>;
}

interface Lmdb {
  get(key: Buffer): Uint8Array | undefined;
  putSync(key: Buffer, value: Buffer): void;
  transactionSync(run: () => void): void;
  close(): Promise<void>;
}

/** LevelDB: a log-structured merge tree with Bloom filters. @param stores where classic-level is installed */
async function levelFile(folder: string, stores: string): Promise<KeyValueFile> {
  const { ClassicLevel } = createRequire(join(stores, 'node_modules', 'x'))('classic-level') as {
    ClassicLevel: new (location: string, options: object) => Level;
  };
  const db = new ClassicLevel(join(folder, 'names'), { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  await db.open({ cacheSize: 16 * 1024 * 1024 });
  return {
    get: (key) => db.getSync(key),
    put: (entries) =>
      db.batch(
        entries.map(([key, value]) => ({ type: 'put', key, value })),
        { sync: false },
      ),
    close: () => db.close(),
  };
}

/** LMDB: a tree of pages that are copied on writing. @param stores where lmdb is installed */
async function lmdbFile(folder: string, stores: string): Promise<KeyValueFile> {
  const { open } = createRequire(join(stores, 'node_modules', 'x'))('lmdb') as { open: (options: object) => Lmdb };
  const path = join(folder, 'names.mdb');
  const db = open({ path, keyEncoding: 'binary', encoding: 'binary', noSync: true, overlappingSync: false });
  return {
    get: (key) => db.get(key),
    put: async (entries) => {
      db.transactionSync(() => {
        for (const [key, value] of entries) db.putSync(key, value);
      });
    },
    close: () => db.close(),
  };
}

const MARK = Buffer.from('mark');

function bytesOf(key: number): Buffer {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntBE(key, 0, 6);
  return bytes;
}

/** All names in an embedded store beside the ledger. @param stores folder with the store's package in node_modules */
export async function openKeyValue(folder: string, store: 'level' | 'lmdb', stores: string): Promise<NameEngine> {
  const ledger = new BenchLedger(folder);
  ledger.checkpointOnThread();
  const file = await (store === 'level' ? levelFile : lmdbFile)(folder, stores);
  const mark = file.get(MARK);
  let last = mark === undefined ? 0 : Buffer.from(mark).readUIntBE(0, 6);
  const add = async (rows: readonly OperationRow[]): Promise<void> => {
    last = rows.at(-1)?.seqNo ?? last;
    const names = namesInOrder(rows).map(([key, seqNo]) => [bytesOf(key), bytesOf(seqNo)] as const);
    await file.put([...names, [MARK, bytesOf(last)]]);
  };
  await add(ledger.after(last));
  const isKnown = (row: OperationRow): boolean =>
    keysOf(row).filter((key) => file.get(bytesOf(key)) !== undefined).length > 0;

  const close = async (): Promise<void> => {
    await file.close();
    await ledger.close();
  };

  return {
    get last() {
      return last;
    },
    known: (rows) => rows.filter(isKnown).length,
    commit: async (rows) => {
      await ledger.commit(rows);
      await add(rows);
    },
    settle: async () => {},
    fill: async (first, to) => {
      const value = bytesOf(to);
      for (let left = 2 * (to - first + 1); left > 0; left -= FILLED_AT_ONCE[store]) {
        const keys = randomKeys(Math.min(left, FILLED_AT_ONCE[store]));
        await file.put(keys.map((key) => [key, value] as const));
      }
      await file.put([[MARK, value]]);
      await close();
    },
    close,
  };
}
