import { basename } from 'node:path';
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { type FromThread, RequestStopped, receivedError, type ToThread } from './thread-messages.ts';

/** Left to itself V8 lets each thread's young objects grow to three times as much. */
const USUAL_LIMITS = { maxYoungGenerationSizeMb: 16 };

/** Threads that did not end in their time. */
const left = new Set<Worker>();

/**
 * Ends this process at once where threads were left that do not end, once all else is closed: they only read, and hold nothing that
 * is lost with them.
 */
export function killIfLeft(): void {
  if (left.size > 0) process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends this process after this many milliseconds, whatever is still being closed then: what a crash leaves behind is what that leaves.
 * @param tell is called right before
 */
export function killAfter(ms: number, tell: () => void): void {
  const timer = setTimeout(() => {
    tell();
    process.kill(process.pid, 'SIGKILL');
  }, ms);
  timer.unref();
}

/** A thread ended before it had answered. The cause is what it failed with, and missing where it merely ended. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export interface RequestThreadOptions<Request, Refusal> {
  /** The thread's file (worker-url.ts), which calls serveRequests. */
  readonly url: URL;
  readonly workerData?: unknown;
  readonly resourceLimits?: WorkerOptions['resourceLimits'] | undefined;
  /** How long a thread that owes no answer stays, in milliseconds. Default: until `end`. */
  readonly idleMs?: number;
  /** Notices for each new thread, before its first request. */
  readonly firstNotices?: () => Iterable<Request>;
  /** The error for a request that the thread refused. */
  readonly refused?: ((refusal: Refusal) => Error) | undefined;
}

export interface RequestOptions<Progress> {
  /** What changes threads instead of being copied. */
  readonly transfer?: readonly Transferable[];
  /** Asks the thread to give the request up. It is never ended for that: a database torn down with it takes the process along. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A request whose answer has not come. */
interface Owed<Answer, Progress> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly stopListening: () => void;
}

/** A thread with the requests that it has not answered: when it ends, these fail and no others. */
interface Running<Answer, Progress> {
  readonly worker: Worker;
  readonly owed: Map<number, Owed<Answer, Progress>>;
  readonly ended: Promise<void>;
  isGone: boolean;
}

/**
 * A thread that answers requests one after the other. It is started by the first request, and again by the next one after
 * it ended. It keeps the process alive while it owes answers, and only then.
 */
export class RequestThread<Request, Answer, Progress = never, Refusal = never> {
  readonly #options: RequestThreadOptions<Request, Refusal>;
  #running: Running<Answer, Progress> | null = null;
  /** Kept once the latest thread is gone. */
  #ended: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: RequestThreadOptions<Request, Refusal>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** How many requests wait for their answer: whoever bounds them looks here. */
  get waiting(): number {
    return this.#running?.owed.size ?? 0;
  }

  /**
   * @throws RequestStopped, ThreadEnded, the error of `refused`, or a copy of what the thread failed with (message, stack,
   *   code and cause)
   */
  ask(request: Request, { transfer, signal, onProgress }: RequestOptions<Progress> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) throw new RequestStopped();
      clearTimeout(this.#idle);
      const { worker, owed } = this.#started();
      const id = ++this.#lastId;
      const stop = signal === undefined ? null : new Int32Array(new SharedArrayBuffer(4));
      this.#post(worker, { kind: 'request', id, request, stop }, transfer);
      const askToStop = (): void => {
        if (stop !== null) Atomics.store(stop, 0, 1);
      };
      signal?.addEventListener('abort', askToStop);
      const stopListening = (): void => signal?.removeEventListener('abort', askToStop);
      owed.set(id, { resolve, reject, onProgress, stopListening });
      worker.ref();
    });
  }

  /** Gives the thread that runs, if one does, something that it does not answer. */
  tell(notice: Request): void {
    if (this.#running !== null) this.#post(this.#running.worker, { kind: 'notice', request: notice });
  }

  #post(worker: Worker, message: ToThread<Request>, transfer: readonly Transferable[] = []): void {
    worker.postMessage(message, transfer);
  }

  #started(): Running<Answer, Progress> {
    if (this.#running !== null) return this.#running;
    const { url, workerData, resourceLimits, firstNotices } = this.#options;
    const worker = new Worker(url, { workerData, resourceLimits: { ...USUAL_LIMITS, ...resourceLimits } });
    const { promise: ended, resolve: noteEnd } = Promise.withResolvers<void>();
    const running: Running<Answer, Progress> = { worker, owed: new Map(), ended, isGone: false };
    let failure: { readonly cause: unknown } | undefined;
    worker.on('message', (message: FromThread<Answer, Progress, Refusal>) => this.#take(running, message));
    worker.on('error', (cause) => {
      failure = { cause };
      this.#forget(running);
    });
    worker.on('exit', () => {
      this.#forget(running);
      const what = failure === undefined ? 'ended before it had answered' : 'failed';
      for (const { reject, stopListening } of running.owed.values()) {
        stopListening();
        reject(new ThreadEnded(`the thread ${basename(url.pathname)} ${what}`, failure));
      }
      running.owed.clear();
      running.isGone = true;
      noteEnd();
    });
    worker.unref();
    this.#running = running;
    this.#ended = ended;
    for (const request of firstNotices?.() ?? []) this.#post(worker, { kind: 'notice', request });
    return running;
  }

  #forget(running: Running<Answer, Progress>): void {
    if (this.#running === running) this.#running = null;
  }

  #take(running: Running<Answer, Progress>, message: FromThread<Answer, Progress, Refusal>): void {
    const { worker, owed } = running;
    const one = owed.get(message.id);
    if (one === undefined) return;
    if (message.kind === 'progress') {
      one.onProgress?.(message.progress);
      return;
    }
    owed.delete(message.id);
    one.stopListening();
    // One that is to end keeps the process until it has.
    if (owed.size === 0 && running === this.#running) {
      worker.unref();
      const { idleMs } = this.#options;
      if (idleMs !== undefined) {
        this.#idle = setTimeout(() => void this.end(), idleMs).unref();
      }
    }
    if (message.kind === 'answer') one.resolve(message.answer);
    else if (message.kind === 'stopped') one.reject(new RequestStopped());
    else if (message.kind === 'failed') one.reject(receivedError(message.error));
    else one.reject(this.#options.refused?.(message.refusal) ?? new Error('the thread refused the request'));
  }

  /** What the heap of this thread takes, in bytes, with what it refers to outside; 0 where none runs, infinite where that is not known. */
  async heldBytes(): Promise<number> {
    const running = this.#running;
    if (running === null) return 0;
    const { worker, owed } = running;
    // The process must not end before it has answered this too.
    worker.ref();
    try {
      const { total_heap_size: heap, external_memory: outside } = await worker.getHeapStatistics();
      return heap + outside;
    } catch {
      // It ends just now.
      return Number.POSITIVE_INFINITY;
    } finally {
      if (owed.size === 0 && running === this.#running) worker.unref();
    }
  }

  /** Has the thread end once it has answered all requests, and closed what it holds open. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    if (running !== null) {
      this.#running = null;
      running.worker.ref();
      this.#post(running.worker, { kind: 'end' });
    }
    await this.#ended;
  }

  /**
   * The same for a thread that only reads, and may be within a call that nothing ends, such as one of SQLite: after this many
   * milliseconds it is left where it is. Then the process has to be killed (`killIfLeft`): every other way to end it waits for its threads.
   */
  async endWithin(ms: number): Promise<void> {
    const running = this.#running;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.resolve(), ms);
    await Promise.race([this.end(), late.promise]);
    clearTimeout(timer);
    if (running === null || running.isGone) return;
    running.worker.unref();
    left.add(running.worker);
    void running.ended.then(() => left.delete(running.worker));
  }

  /** Ends the thread at once; not for one with a database open. What it owes fails with ThreadEnded. */
  async terminate(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = null;
    await running?.worker.terminate();
    await this.#ended;
  }
}
