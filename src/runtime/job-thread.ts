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
