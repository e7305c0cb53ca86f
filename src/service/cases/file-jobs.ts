import { CaseFileRefused } from '../../reports/case-file/light.ts';
import type { Jobs, JobsOfKind } from '../jobs/jobs.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { CaseRefused } from './case-source.ts';
import type { JobResult, JobTask } from './job-messages.ts';
import type { CaseThreads } from './job-thread.ts';
import { keyOf, type Owner } from './scope.ts';

/** Files of one owner that are not made yet: whoever asks for more at a time does not wait for their answers. */
const MAX_WAITING = 16;

interface FileWork {
  readonly owner: Owner;
  /** null where it is of no case. */
  readonly caseId: string | null;
  readonly task: JobTask;
}

export type FileJobs = JobsOfKind<FileWork, JobResult, never>;

/** Jobs that make a file, or read one, for a request that waits. They have a lane of their own: none waits for the import of a case. */
export function fileJobsOf(jobs: Jobs, threads: CaseThreads, lane: string): FileJobs {
  return jobs.of<FileWork, JobResult>({
    lane,
    guestsApart: true,
    ownerOf: ({ owner }) => keyOf(owner),
    about: ({ caseId }) => (caseId === null ? [] : [caseId]),
    bound: {
      most: MAX_WAITING,
      refusal: () => new ServiceError('OVERLOADED', `${MAX_WAITING} files for you are being made: try again`, {}, 5),
    },
    run: ({ task }, { signal }) => threads.run(task, { signal }),
  });
}

/** Answers a request whose file is at fault. @throws ServiceError, or an error that says something else as it is */
export function refuseFile(error: unknown): never {
  if (error instanceof CaseFileRefused)
    throw new ServiceError('CASE_FILE_REFUSED', error.message, { finding: error.code });
  if (!(error instanceof CaseRefused)) throw error;
  throw new ServiceError(error.code === 'STORAGE_FULL' ? 'STORAGE_FULL' : 'CONFLICT', error.message);
}
