import { ServiceError } from '../store/base/service-error.ts';
import { RateLimiterMemory, RateLimiterRes } from './rate-limiter.ts';

/** How many there may be, and in which time. */
export interface RateLimitOptions {
  /** What is counted, as the message says it: requests. */
  readonly what?: string;
  readonly seconds?: number;
}

/** Counts requests by minute for each organization, and for each address where nobody has signed in; or something else. */
export class RateLimit {
  readonly #most: () => number | null;
  readonly #what: string;
  readonly #seconds: number;
  #limiter: RateLimiterMemory | null = null;
  #points: number | null = null;

  /** @param most how many there may be at present; null for no limit */
  constructor(most: () => number | null, { what = 'requests', seconds = 60 }: RateLimitOptions = {}) {
    this.#most = most;
    this.#what = what;
    this.#seconds = seconds;
  }

  /** @throws ServiceError RATE_LIMITED with the seconds to wait */
  async count(who: string): Promise<void> {
    try {
      await this.#present()?.consume(who);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw new ServiceError('RATE_LIMITED', `too many ${this.#what}: wait ${seconds} s`, {}, seconds);
    }
  }

  /** The limiter of the present limit. Where that was changed, everybody's count starts over. */
  #present(): RateLimiterMemory | null {
    const points = this.#most();
    if (points !== this.#points) {
      this.#points = points;
      this.#limiter = points === null ? null : new RateLimiterMemory({ points, duration: this.#seconds });
    }
    return this.#limiter;
  }
}
