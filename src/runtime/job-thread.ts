import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads';

/** A job was ended on request. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

/** A job ended without a result for a reason that its caller is told, in a form of the job's own. */
export class JobRefused<Refusal> extends Error {
  override readonly name = 'JobRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('the job was refused');
    this.refusal = refusal;
  }
}

/** What the thread of a job is started with. */
interface JobData<Task> {
  readonly task: Task;
  /** Holds 1 once the job is to end: read between two steps, while no message would be. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

type JobMessage<Result, Progress, Refusal> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly message: string };

/** The other end of a thread's file: where it is (worker-url.ts), and what one job takes and tells. */
export interface JobThreadOptions<Progress> {
  readonly url: URL;
  readonly resourceLimits?: WorkerOptions['resourceLimits'];
  /** Asks the job to end. It is never ended from outside: a native database that is torn down takes the process with it. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Does one job on a thread of its own, which is gone when the promise is settled: it holds files open until then.
 * @throws JobStopped, JobRefused, or an Error with the stack of what the thread failed with
 */
export function runJobThread<Task, Result, Progress, Refusal>(
  task: Task,
  { url, resourceLimits, signal, onProgress }: JobThreadOptions<Progress>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new JobStopped());
      return;
    }
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const data: JobData<Task> = { task, stop };
    const worker = new Worker(url, { workerData: data, ...(resourceLimits && { resourceLimits }) });
    let settle = (): void => reject(new Error('the thread ended before its job was done'));
    const askToStop = (): void => void Atomics.store(stop, 0, 1);
    signal?.addEventListener('abort', askToStop);
    worker.on('message', (message: JobMessage<Result, Progress, Refusal>) => {
      if (message.kind === 'progress') onProgress?.(message.progress);
      else if (message.kind === 'done') settle = () => resolve(message.result);
      else if (message.kind === 'stopped') settle = () => reject(new JobStopped());
      else if (message.kind === 'refused') settle = () => reject(new JobRefused(message.refusal));
      else settle = () => reject(new Error(message.message));
    });
    worker.on('error', (error) => {
      settle = () => reject(new Error('the thread failed', { cause: error }));
    });
    worker.on('exit', () => {
      signal?.removeEventListener('abort', askToStop);
      settle();
    });
  });
}

/** What a job uses on its thread. */
export interface JobMeansOnThread<Progress> {
  /** Throws once the job is to end. */
  readonly signal: { throwIfAborted(): void };
  readonly tell: (progress: Progress) => void;
}

/**
 * Does the job that this thread was started for, and reports its result or its failure.
 * @param refusalOf what an error means to whoever asked for the job; undefined for one that is nobody's to know but the log's
 */
export async function serveJob<Task, Result, Progress, Refusal>(
  run: (task: Task, means: JobMeansOnThread<Progress>) => Promise<Result>,
  refusalOf: (error: unknown) => Refusal | undefined,
): Promise<void> {
  const { task, stop } = workerData as JobData<Task>;
  const say = (message: JobMessage<Result, Progress, Refusal>): void => parentPort?.postMessage(message);
  const signal = {
    throwIfAborted: () => {
      if (Atomics.load(stop, 0) !== 0) throw new JobStopped();
    },
  };
  try {
    const result = await run(task, { signal, tell: (progress) => say({ kind: 'progress', progress }) });
    say({ kind: 'done', result });
  } catch (error) {
    const refusal = refusalOf(error);
    if (error instanceof JobStopped) say({ kind: 'stopped' });
    else if (refusal !== undefined) say({ kind: 'refused', refusal });
    else say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
