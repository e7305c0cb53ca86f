import { JobRefused, JobStopped, runJobThread, workerUrl } from '../../../runtime/index.ts';
import type { BackupProgress, BackupTask } from './backup-worker.ts';

/** The result: whether there is a whole backup, and what is wrong in a sentence; null where it verifies. */
export interface BackupOutcome {
  readonly isThere: boolean;
  readonly failure: string | null;
}

/**
 * Makes and verifies, or only verifies, a backup on a thread of its own.
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
    await runJobThread<BackupTask, null, BackupProgress, string>(task, { url, signal, onProgress });
    return { isThere, failure: null };
  } catch (error) {
    if (error instanceof JobStopped) return { isThere, failure: 'the service was stopped before the backup was whole' };
    if (error instanceof JobRefused) return { isThere, failure: String(error.refusal) };
    throw error;
  }
}
