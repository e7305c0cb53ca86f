import { availableParallelism } from 'node:os';
import type { HostCrypto, SignatureCheck } from '../protocol/index.ts';
import { nodeCrypto } from './node-crypto.ts';
import { packChecks } from './packed-checks.ts';
import { RequestThread } from './request-thread.ts';
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
  /** How many batches may wait for a thread; where all have this many, the caller does the next one itself. */
  readonly queued?: number;
}

/** A thread, and how many batches it has before it. */
interface Member {
  readonly thread: RequestThread<ArrayBuffer, Uint8Array>;
  /** Shared memory that the thread counts down itself: its answers are taken only when the event loop comes round. */
  readonly load: Int32Array;
}

function loadOf({ load }: Member): number {
  return Atomics.load(load, 0);
}

/** A thread holds one batch at a time; without limits its garbage grows to a hundred times that before it is collected. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** Enough that a thread has work while the caller checks a batch itself. */
const QUEUED = 3;

/** Below some ten milliseconds of work a thread is not worth starting. */
const INLINE_BELOW = 192;

/**
 * node:crypto on worker threads: each batch goes whole to the thread with the least to do, so several batches must be
 * under way to use several cores. The caller is one more thread: where all have enough to do it checks a batch itself,
 * which blocks it for some tens of milliseconds. Threads are started when first needed. One that ends over a batch, however it
 * came to that, fails the whole pool: every answer still owed and every later batch ends in a CryptoPoolError, never in an
 * answer.
 */
export function cryptoPool({
  threads = Math.max(1, availableParallelism() - 1),
  inlineBelow = INLINE_BELOW,
  queued = QUEUED,
}: CryptoPoolOptions = {}): CryptoPool {
  const running: Member[] = [];
  let failure: CryptoPoolError | null = null;

  const end = async (error: CryptoPoolError): Promise<void> => {
    failure ??= error;
    await Promise.all(running.map(({ thread }) => thread.terminate()));
  };

  const start = (): Member => {
    const load = new Int32Array(new SharedArrayBuffer(4));
    const url = workerUrl(import.meta.url, 'equation-worker');
    const member = {
      thread: new RequestThread<ArrayBuffer, Uint8Array>({ url, workerData: load, resourceLimits: LIMITS }),
      load,
    };
    running.push(member);
    return member;
  };

  const leastBusy = (): Member => {
    if (running.length < threads && running.every((member) => loadOf(member) > 0)) return start();
    return running.reduce((least, member) => (loadOf(member) < loadOf(least) ? member : least));
  };

  const ask = async ({ thread, load }: Member, checks: readonly SignatureCheck[]): Promise<boolean[]> => {
    const buffer = packChecks(checks);
    Atomics.add(load, 0, 1);
    try {
      const answers = await thread.ask(buffer, { transfer: [buffer] });
      if (failure !== null) throw failure;
      if (answers.length !== checks.length) throw new Error('it gave another number of answers than it was asked for');
      return Array.from(answers, (answer) => answer === 1);
    } catch (error) {
      void end(new CryptoPoolError('a thread failed', { cause: error }));
      throw failure ?? error;
    }
  };

  return {
    threads,
    sha256: nodeCrypto.sha256,
    // Twice what the threads can have before them: that many more may be done and not yet collected.
    batchesUnderWay: 2 * threads * queued + 1,
    verifyEquations(checks: readonly SignatureCheck[]) {
      if (failure !== null) return Promise.reject(failure);
      if (checks.length < inlineBelow) return nodeCrypto.verifyEquations(checks);
      const member = leastBusy();
      return loadOf(member) >= queued ? nodeCrypto.verifyEquations(checks) : ask(member, checks);
    },
    close: () => end(new CryptoPoolError('the pool was closed')),
  };
}
