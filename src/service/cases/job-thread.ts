import { JobThreads, type RequestOptions, workerUrl } from '../../runtime/index.ts';
import { ServiceError } from '../base/service-error.ts';
import { CaseRefused, RecordsRefused, SignatureRefused } from './case-source.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from './job-messages.ts';
import { CaseChanged, CaseFileRefused } from './sealed/case-file-error.ts';

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 2048 };

type ResultOf<Kind extends JobResult['kind']> = Extract<JobResult, { readonly kind: Kind }>;

export function resultOf<Kind extends JobResult['kind']>(done: JobResult, kind: Kind): ResultOf<Kind> {
  const isOfKind = (result: JobResult): result is ResultOf<Kind> => result.kind === kind;
  if (isOfKind(done)) return done;
  throw new Error(`the thread of a job answered '${done.kind}' and not '${kind}'`);
}

/** The threads of the case room's jobs. */
export class CaseThreads {
  readonly #threads = new JobThreads<JobTask, JobResult, JobProgress, JobRefusal>({
    url: workerUrl(import.meta.url, 'case-job-worker'),
    resourceLimits: LIMITS,
    refused: ({ code, message, finding, service }) => {
      if (code === 'RECORDS_REFUSED') return new RecordsRefused(message);
      if (code === 'INVALID_SIGNATURE') return new SignatureRefused(message);
      if (code === 'CASE_CHANGED') return new CaseChanged(message);
      if (code === 'CASE_FILE_REFUSED') return new CaseFileRefused({ code: finding ?? 'NOT_A_CASE_FILE', message });
      if (code === 'SERVICE_REFUSED') return new ServiceError(service ?? 'INTERNAL_ERROR', message);
      return new CaseRefused(code, message);
    },
  });

  /**
   * Does a task on a thread, beside others.
   * @returns what resultOf tells apart
   * @throws CaseRefused, CaseFileRefused where the file is at fault, RecordsRefused where the chosen records are,
   * SignatureRefused where the examiner's signature is, CaseChanged, ServiceError, RequestStopped, or what the thread failed with
   */
  run(task: JobTask, means: RequestOptions<JobProgress>): Promise<JobResult> {
    return this.#threads.run(task, means);
  }

  /** Once no job runs. */
  close(): Promise<void> {
    return this.#threads.close();
  }
}
