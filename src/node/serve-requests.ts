import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { IdleMemory } from './idle-memory.ts';
import { Serial } from './serial.ts';
import { type FromThread, RequestStopped, sentError, type ToThread } from './thread-messages.ts';

/** Whether a request is to be given up: asked between two steps of it. */
export interface StopSignal {
  readonly aborted: boolean;
  /** @throws RequestStopped */
  throwIfAborted(): void;
}

/** What a request uses on its thread. */
export interface RequestMeans<Progress> {
  readonly signal: StopSignal;
  readonly tell: (progress: Progress) => void;
}

/** How often it is looked at whether a request is to be given up, in milliseconds. */
const LOOK_MS = 100;

/** Runs what depends on somebody else, and is given up with the request. @throws RequestStopped; what `run` throws */
export async function untilStopped<T>(signal: StopSignal, run: (abort: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const look = setInterval(() => {
    if (signal.aborted) stop.abort();
  }, LOOK_MS);
  try {
    return await run(stop.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(look);
  }
}

export interface ServeOptions<Request, Refusal> {
  /** What an error means to whoever asked; undefined for an error that only the log is to have. */
  readonly refusalOf?: (error: unknown) => Refusal | undefined;
  /** Requests that are begun in their turn and hold up none behind them: those that take long, and pause for the others. */
  readonly isAside?: (request: Request) => boolean;
  /** Closes what the thread holds open, before it ends. */
  readonly onEnd?: () => void;
}

/**
 * Serves a RequestThread from the file of its thread: answers one request after the other, in the order they came, but for those
 * that are put aside.
 * @param handle takes a request, or a notice, whose result goes nowhere and whose failure ends the thread
 */
export function serveRequests<Request, Answer, Progress = never, Refusal = never>(
  handle: (request: Request, means: RequestMeans<Progress>) => Answer | Promise<Answer>,
  { refusalOf, isAside, onEnd }: ServeOptions<Request, Refusal> = {},
): void {
  const port = parentPort;
  if (port === null) throw new Error('this file is the code of a thread');
  const say = (message: FromThread<Answer, Progress, Refusal>): void => port.postMessage(message);

  const take = async (message: ToThread<Request>): Promise<void> => {
    if (message.kind === 'end') {
      await Promise.all(aside);
      onEnd?.();
      port.close();
      return;
    }
    const { id, stop } = message.kind === 'request' ? message : { id: 0, stop: null };
    const signal: StopSignal = {
      get aborted() {
        return stop !== null && Atomics.load(stop, 0) !== 0;
      },
      throwIfAborted: () => {
        if (signal.aborted) throw new RequestStopped();
      },
    };
    try {
      signal.throwIfAborted();
      const answer = await handle(message.request, {
        signal,
        tell: (progress) => say({ kind: 'progress', id, progress }),
      });
      if (message.kind === 'request') say({ kind: 'answer', id, answer });
    } catch (error) {
      if (message.kind === 'notice') throw error;
      const refusal = refusalOf?.(error);
      if (error instanceof RequestStopped) say({ kind: 'stopped', id });
      else if (refusal !== undefined) say({ kind: 'refused', id, refusal });
      else say({ kind: 'failed', id, error: sentError(error) });
    }
  };

  // Kept now: a process that is killed keeps nothing at its end, and the next compiles all of it again.
  flushCompileCache();
  const serial = new Serial();
  const memory = new IdleMemory();
  const aside = new Set<Promise<void>>();
  const begin = (message: ToThread<Request>): Promise<void> | undefined => {
    const taken = take(message);
    if (message.kind !== 'request' || isAside?.(message.request) !== true) return taken;
    // What a request fails with is its answer.
    const ended = taken.finally(() => aside.delete(ended));
    aside.add(ended);
    return undefined;
  };
  port.on('message', (message: ToThread<Request>) => {
    serial
      .run(() => begin(message))
      .then(() => memory.busy())
      .catch((error: unknown) => {
        throw error;
      });
  });
}
