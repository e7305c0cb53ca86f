import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StartError } from '../base/errors.ts';

/** Holds a data folder for one process. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder for this process alone: two services on one ledger would give the same sequence number twice. The
 * lock is SQLite's own on a small file, so the operating system drops it however the process ends; nothing stale stays.
 * @throws StartError DATA_DIR_IN_USE, DATA_DIR_UNUSABLE
 */
export function lockFolder(dataDir: string): FolderLock {
  let database: Database.Database | undefined;
  try {
    database = new Database(join(dataDir, 'lock.sqlite'), { timeout: 0 });
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StartError('DATA_DIR_IN_USE', `another process is using the data folder ${dataDir}`, { cause: error });
    }
    throw new StartError('DATA_DIR_UNUSABLE', `the data folder ${dataDir} cannot be written`, { cause: error });
  }
  const held = database;
  return {
    release: () => {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}
