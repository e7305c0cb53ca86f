import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../errors.ts';

/** Counts requests by minute for each organization, and for each address where nobody has signed in. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | null;

  /** @param perMinute null for no limit */
  constructor(perMinute: number | null) {
    this.#limiter = perMinute === null ? null : new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** @throws ServiceError RATE_LIMITED with the seconds to wait */
  async count(who: string): Promise<void> {
    try {
      await this.#limiter?.consume(who);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw new ServiceError('RATE_LIMITED', `too many requests: wait ${seconds} s`, {}, seconds);
    }
  }
}
