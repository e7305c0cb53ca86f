import Database from 'better-sqlite3';
import { type FileDigest, fileDigest } from '../../../node/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { SCHEMA_VERSION } from '../../store/migrations.ts';
import { openReadOnly, type ReadOnlyStore } from '../../store/open-read-only.ts';
import { BackupError } from './backup-errors.ts';
import type { BackupManifest } from './manifest.ts';
import { type Backup, checkDatabase, checkDigest, readBackup } from './read-backup.ts';

/** A backup in which nothing is wrong. */
export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  /** False where the database has the schema of an older version: its heads are compared when it is restored. */
  readonly headsCompared: boolean;
}

/** A copy of the manifest's word on the files, compared with the files. @throws BackupError BACKUP_DAMAGED */
/** Receives how many bytes are checked, and how many there are. */
type CheckProgress = (done: number, total: number) => void;

async function checkFiles({ manifest, path }: Backup, onProgress: CheckProgress): Promise<void> {
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const file of manifest.files) {
    let found: FileDigest;
    try {
      const onBytes = (count: number): void => {
        done += count;
        onProgress(Math.min(done, total), total);
      };
      found = await fileDigest(path(file.name), { onBytes });
    } catch (error) {
      throw new BackupError('BACKUP_DAMAGED', `${path(file.name)} cannot be read`, { cause: error });
    }
    checkDigest(path(file.name), file, found);
  }
}

function open(path: string): ReadOnlyStore {
  try {
    return openReadOnly(path);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const code = error.code === 'DATABASE_NEWER' ? 'BACKUP_NEWER' : 'BACKUP_DAMAGED';
    throw new BackupError(code, error.message, { cause: error });
  }
}

/** Has something read from a database, whose damage is that of the backup. */
export function asBackupDamage<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(cause instanceof Database.SqliteError)) throw error;
    throw new BackupError('BACKUP_DAMAGED', `${path}: SQLite finds it damaged: ${cause.message}`, { cause: error });
  }
}

/**
 * Verifies a backup without changing it: the digests of its files, the signature of its manifest, what SQLite says of the
 * database, and that its chains end where the manifest says. What lies before those ends is the whole-ledger check's.
 * @param trustedKids where any are given, one of them must have signed it
 * @throws BackupError
 */
export async function verifyBackup(
  from: string,
  trustedKids: readonly string[] = [],
  onProgress: CheckProgress = () => undefined,
): Promise<VerifiedBackup> {
  const backup = readBackup(from, trustedKids);
  await checkFiles(backup, onProgress);
  const path = backup.path('ledger.sqlite');
  const store = asBackupDamage(path, () => open(path));
  try {
    const headsCompared = store.schemaVersion === SCHEMA_VERSION;
    if (store.schemaVersion !== backup.manifest.schema_version) {
      throw new BackupError('BACKUP_DAMAGED', `${path}: its schema is not the one that the manifest names`);
    }
    if (headsCompared) asBackupDamage(path, () => checkDatabase(path, store, backup.manifest));
    return { manifest: backup.manifest, headsCompared };
  } finally {
    store.close();
  }
}
