import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { VerificationReport } from '../../../protocol/index.ts';
import { workerUrl } from '../../../runtime/index.ts';
import { StartError } from '../../base/errors.ts';
import type { LedgerProgress, ThreadMessage, VerificationTask } from './thread-messages.ts';

/** A verification that ended without a report, through no fault of the ledger's. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
}

export interface ThreadOptions {
  readonly onProgress: (progress: LedgerProgress) => void;
  /** Has the thread end as soon as it can; the promise then fails with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

/**
 * Verifies stored ledgers on a thread of its own, which takes further threads for the signatures: whoever calls stays free
 * to serve.
 * @returns a report for each organization
 * @throws StartError where the file is none that can be verified, VerificationFailed where the thread failed
 */
export function verifyInThread(
  given: Omit<VerificationTask, 'scratch' | 'stop'>,
  { onProgress, signal }: ThreadOptions,
): Promise<VerificationReport[]> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const scratch = join(tmpdir(), `countersign-verify-${randomUUID()}`);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const task: VerificationTask = { ...given, scratch, stop };
    const worker = new Worker(workerUrl(import.meta.url, 'ledger-worker'), {
      workerData: task,
      resourceLimits: RESOURCE_LIMITS,
    });
    const reports: VerificationReport[] = [];
    let settle = (): void => reject(new VerificationFailed('the thread ended before it was done'));
    const askToStop = (): void => void Atomics.store(stop, 0, 1);
    signal.addEventListener('abort', askToStop);
    worker.on('message', (message: ThreadMessage) => {
      switch (message.kind) {
        case 'progress':
          if (!signal.aborted) onProgress(message.progress);
          break;
        case 'report':
          reports.push(message.report);
          break;
        case 'done':
          settle = () => resolve(reports);
          break;
        case 'stopped':
          settle = () => reject(signal.reason);
          break;
        case 'refused':
          settle = () => reject(new StartError(message.code, message.message));
          break;
        case 'failed':
          settle = () => reject(new VerificationFailed(message.message));
          break;
      }
    });
    worker.on('error', (error) => {
      settle = () => reject(new VerificationFailed('the thread failed', { cause: error }));
    });
    // Not before the thread is gone: it holds the database open until then.
    worker.on('exit', () => {
      signal.removeEventListener('abort', askToStop);
      rm(scratch, { recursive: true, force: true }).then(() => settle(), reject);
    });
  });
}
