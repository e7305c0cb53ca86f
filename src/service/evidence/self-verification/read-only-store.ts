import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StartError } from '../../store/base/service-error.ts';
import { SCHEMA_VERSION } from '../../store/migrations.ts';
import { cannotBeCarriedOn } from '../../store/open.ts';
import { openReadOnly, type ReadOnlyStore } from '../../store/open-read-only.ts';

/** What SQLite says where it may not make the files beside a database that reading a write-ahead log takes. */
function isReadOnlyMedium(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  return cause instanceof Database.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(cause.code);
}

/**
 * Opens a ledger to look at it, and never changes it: beside a running service too, whose write-ahead log is read along.
 * On a medium that cannot be written nobody else writes either: then a copy in `scratch` is read, a folder to be made.
 * @throws StartError NOT_OUR_DATABASE, DATABASE_NEWER, DATABASE_OLDER, LEDGER_DAMAGED, DATA_DIR_UNUSABLE
 */
export function openReadOnlyStore(path: string, scratch: string): ReadOnlyStore {
  if (!existsSync(path)) throw new StartError('DATA_DIR_UNUSABLE', `${path}: there is no such file`);
  const store = openWhereverItIs(path, scratch);
  if (store.schemaVersion === SCHEMA_VERSION) return store;
  store.close();
  throw cannotBeCarriedOn(path);
}

function openWhereverItIs(path: string, scratch: string): ReadOnlyStore {
  try {
    return openReadOnly(path);
  } catch (error) {
    if (!isReadOnlyMedium(error)) throw error;
  }
  mkdirSync(scratch, { mode: 0o700 });
  const copy = join(scratch, 'ledger.sqlite');
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return openReadOnly(copy);
}
