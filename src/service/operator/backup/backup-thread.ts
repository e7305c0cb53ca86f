import { RequestStopped, runJobThread, workerUrl } from '../../../runtime/index.ts';
import type { BackupProgress, BackupTask } from './backup-worker.ts';

/** The result: whether there is a whole backup, and what is wrong in a sentence; null where it verifies. */
export interface BackupOutcome {
  readonly isThere: boolean;
  readonly failure: string | null;
}

/** The backup is bad, or could not be made; its message says why, to people. */
class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/**
 * Makes and verifies a backup, or only verifies one, on its own thread.
 * @param signal has a copy that is being made given up
 * @param onShare told how much of the database is copied, 0 to 1
 * @throws what the thread failed with that is nobody's to know but the log's
 */
export async function runBackupThread(
  task: BackupTask,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<BackupOutcome> {
  let isThere = task.kind === 'verify';
  const onProgress = (progress: BackupProgress): void => {
    if (progress === 'made') isThere = true;
    else onShare(progress);
  };
  try {
    const url = workerUrl(import.meta.url, 'backup-worker');
    const refused = (sentence: string): BackupRefused => new BackupRefused(sentence);
    await runJobThread<BackupTask, null, BackupProgress, string>(task, { url, refused, signal, onProgress });
    return { isThere, failure: null };
  } catch (error) {
    if (error instanceof RequestStopped)
      return { isThere, failure: 'the service was stopped before the backup was whole' };
    if (error instanceof BackupRefused) return { isThere, failure: error.message };
    throw error;
  }
}
