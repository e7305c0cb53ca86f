import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../runtime/index.ts';
import { CaseRefused } from './case-source.ts';
import type { JobMessage, JobProgress, JobTask, JobThreadData } from './job-messages.ts';

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 2048 };

/** The messages that a job may end with. */
type Result = Extract<JobMessage, { readonly kind: 'verified' | 'compared' | 'written' }>;

/** A job was ended on request. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

/**
 * Runs a job on a thread of its own.
 * @throws CaseRefused where the file is at fault, JobStopped, or what the thread failed with
 */
export function runJob(
  task: JobTask,
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new JobStopped());
      return;
    }
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const data: JobThreadData = { task, stop };
    const worker = new Worker(workerUrl(import.meta.url, 'case-job-worker'), {
      workerData: data,
      resourceLimits: RESOURCE_LIMITS,
    });
    let settle = (): void => reject(new Error('the thread of a case ended before it was done'));
    const askToStop = (): void => void Atomics.store(stop, 0, 1);
    signal.addEventListener('abort', askToStop);
    worker.on('message', (message: JobMessage) => {
      switch (message.kind) {
        case 'progress':
          onProgress(message.progress);
          break;
        case 'stopped':
          settle = () => reject(new JobStopped());
          break;
        case 'refused':
          settle = () => reject(new CaseRefused(message.code, message.message));
          break;
        case 'failed':
          settle = () => reject(new Error(message.message));
          break;
        default:
          settle = () => resolve(message);
      }
    });
    worker.on('error', (error) => {
      settle = () => reject(new Error('the thread of a case failed', { cause: error }));
    });
    // Not before the thread is gone: it holds files open until then.
    worker.on('exit', () => {
      signal.removeEventListener('abort', askToStop);
      settle();
    });
  });
}
