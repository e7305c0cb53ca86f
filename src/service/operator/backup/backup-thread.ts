import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../../runtime/index.ts';
import type { BackupMessage, BackupTask } from './backup-worker.ts';

/** What came of it: whether there is a whole backup, and what is wrong in a sentence; null where it verifies. */
export interface BackupOutcome {
  readonly isThere: boolean;
  readonly failure: string | null;
}

/**
 * Makes and verifies, or only verifies, a backup on a thread of its own.
 * @param onShare told how much of the database is copied, 0 to 1
 * @throws what the thread threw that is nobody's to know but the log's
 */
export function runBackupThread(task: BackupTask, onShare: (share: number) => void): Promise<BackupOutcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl(import.meta.url, 'backup-worker'), { workerData: task });
    let isThere = task.kind === 'verify';
    let settle = (): void => reject(new Error('the thread of the backup ended before it was done'));
    worker.on('message', (message: BackupMessage) => {
      if (message.kind === 'progress') onShare(message.share);
      else if (message.kind === 'made') isThere = true;
      else if (message.kind === 'done') settle = () => resolve({ isThere, failure: null });
      else if (message.kind === 'refused') settle = () => resolve({ isThere, failure: message.sentence });
      else settle = () => reject(message.error);
    });
    worker.on('error', (error) => {
      settle = () => reject(error);
    });
    // Not before the thread is gone: it holds databases open until then.
    worker.on('exit', () => settle());
  });
}
