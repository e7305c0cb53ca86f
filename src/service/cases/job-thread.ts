import { runJobThread, workerUrl } from '../../runtime/index.ts';
import { CaseRefused, RecordsRefused } from './case-source.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from './job-messages.ts';

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 2048 };

/**
 * Runs a job of the case room on its own thread.
 * @throws CaseRefused where the file is at fault, RecordsRefused where the chosen records are, RequestStopped, or what the thread failed with
 */
export function runJob(
  task: JobTask,
  signal: AbortSignal,
  onProgress?: (progress: JobProgress) => void,
): Promise<JobResult> {
  return runJobThread<JobTask, JobResult, JobProgress, JobRefusal>(task, {
    url: workerUrl(import.meta.url, 'case-job-worker'),
    resourceLimits: LIMITS,
    refused: ({ code, message }) =>
      code === 'RECORDS_REFUSED' ? new RecordsRefused(message) : new CaseRefused(code, message),
    signal,
    onProgress,
  });
}
