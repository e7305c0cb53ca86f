import { useCallback, useEffect, useRef, useState } from 'react';
import { USE_THREAD } from './texts.ts';
import type { ThreadReply } from './thread-reply.ts';

/** Work on a thread of this window: how far it is, and how it ended. */
export type Work<Progress, Result> =
  | { readonly state: 'idle' }
  | ({ readonly state: 'running' } & Progress)
  | ({ readonly state: 'done' } & Result)
  | { readonly state: 'unreadable'; readonly message: string };

/**
 * Works on files in a thread of this window; they go nowhere. The thread ends with its work, and with the screen.
 * @param begin makes the thread; the same function each time
 * @param atFirst how far it is before it says so; the same object each time
 */
export function useThread<Request, Progress, Result>(begin: () => Worker, atFirst: Progress) {
  const [work, setWork] = useState<Work<Progress, Result>>({ state: 'idle' });
  const worker = useRef<Worker | null>(null);
  const stop = useCallback(() => {
    worker.current?.terminate();
    worker.current = null;
    setWork({ state: 'idle' });
  }, []);
  useEffect(() => () => worker.current?.terminate(), []);
  const start = useCallback(
    (request: Request) => {
      worker.current?.terminate();
      const thread = begin();
      worker.current = thread;
      const end = (ended: Work<Progress, Result>): void => {
        thread.terminate();
        setWork(ended);
      };
      setWork({ state: 'running', ...atFirst });
      thread.onmessage = ({ data }: MessageEvent<ThreadReply<Progress, Result>>) => {
        if (data.kind === 'progress') setWork({ state: 'running', ...data.progress });
        else if (data.kind === 'done') end({ state: 'done', ...data.result });
        else end({ state: 'unreadable', message: data.message });
      };
      thread.onerror = () => end({ state: 'unreadable', message: USE_THREAD.failed });
      thread.postMessage(request);
    },
    [begin, atFirst],
  );
  return { work, start, stop };
}
