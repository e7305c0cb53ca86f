import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { HostCrypto, SignatureCheck } from '../protocol/index.ts';
import { nodeCrypto } from './node-crypto.ts';
import { packChecks } from './packed-checks.ts';
import { workerUrl } from './worker-url.ts';

/** A host crypto whose threads run until it is closed. */
export interface CryptoPool extends HostCrypto {
  /** How many threads check signatures. */
  readonly threads: number;
  /** Ends the threads. What they had not answered yet fails with CryptoPoolError. */
  close(): Promise<void>;
}

/** A thread ended before it had answered: nothing is known of the signatures it had. */
export class CryptoPoolError extends Error {
  override readonly name = 'CryptoPoolError';
}

export interface CryptoPoolOptions {
  /** Default: one for each core but the caller's, and at least one. */
  readonly threads?: number;
  /** Batches with fewer checks than this are done at once by the caller's own thread. */
  readonly inlineBelow?: number;
  /** How many batches may wait for a thread; where all have so many, the caller does the next one itself. */
  readonly queued?: number;
}

interface Task {
  readonly count: number;
  readonly resolve: (answers: boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/** One thread with what it was given and whose answer has not been taken, oldest first: it answers in order. */
interface Thread {
  readonly worker: Worker;
  readonly tasks: Task[];
  /** How many tasks it has before it; it counts them down itself, for its answers are taken only when the event loop comes round. */
  readonly load: Int32Array;
}

function loadOf({ load }: Thread): number {
  return Atomics.load(load, 0);
}

/** A thread holds one batch at a time; without limits its garbage grows to a hundred times that before it is collected. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** Enough that a thread has work while the caller checks a batch itself. */
const QUEUED = 3;

/** Below some ten milliseconds of work a thread is not worth starting. */
const INLINE_BELOW = 192;

/**
 * node:crypto on worker threads: each batch goes whole to the thread with the least to do, so several batches must be
 * under way to use several cores. The caller is one more thread: where all have enough to do it checks a batch itself,
 * which blocks it for some tens of milliseconds. Threads are started when first needed. One that ends, however it came to that, fails
 * the whole pool: every answer still owed and every later batch ends in a CryptoPoolError, never in an answer.
 */
export function cryptoPool({
  threads = Math.max(1, availableParallelism() - 1),
  inlineBelow = INLINE_BELOW,
  queued = QUEUED,
}: CryptoPoolOptions = {}): CryptoPool {
  const running: Thread[] = [];
  let failure: CryptoPoolError | null = null;

  const fail = (error: CryptoPoolError): void => {
    failure ??= error;
    for (const { tasks } of running) for (const { reject } of tasks.splice(0)) reject(failure);
  };

  const start = (): Thread => {
    const load = new Int32Array(new SharedArrayBuffer(4));
    const options = { workerData: load, resourceLimits: WORKER_LIMITS };
    const worker = new Worker(workerUrl(import.meta.url, 'equation-worker'), options);
    const thread: Thread = { worker, tasks: [], load };
    worker.on('message', (answers: Uint8Array) => {
      const task = thread.tasks.shift();
      if (task === undefined || answers.length !== task.count) {
        task?.reject(new CryptoPoolError('a thread gave another number of answers than it was asked for'));
        fail(new CryptoPoolError('a thread gave another number of answers than it was asked for'));
        return;
      }
      if (thread.tasks.length === 0) worker.unref();
      task.resolve(Array.from(answers, (answer) => answer === 1));
    });
    worker.on('error', (error) => fail(new CryptoPoolError('a thread failed', { cause: error })));
    worker.on('exit', () => fail(new CryptoPoolError('a thread ended')));
    running.push(thread);
    return thread;
  };

  const leastBusy = (): Thread => {
    if (running.length < threads && running.every((thread) => loadOf(thread) > 0)) return start();
    return running.reduce((least, thread) => (loadOf(thread) < loadOf(least) ? thread : least));
  };

  return {
    threads,
    sha256: nodeCrypto.sha256,
    // Twice what the threads can have before them: so many more may be done and wait to be taken.
    batchesUnderWay: 2 * threads * queued + 1,
    verifyEquations(checks: readonly SignatureCheck[]) {
      if (failure !== null) return Promise.reject(failure);
      if (checks.length < inlineBelow) return nodeCrypto.verifyEquations(checks);
      const thread = leastBusy();
      if (loadOf(thread) >= queued) return nodeCrypto.verifyEquations(checks);
      return new Promise<boolean[]>((resolve, reject) => {
        const buffer = packChecks(checks);
        thread.tasks.push({ count: checks.length, resolve, reject });
        Atomics.add(thread.load, 0, 1);
        // Keeps the process alive while answers are owed, and only then.
        thread.worker.ref();
        thread.worker.postMessage(buffer, [buffer]);
      });
    },
    async close() {
      fail(new CryptoPoolError('the pool was closed'));
      await Promise.all(running.map(({ worker }) => worker.terminate()));
    },
  };
}
