import { type CryptoPool, CryptoPoolError, cryptoPool, nodeCrypto } from '../../node/index.ts';
import type { HostCrypto, SignatureCheck } from '../../protocol/index.ts';

/** Fewer are checked at once: they take some milliseconds. */
const MANY = 64;
/** How long the thread is kept when nothing comes, in milliseconds: it has some megabytes. */
const QUIET_MS = 10_000;

/**
 * Checks the signatures of many receipts on a thread, so that they do not hold up what hooks wait for. The thread runs as long as many
 * come.
 */
export class SignatureChecks implements HostCrypto {
  readonly sha256 = nodeCrypto.sha256;
  #pool: CryptoPool | null = null;
  #underWay = 0;
  #quiet: NodeJS.Timeout | undefined;

  verifyEquations(checks: readonly SignatureCheck[]): readonly boolean[] | Promise<readonly boolean[]> {
    return checks.length < MANY ? nodeCrypto.verifyEquations(checks) : this.#onThread(checks);
  }

  async #onThread(checks: readonly SignatureCheck[]): Promise<readonly boolean[]> {
    clearTimeout(this.#quiet);
    this.#underWay++;
    this.#pool ??= cryptoPool({ threads: 1, inlineBelow: MANY });
    const pool = this.#pool;
    try {
      return await pool.verifyEquations(checks);
    } catch (error) {
      if (!(error instanceof CryptoPoolError)) throw error;
      // Nothing is known of them. The next ones get a new thread.
      if (this.#pool === pool) this.#pool = null;
      return nodeCrypto.verifyEquations(checks);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) this.#quiet = setTimeout(() => void this.close(), QUIET_MS).unref();
    }
  }

  /** Ends the thread; whatever comes later starts one again. */
  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    const pool = this.#pool;
    this.#pool = null;
    await pool?.close();
  }
}
