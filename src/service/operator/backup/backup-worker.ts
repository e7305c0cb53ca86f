/**
 * A thread that makes or verifies one backup: it copies, hashes and has SQLite look through a whole database, while the
 * service goes on. It is asked to end, never ended from outside, for it has databases open.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { StartError } from '../../base/errors.ts';
import { BackupError } from './backup-errors.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupTask {
  /** What was never looked at is a hope: a backup is verified as soon as it is made. */
  readonly kind: 'make' | 'verify';
  readonly dataDir: string;
  /** The folder of the backup. */
  readonly path: string;
  /** Holds 1 once the backup is to be given up. */
  readonly stop: Int32Array;
}

export type BackupMessage =
  | { readonly kind: 'progress'; readonly share: number }
  /** It is there, whole; now it is verified. */
  | { readonly kind: 'made' }
  | { readonly kind: 'done' }
  /** A sentence for people: the backup is bad, or could not be made. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly error: unknown };

const { kind, dataDir, path, stop } = workerData as BackupTask;

function tell(message: BackupMessage): void {
  parentPort?.postMessage(message);
}

function onProgress(done: number, total: number): void {
  if (Atomics.load(stop, 0) === 1) {
    throw new BackupError('TARGET_UNUSABLE', 'the service was stopped before the backup was whole');
  }
  tell({ kind: 'progress', share: total === 0 ? 1 : done / total });
}

try {
  if (kind === 'make') {
    await writeBackup({ dataDir, to: path, withoutKeys: false, now: Date.now, onProgress });
    tell({ kind: 'made' });
  }
  await verifyBackup(path);
  tell({ kind: 'done' });
} catch (error) {
  const isExpected = error instanceof BackupError || error instanceof StartError;
  tell(isExpected ? { kind: 'refused', sentence: error.message } : { kind: 'failed', error });
}
