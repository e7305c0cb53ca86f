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

/** How long a thread without a job is kept, in milliseconds. */
const KEPT_MS = 5000;

/** What a thread may hold and be kept, in bytes: loaded code is some 30 MiB of it. */
const KEPT_BYTES = 96 * 1024 * 1024;

/**
 * Threads for jobs of one sort, any number at a time, each with one job. One thread is kept for the next job for some seconds, since
 * a thread loads its code for longer than a small job takes. Only one whose job has been answered: whatever a job that failed or was
 * given up left open is closed by the thread's end, and so is what a large one left in memory.
 */
export class JobThreads<Task, Result, Progress = never, Refusal = never> {
  readonly #options: RequestThreadOptions<Task, Refusal>;
  #kept: RequestThread<Task, Result, Progress, Refusal> | null = null;
  #isClosed = false;

  constructor(options: Omit<RequestThreadOptions<Task, Refusal>, 'idleMs'>) {
    this.#options = { ...options, idleMs: KEPT_MS };
  }

  /**
   * Does a job. Its files are closed when the promise is settled.
   * @throws what RequestThread.ask throws
   */
  async run(task: Task, means: RequestOptions<Progress>): Promise<Result> {
    const thread = this.#kept ?? new RequestThread<Task, Result, Progress, Refusal>(this.#options);
    this.#kept = null;
    let isFit = false;
    try {
      const result = await thread.ask(task, means);
      isFit = (await thread.heldBytes()) < KEPT_BYTES;
      return result;
    } finally {
      if (isFit && this.#kept === null && !this.#isClosed) this.#kept = thread;
      else await thread.end();
    }
  }

  /** Ends the thread that is kept. Those that have a job end with it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#kept?.end();
  }
}
