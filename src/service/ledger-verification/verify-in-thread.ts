import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../host/index.ts';
import type { VerificationReport } from '../../protocol/index.ts';
import { StartError } from '../errors.ts';
import type { LedgerProgress, ThreadMessage, VerificationTask } from './thread-messages.ts';

/** A verification that ended without a report, through no fault of the ledger's. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
}

export interface ThreadOptions {
  readonly onProgress: (progress: LedgerProgress) => void;
  /** Ends the thread; the promise then fails with the signal's reason. */
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
  given: Omit<VerificationTask, 'scratch'>,
  { onProgress, signal }: ThreadOptions,
): Promise<VerificationReport[]> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const scratch = join(tmpdir(), `countersign-verify-${randomUUID()}`);
    const task: VerificationTask = { ...given, scratch };
    const worker = new Worker(workerUrl(import.meta.url, 'ledger-worker'), {
      workerData: task,
      resourceLimits: RESOURCE_LIMITS,
    });
    const reports: VerificationReport[] = [];
    const stop = (): void => end(() => reject(signal.reason));
    let ended = false;
    // Not before the thread is gone: it holds the database open until then.
    const end = (settle: () => void): void => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', stop);
      worker
        .terminate()
        .then(() => rm(scratch, { recursive: true, force: true }))
        .then(settle, settle);
    };
    signal.addEventListener('abort', stop);
    worker.on('message', (message: ThreadMessage) => {
      if (ended) return;
      switch (message.kind) {
        case 'progress':
          onProgress(message.progress);
          break;
        case 'report':
          reports.push(message.report);
          break;
        case 'done':
          end(() => resolve(reports));
          break;
        case 'refused':
          end(() => reject(new StartError(message.code, message.message)));
          break;
        case 'failed':
          end(() => reject(new VerificationFailed(message.message)));
          break;
      }
    });
    worker.on('error', (error) => end(() => reject(new VerificationFailed('the thread failed', { cause: error }))));
    worker.on('exit', () => end(() => reject(new VerificationFailed('the thread ended before it was done'))));
  });
}
