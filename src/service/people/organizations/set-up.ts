import { RateLimiterMemory, RateLimiterRes } from '../../http/rate-limiter.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import { homeOf } from './home.ts';
import { isSetUpCode, openSetUpCode, removeSetUpCode } from './set-up-code.ts';

/** How an organization came to administer the service. */
export type Claim = 'code' | 'workstation';

/** What a sign-up, or the making of an organization, brings along. */
export interface ClaimAttempt {
  readonly code: string | undefined;
  /** Whether the browser has a workstation session. */
  readonly workstation: boolean;
  /** The peer's address. */
  readonly address: string;
}

/** Wrong codes from one address in a quarter of an hour. */
const WRONG_CODES = 10;
const WINDOW_SECONDS = 900;

export interface SetUpOptions {
  readonly store: Store;
  /** Where the code is kept while it is good for something. */
  readonly path: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Who may make the home organization: whoever has the one-time set-up code that the service's terminal shows, or a workstation
 * session. Any program of the machine can reach the port and sign up; without either it makes a guest.
 */
export class SetUp {
  readonly #options: SetUpOptions;
  readonly #tries = new RateLimiterMemory({ points: WRONG_CODES, duration: WINDOW_SECONDS });
  #code: string | null;

  /** @throws StartError KEY_UNREADABLE where the code's file cannot be used */
  constructor(options: SetUpOptions) {
    const { store, path } = options;
    this.#options = options;
    this.#code = homeOf(store) === null ? openSetUpCode(path) : null;
    // A crash right after a claim leaves the file.
    if (this.#code === null) removeSetUpCode(path);
  }

  /** The code, as it is shown to whoever runs the service; null once there is a home organization. A secret. */
  get code(): string | null {
    return this.#code;
  }

  /**
   * Whether an organization that is about to be made is the home organization, and by what. A program that knows nothing of
   * this, and gives no code, gets a guest organization.
   * @throws ServiceError FORBIDDEN for a wrong code, RATE_LIMITED after too many, CONFLICT where the code is spent
   */
  async claimOf({ code, workstation, address }: ClaimAttempt): Promise<Claim | null> {
    if (this.#code === null) {
      if (code === undefined) return null;
      throw new ServiceError('CONFLICT', 'setup_code: was used already; the service has its home organization');
    }
    if (code === undefined) return workstation ? 'workstation' : null;
    // Of 140 bits nobody guesses it: wrong ones, of whoever shares the address, must not keep the right one out.
    if (isSetUpCode(this.#code, code)) return 'code';
    await this.#countWrong(address);
    throw new ServiceError('FORBIDDEN', 'setup_code: is not the one that the service shows where it was started');
  }

  /** To be called once a claim is on disk: the code is spent. */
  spend(): void {
    this.#code = null;
    try {
      removeSetUpCode(this.#options.path);
    } catch (error) {
      // It opens nothing any more, and the next start tries again.
      this.#options.onError(error);
    }
  }

  async #countWrong(address: string): Promise<void> {
    try {
      await this.#tries.consume(address);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw new ServiceError('RATE_LIMITED', `setup_code: too many wrong ones, wait ${seconds} s`, {}, seconds);
    }
  }
}
