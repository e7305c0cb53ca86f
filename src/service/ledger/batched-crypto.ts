import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CryptoPool, CryptoPoolError, cryptoPool, nodeCrypto } from '../../host/index.ts';
import type { HostCrypto, SignatureCheck } from '../../protocol/index.ts';

/** Fewer signatures than these are checked on the spot: handing them to a thread would cost as much. */
const INLINE_BELOW = 6;

/**
 * So many signatures go to a thread at once, while this one still reads what else has arrived: so the threads check one part
 * while the next is read and the one before is committed. All in one piece, each would wait for the other.
 */
const CHUNK = 32;

/** The threads take all: this one has the rest to do. */
const POOL_OPTIONS = { inlineBelow: INLINE_BELOW, queued: Number.POSITIVE_INFINITY };

interface Waiting {
  readonly checks: readonly SignatureCheck[];
  readonly resolve: (answers: boolean[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Native crypto for many small questions at once: what is asked in one turn of the event loop goes to worker threads
 * together, CHUNK at a time. An idle service answers at once.
 */
export class BatchedCrypto implements HostCrypto {
  readonly sha256 = nodeCrypto.sha256;
  readonly #onError: (error: unknown) => void;
  #pool: CryptoPool = cryptoPool(POOL_OPTIONS);
  #waiting: Waiting[] = [];
  #flushComes = false;
  #closed = false;

  /** @param onError told of a thread that died; the signatures it had are checked all the same */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  verifyEquations(checks: readonly SignatureCheck[]): Promise<boolean[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ checks, resolve, reject });
      if (this.#waiting.length === CHUNK) this.#flush();
      else if (!this.#flushComes) {
        this.#flushComes = true;
        void nextTurn().then(() => {
          this.#flushComes = false;
          this.#flush();
        });
      }
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) void this.#answer(waiting);
  }

  async #answer(waiting: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#verify(waiting.flatMap(({ checks }) => checks));
      let from = 0;
      for (const { checks, resolve } of waiting) {
        resolve(answers.slice(from, from + checks.length));
        from += checks.length;
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  async #verify(checks: readonly SignatureCheck[]): Promise<readonly boolean[]> {
    const pool = this.#pool;
    try {
      return await pool.verifyEquations(checks);
    } catch (error) {
      if (!(error instanceof CryptoPoolError)) throw error;
      if (!this.#closed && this.#pool === pool) {
        this.#onError(error);
        this.#pool = cryptoPool(POOL_OPTIONS);
        // Its other threads, where there are any, would stay.
        pool.close().catch(this.#onError);
      }
      // No answer was given: the same question has the same answer here.
      return nodeCrypto.verifyEquations(checks);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.close();
  }
}
