export interface DelayOptions {
  /** Attempts that are not delayed. */
  readonly free: number;
  /** The longest wait between two attempts, in milliseconds. The first is a second, and each further one twice as long. */
  readonly mostMs: number;
}

/** When a name that was not tried meanwhile is forgotten, in milliseconds. */
const FORGET_MS = 900_000;

const FIRST_MS = 1000;

/** Names that are kept; beyond these the one that was tried least recently goes. */
const MAX_NAMES = 10_000;

interface Tried {
  readonly count: number;
  readonly at: number;
  readonly nextAt: number;
}

/** Attempts that have to wait for one another longer and longer, instead of being locked out. */
export class GrowingDelay {
  readonly #options: DelayOptions;
  /** In the order in which they were tried last. */
  readonly #tried = new Map<string, Tried>();

  constructor(options: DelayOptions) {
    this.#options = options;
  }

  /**
   * Counts an attempt that may be made now, before it is known how it ends: many at once count too.
   * @param now milliseconds
   * @returns 0, or how long to wait before the next attempt, in milliseconds
   */
  attempt(name: string, now: number): number {
    const before = this.#tried.get(name);
    const known = before !== undefined && now - before.at < FORGET_MS ? before : null;
    if (known !== null && now < known.nextAt) return known.nextAt - now;
    const count = (known?.count ?? 0) + 1;
    const { free, mostMs } = this.#options;
    const delay = count < free ? 0 : Math.min(mostMs, FIRST_MS * 2 ** Math.min(count - free, 30));
    this.#tried.delete(name);
    if (this.#tried.size >= MAX_NAMES) {
      const [oldest] = this.#tried.keys();
      if (oldest !== undefined) this.#tried.delete(oldest);
    }
    this.#tried.set(name, { count, at: now, nextAt: now + delay });
    return 0;
  }

  forget(name: string): void {
    this.#tried.delete(name);
  }
}
