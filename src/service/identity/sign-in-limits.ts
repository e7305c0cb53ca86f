import { ServiceError } from '../errors.ts';
import { RateLimiterMemory, RateLimiterRes } from '../http/rate-limiter.ts';

/** Attempts in a quarter of an hour: for one account, and from one address whatever the account. */
const ACCOUNT_ATTEMPTS = 10;
const ADDRESS_ATTEMPTS = 100;
const WINDOW_SECONDS = 900;

/** Slows down guessing of passwords. */
export class SignInLimits {
  readonly #byAccount = new RateLimiterMemory({ points: ACCOUNT_ATTEMPTS, duration: WINDOW_SECONDS });
  readonly #byAddress = new RateLimiterMemory({ points: ADDRESS_ATTEMPTS, duration: WINDOW_SECONDS });

  /** Counts an attempt before it is tried, so that many at once count too. @throws ServiceError RATE_LIMITED */
  async attempt(email: string, address: string): Promise<void> {
    try {
      await this.#byAddress.consume(address);
      await this.#byAccount.consume(email.toLowerCase());
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.ceil(limit.msBeforeNext / 1000);
      throw new ServiceError('RATE_LIMITED', 'too many attempts to sign in: wait before the next', {}, seconds);
    }
  }

  /** The account's owner is there: earlier attempts no longer count against it. */
  async succeeded(email: string): Promise<void> {
    await this.#byAccount.delete(email.toLowerCase());
  }
}
