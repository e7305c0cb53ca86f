import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/** A file that is held for one process. */
export interface FileLock {
  release(): void;
}

/**
 * Holds a file for this process alone. The lock is SQLite's own on a small file, so the operating system drops it however the
 * process ends; nothing stale stays.
 * @param path the file; made where there is none
 * @returns null where another process holds it
 * @throws what SQLite says where the file cannot be written
 */
export function lockFile(path: string): FileLock | null {
  // Loaded here: programs that hold no file need no SQLite.
  const Sqlite: typeof Database = createRequire(import.meta.url)('better-sqlite3');
  let database: Database.Database | undefined;
  try {
    database = new Sqlite(path, { timeout: 0 });
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  const held = database;
  return {
    release: () => {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}
