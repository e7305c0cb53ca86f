import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { StartError } from '../errors.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { APPLICATION_ID, type Store } from '../store/open.ts';
import * as schema from '../store/schema.ts';

function openReadOnly(path: string): Database.Database {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true });
  try {
    sqlite.pragma('trusted_schema = OFF');
    const applicationId = sqlite.pragma('application_id', { simple: true });
    if (applicationId !== APPLICATION_ID) {
      throw new StartError('NOT_OUR_DATABASE', `${path} is a SQLite file, but not a Countersign ledger`);
    }
    const version = sqlite.pragma('user_version', { simple: true }) as number;
    if (version > MIGRATIONS.length) {
      throw new StartError('DATABASE_NEWER', `${path} was written by a newer version of Countersign`);
    }
    if (version < MIGRATIONS.length) {
      throw new StartError(
        'DATABASE_OLDER',
        `${path} was written by an older version of Countersign: start the service on it once`,
      );
    }
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** What SQLite says where it may not make the files beside a database that reading a write-ahead log takes. */
function isReadOnlyMedium(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code);
}

/**
 * Opens a ledger to look at it, and never changes it: beside a running service too, whose write-ahead log is read along.
 * On a medium that cannot be written nobody else writes either: then a copy in `scratch` is read, a folder to be made.
 * @throws StartError NOT_OUR_DATABASE, DATABASE_NEWER, DATABASE_OLDER, DATA_DIR_UNUSABLE
 */
export function openReadOnlyStore(path: string, scratch: string): Store {
  try {
    if (!existsSync(path)) throw new StartError('DATA_DIR_UNUSABLE', `${path}: there is no such file`);
    let sqlite: Database.Database;
    try {
      sqlite = openReadOnly(path);
    } catch (error) {
      if (!isReadOnlyMedium(error)) throw error;
      sqlite = openCopy(path, scratch);
    }
    return { sqlite, db: drizzle(sqlite, { schema }), close: () => void sqlite.close() };
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new StartError('NOT_OUR_DATABASE', `${path} is not a SQLite file`, { cause: error });
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError('DATA_DIR_UNUSABLE', `the database ${path} cannot be read: ${why}`, { cause: error });
  }
}

function openCopy(path: string, folder: string): Database.Database {
  mkdirSync(folder, { mode: 0o700 });
  const target = join(folder, 'ledger.sqlite');
  copyFileSync(path, target);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${target}-wal`);
  return openReadOnly(target);
}
