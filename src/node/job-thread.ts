import { type RequestOptions, RequestThread, type RequestThreadOptions } from './request-thread.ts';

export type JobThreadOptions<Progress, Refusal> = Pick<
  RequestThreadOptions<never, Refusal>,
  'url' | 'resourceLimits' | 'refused'
> &
  Pick<RequestOptions<Progress>, 'signal' | 'onProgress'>;

/**
 * Does one job on its own thread, which is gone when the promise is settled: it holds files open until then.
 * @throws what RequestThread.ask throws
 */
export async function runJobThread<Task, Result, Progress = never, Refusal = never>(
  task: Task,
  { signal, onProgress, ...options }: JobThreadOptions<Progress, Refusal>,
): Promise<Result> {
  const thread = new RequestThread<Task, Result, Progress, Refusal>(options);
  try {
    return await thread.ask(task, { signal, onProgress });
  } finally {
    await thread.end();
  }
}

export interface JobThreadsOptions<Task, Refusal> extends RequestThreadOptions<Task, Refusal> {
  /** How long a thread without a job is kept, in milliseconds. */
  readonly idleMs: number;
  /** What the heap of a thread may take that is kept, in bytes. */
  readonly keptBytes: number;
}

/**
 * Threads for jobs of one sort, any number at a time, each with one job. One thread is kept for the next job, since a thread loads its
 * code for longer than a small job takes: only one that has answered its job. Whatever a job that failed or was given up left open is
 * closed by the end of its thread, and so is given back what a large one left in memory.
 */
export class JobThreads<Task, Result, Progress = never, Refusal = never> {
  readonly #options: JobThreadsOptions<Task, Refusal>;
  #kept: RequestThread<Task, Result, Progress, Refusal> | null = null;
  #isClosed = false;

  constructor(options: JobThreadsOptions<Task, Refusal>) {
    this.#options = options;
  }

  /**
   * Does a job. Where it fails, its thread is gone when the promise is settled.
   * @throws what RequestThread.ask throws
   */
  async run(task: Task, means: RequestOptions<Progress> = {}): Promise<Result> {
    const thread = this.#kept ?? new RequestThread<Task, Result, Progress, Refusal>(this.#options);
    this.#kept = null;
    let isFit = false;
    try {
      const result = await thread.ask(task, means);
      isFit = (await thread.heldBytes()) <= this.#options.keptBytes;
      return result;
    } finally {
      if (isFit && this.#kept === null && !this.#isClosed) this.#kept = thread;
      else await thread.end();
    }
  }

  /** Ends the thread that is kept, and each other one with its job. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#kept?.end();
  }
}
