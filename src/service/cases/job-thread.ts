import { JobRefused, runJobThread, workerUrl } from '../../runtime/index.ts';
import { CaseRefused } from './case-source.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from './job-messages.ts';

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 2048 };

/**
 * Runs a job of the case room on a thread of its own.
 * @throws CaseRefused where the file is at fault, JobStopped, or what the thread failed with
 */
export async function runJob(
  task: JobTask,
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => undefined,
): Promise<JobResult> {
  const url = workerUrl(import.meta.url, 'case-job-worker');
  try {
    return await runJobThread<JobTask, JobResult, JobProgress, JobRefusal>(task, {
      ...{ url, resourceLimits: RESOURCE_LIMITS },
      ...{ signal, onProgress },
    });
  } catch (error) {
    if (!(error instanceof JobRefused)) throw error;
    const { code, message } = error.refusal as JobRefusal;
    throw new CaseRefused(code, message);
  }
}
