import { ServiceError } from '../errors.ts';
import { RateLimiterMemory, RateLimiterRes } from './rate-limiter.ts';

/** Counts requests by minute for each organization, and for each address where nobody has signed in. */
export class RateLimit {
  readonly #perMinute: () => number | null;
  #limiter: RateLimiterMemory | null = null;
  #points: number | null = null;

  /** @param perMinute how many there may be at present; null for no limit */
  constructor(perMinute: () => number | null) {
    this.#perMinute = perMinute;
  }

  /** @throws ServiceError RATE_LIMITED with the seconds to wait */
  async count(who: string): Promise<void> {
    try {
      await this.#present()?.consume(who);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw new ServiceError('RATE_LIMITED', `too many requests: wait ${seconds} s`, {}, seconds);
    }
  }

  /** The limiter of the present limit. Where that was changed, everybody's count begins anew. */
  #present(): RateLimiterMemory | null {
    const points = this.#perMinute();
    if (points !== this.#points) {
      this.#points = points;
      this.#limiter = points === null ? null : new RateLimiterMemory({ points, duration: 60 });
    }
    return this.#limiter;
  }
}
