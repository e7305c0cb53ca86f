import { JobThreads, type RequestOptions, workerUrl } from '../../node/index.ts';
import { CaseFileRefused } from '../../reports/case-file/light.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { CaseRefused } from './case-source.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from './job-messages.ts';

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it, and with 8 an import spent a sixth of its time on collecting it. */
const LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2048 };

/** A thread that loaded all that any job needs has some 60 MiB. */
const KEPT_BYTES = 96 * 1024 * 1024;

/** People do one thing after another with a case. */
const IDLE_MS = 5000;

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
    idleMs: IDLE_MS,
    keptBytes: KEPT_BYTES,
    refused: (refusal) => {
      if (refusal.of === 'case') return new CaseRefused(refusal.code, refusal.message);
      if (refusal.of === 'case-file') return new CaseFileRefused(refusal);
      return new ServiceError(refusal.code, refusal.message);
    },
  });

  /**
   * Does a task on a thread, beside others.
   * @returns what resultOf tells apart
   * @throws CaseRefused, CaseFileRefused where the file is at fault, ServiceError where the request is, RequestStopped, or what the
   *   thread failed with
   */
  run(task: JobTask, means: RequestOptions<JobProgress>): Promise<JobResult> {
    return this.#threads.run(task, means);
  }

  /** Once no job runs. */
  close(): Promise<void> {
    return this.#threads.close();
  }
}
