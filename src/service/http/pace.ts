import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../store/base/service-error.ts';

/** Requests of one owner that are taken as they come, before its pace counts. */
const AT_ONCE = 20;

/** The time between two requests of an owner after that, in milliseconds. */
const GAP_MS = 50;

/** So long a request waits at most, in milliseconds: what would wait longer is refused. */
const PATIENCE_MS = 3000;

export interface PaceOptions {
  readonly atOnce?: number;
  readonly gapMs?: number;
  readonly patienceMs?: number;
}

/**
 * Spaces out what an owner asks for, so that whoever makes all that an account can make, each with a separate commit, leaves
 * everybody else their share of the disk and the processor. Some twenty are taken at once, as people and programs need them;
 * what comes faster than that for long waits its turn. The generic cell rate algorithm (ITU-T I.371, Annex A): one number for
 * each owner, the time at which its requests so far would have been made one after the other. The queue of rate-limiter-flexible
 * lets all of a window through at its beginning instead: each window would hold everybody up.
 */
export class Pace {
  readonly #atOnce: number;
  readonly #gapMs: number;
  readonly #patienceMs: number;
  /** By owner, on the clock of performance.now(); none that has passed by a whole burst. */
  readonly #spent = new Map<string, number>();

  constructor({ atOnce = AT_ONCE, gapMs = GAP_MS, patienceMs = PATIENCE_MS }: PaceOptions = {}) {
    this.#atOnce = atOnce;
    this.#gapMs = gapMs;
    this.#patienceMs = patienceMs;
  }

  /**
   * Waits until it is the turn of an owner's next request.
   * @throws ServiceError RATE_LIMITED where too many of the owner's wait already
   */
  async turn(owner: string): Promise<void> {
    const wait = this.#take(owner);
    if (wait > this.#patienceMs) {
      const seconds = Math.ceil(wait / 1000);
      throw new ServiceError('RATE_LIMITED', `too many changes: wait ${seconds} s`, {}, seconds);
    }
    if (wait > 0) await sleep(wait);
  }

  /** Waits until it is the turn of an owner's next request, or as long as one waits at most. */
  async slowDown(owner: string): Promise<void> {
    const wait = Math.min(this.#take(owner), this.#patienceMs);
    if (wait > 0) await sleep(wait);
  }

  /** Counts a request, but for one that would wait too long. @returns how long it waits, in milliseconds */
  #take(owner: string): number {
    const now = performance.now();
    const spent = Math.max(this.#spent.get(owner) ?? 0, now);
    const wait = spent - now - (this.#atOnce - 1) * this.#gapMs;
    if (wait > this.#patienceMs) return wait;
    // The last to come stands at the end: those before it whose time has passed can be forgotten.
    this.#spent.delete(owner);
    this.#spent.set(owner, spent + this.#gapMs);
    this.#forget(now);
    return wait;
  }

  #forget(now: number): void {
    for (const [owner, spent] of this.#spent) {
      if (spent > now) return;
      this.#spent.delete(owner);
    }
  }
}
