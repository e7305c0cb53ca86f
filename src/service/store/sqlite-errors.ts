import Database from 'better-sqlite3';
import { codeOf, hasCode } from '../../protocol/light.ts';
import { StartError } from './base/service-error.ts';

/** SQLite's own error, also where drizzle put its query around it. */
export function sqliteErrorOf(error: unknown): InstanceType<typeof Database.SqliteError> | null {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof Database.SqliteError) return inner;
  }
  return null;
}

/** Whether SQLite could read the file, and not what is in it. An error from another thread has its code, and its class no more. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteErrorOf(error)?.code ?? codeOf(error) ?? '';
  return code.startsWith('SQLITE_CORRUPT');
}

/** Whether the disk had no room, or a quota forbade it, for SQLite or for a file of ours; also by an error from another thread. */
export function isStorageFull(error: unknown): boolean {
  return hasCode(sqliteErrorOf(error) ?? error, 'SQLITE_FULL', 'ENOSPC', 'EDQUOT');
}

/**
 * What SQLite says of a damaged file or a failing disk, for the person at the terminal.
 * @returns the error itself where it did not come from SQLite
 */
export function startErrorOf(error: unknown, ledgerPath: string): unknown {
  const cause = sqliteErrorOf(error);
  if (cause === null || error instanceof StartError) return error;
  if (isCorrupt(error)) {
    return new StartError(
      'LEDGER_DAMAGED',
      `the database ${ledgerPath} is damaged (${cause.message}). Keep the file as it is, and restore a backup into a new ` +
        'folder: countersign restore --help',
      { cause: error },
    );
  }
  return new StartError('DATA_DIR_UNUSABLE', `the database ${ledgerPath} cannot be opened: ${cause.message}`, {
    cause: error,
  });
}
