import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf } from '../../protocol/light.ts';
import { StartError } from './base/service-error.ts';
import { createStatements } from './create-tables.ts';
import { type BetterSQLite3Database, drizzle } from './drizzle.ts';
import { LedgerClock } from './ledger-clock.ts';
import { FIRST_SCHEMA, MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import * as schema from './schema.ts';
import { startErrorOf } from './sqlite-errors.ts';

/** Marks a SQLite file as a ledger of ours: the bytes "CSGN". */
export const APPLICATION_ID = 0x4353474e;

/** Pages kept in memory, in KiB: the newest of the ledger, and the upper ones of its trees. */
const CACHE_KIB = 4 * 1024;

/** The write-ahead log grows to about this many pages of 4 KiB before a commit has to move it into the database. */
const MAX_WAL_PAGES = 16_384;

type Drizzle = BetterSQLite3Database<typeof schema>;

/**
 * The ledger's database for reading, with drizzle on it. Only a task of the writer is handed a WritableStore. `sqlite` is
 * for transactions and prepared statements; on the store of a running service it refuses statements that write
 * (read-only-view.ts).
 */
export interface Store {
  readonly sqlite: Database.Database;
  readonly db: Pick<Drizzle, '$count' | 'all' | 'get' | 'select' | 'selectDistinct' | 'values'>;
  /** A statement of SQLite's own, prepared at first use: for what every request asks, where drizzle would build it each time. */
  statement(text: string): Database.Statement;
  /** The time of what is signed or hashed and kept here. */
  readonly clock: LedgerClock;
}

/** The same database for a change: what the writer hands to a commit (writer.ts). */
export interface WritableStore extends Store {
  readonly db: Drizzle;
}

/** An open database. Whoever opened it closes it. */
export interface OpenStore extends WritableStore {
  close(): void;
}

/** A store on an open connection. @param clock the one that the same ledger has by another name */
export function storeOn(sqlite: Database.Database, clock = new LedgerClock(sqlite)): OpenStore {
  const statements = new Map<string, Database.Statement>();
  return {
    sqlite,
    db: drizzle(sqlite, { schema }),
    clock,
    statement: (text) => {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = sqlite.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

/** What becomes of a ledger of an older form. */
export function cannotBeCarriedOn(path: string): StartError {
  return new StartError(
    'DATABASE_OLDER',
    `${path} was written by an older version of Countersign, and cannot be carried on. Make its exports with that version, ` +
      'keep them and verify them with it, and begin with a new data folder',
  );
}

function migrate(sqlite: Database.Database, path: string): void {
  const applicationId = sqlite.pragma('application_id', { simple: true }) as number;
  const version = sqlite.pragma('user_version', { simple: true }) as number;
  const { tables } = sqlite.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (tables > 0 && applicationId !== APPLICATION_ID) {
    throw new StartError('NOT_OUR_DATABASE', `${path} is a SQLite file, but not a Countersign ledger`);
  }
  if (version > SCHEMA_VERSION) {
    throw new StartError('DATABASE_NEWER', `${path} was written by a newer version of Countersign`);
  }
  if (version > 0 && version < FIRST_SCHEMA) throw cannotBeCarriedOn(path);
  const step = (text: string, next: number): void => {
    // A crash in here leaves the step before: schema and count change in one transaction.
    sqlite.transaction(() => {
      sqlite.exec(text);
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${next}`);
    })();
  };
  if (version === 0) {
    step(createStatements().join('\n'), SCHEMA_VERSION);
    return;
  }
  MIGRATIONS.slice(version - FIRST_SCHEMA).forEach((text, index) => {
    step(text, version + index + 1);
  });
}

/**
 * Puts on disk what another run had committed when it was killed: the operating system alone may have it. The log is flushed, and then
 * moved as far as readers allow, which helps where the disk had failed to keep it: nobody says so a second time.
 */
function keepOnDisk(sqlite: Database.Database): void {
  const log = `${sqlite.name}-wal`;
  if (!existsSync(log)) return;
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  sqlite.pragma('wal_checkpoint(PASSIVE)');
}

/** A connection to a ledger's database, as every one is that writes to it. @throws SqliteError */
export function connectionTo(path: string): Database.Database {
  const sqlite = new Database(path);
  try {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    // Usually the index's thread moves the log into the database; this is for when it can't keep up.
    sqlite.pragma(`wal_autocheckpoint = ${MAX_WAL_PAGES}`);
    // Only then does INSERT OR REPLACE fire the triggers that keep evidence from being deleted.
    sqlite.pragma('recursive_triggers = ON');
    sqlite.pragma('trusted_schema = OFF');
    // What is erased, a payload say, is overwritten in the file too.
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Opens the ledger's database and brings it to the present schema. With synchronous=FULL a transaction that has returned
 * is on disk, and survives a crash and a power cut; of the writer's commits those of records are once it says so (writer.ts).
 * @throws StartError NOT_OUR_DATABASE, DATABASE_NEWER, DATABASE_OLDER, LEDGER_DAMAGED, DATA_DIR_UNUSABLE
 */
export function openStore(path: string): OpenStore {
  let sqlite: Database.Database | undefined;
  try {
    // Made first, for this user alone: SQLite gives its journal files the same mode.
    closeSync(openSync(path, 'a', 0o600));
    sqlite = connectionTo(path);
    migrate(sqlite, path);
    keepOnDisk(sqlite);
  } catch (error) {
    sqlite?.close();
    if (error instanceof StartError) throw error;
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new StartError('NOT_OUR_DATABASE', `${path} is not a SQLite file`, { cause: error });
    }
    const known = startErrorOf(error, path);
    if (known instanceof StartError) throw known;
    const why = messageOf(error);
    throw new StartError('DATA_DIR_UNUSABLE', `the database ${path} cannot be opened: ${why}`, { cause: error });
  }
  return storeOn(sqlite);
}
