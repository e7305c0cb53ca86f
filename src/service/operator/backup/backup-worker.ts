/**
 * A thread that makes or verifies one backup: it copies, hashes and has SQLite look through a whole database, while the
 * service keeps serving.
 */
import { serveRequests } from '../../../node/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { BackupError } from './backup-errors.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupTask {
  /** What was never looked at is a hope: a backup is verified as soon as it is made. */
  readonly kind: 'make' | 'verify';
  readonly dataDir: string;
  /** The folder of the backup. */
  readonly path: string;
}

/** How much of the database is copied, 0 to 1; then that the backup is there, whole: now it is verified. */
export type BackupProgress = number | 'made';

/** A sentence for people: the backup is bad, or could not be made. */
function refusalOf(error: unknown): string | undefined {
  return error instanceof BackupError || error instanceof StartError ? error.message : undefined;
}

serveRequests<BackupTask, null, BackupProgress, string>(
  async ({ kind, dataDir, path }, { signal, tell }) => {
    if (kind === 'make') {
      const onProgress = (done: number, total: number): void => {
        signal.throwIfAborted();
        tell(total === 0 ? 1 : done / total);
      };
      await writeBackup({ dataDir, to: path, withoutKeys: false, now: Date.now, onProgress });
      tell('made');
    }
    await verifyBackup(path);
    return null;
  },
  { refusalOf },
);
