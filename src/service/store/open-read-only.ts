import Database from 'better-sqlite3';
import { StartError } from './base/service-error.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { APPLICATION_ID, type Store, storeOn } from './open.ts';
import { startErrorOf } from './sqlite-errors.ts';

/** A ledger that is only read, another process's or a backup's. */
export interface ReadOnlyStore extends Store {
  /** As migrations.ts counts it. The tables are those of `schema` only where it is SCHEMA_VERSION. */
  readonly schemaVersion: number;
  close(): void;
}

/** Pages kept in memory, in KiB: such readers go through the ledger once, in order, and come back to little of it. */
const CACHE_KIB = 4 * 1024;

/**
 * Opens a ledger without changing it, whether or not a service is writing to it.
 * @throws StartError NOT_OUR_DATABASE, DATABASE_NEWER, LEDGER_DAMAGED, DATA_DIR_UNUSABLE
 */
export function openReadOnly(path: string): ReadOnlyStore {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(path, { readonly: true, fileMustExist: true });
    sqlite.pragma('trusted_schema = OFF');
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    const applicationId = sqlite.pragma('application_id', { simple: true });
    const schemaVersion = sqlite.pragma('user_version', { simple: true }) as number;
    if (applicationId !== APPLICATION_ID || schemaVersion < 1) {
      throw new StartError('NOT_OUR_DATABASE', `${path} is not a Countersign ledger`);
    }
    if (schemaVersion > SCHEMA_VERSION) {
      throw new StartError('DATABASE_NEWER', `${path} was written by a newer version of Countersign`);
    }
    return { ...storeOn(sqlite), schemaVersion };
  } catch (error) {
    sqlite?.close();
    if (error instanceof StartError) throw error;
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new StartError('NOT_OUR_DATABASE', `${path} is not a SQLite file`, { cause: error });
    }
    throw startErrorOf(error, path);
  }
}
