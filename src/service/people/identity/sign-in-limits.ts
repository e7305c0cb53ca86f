import { ServiceError } from '../../store/base/service-error.ts';
import { GrowingDelay } from './growing-delay.ts';

/** Who tries to sign in, and from where. */
export interface SignInAttempt {
  readonly email: string;
  /** The peer's address, as far as it counts (http/address-group.ts). */
  readonly address: string;
  /**
   * What tells the browser from every other where it is known: it signed in to this account before, or has a workstation
   * session. Null for all others.
   */
  readonly browser: string | null;
}

/**
 * Slows down guessing of passwords, without keeping anybody out of their own account: attempts wait for one another longer
 * and longer, but only those for the same account from the same address, and many from one address whatever the account. A
 * browser that is known is counted by itself: whatever others try, its owner gets in.
 */
export class SignInLimits {
  readonly #byAccount = new GrowingDelay({ free: 10, mostMs: 60_000 });
  readonly #byAddress = new GrowingDelay({ free: 100, mostMs: 5_000 });
  readonly #byBrowser = new GrowingDelay({ free: 20, mostMs: 60_000 });
  readonly #now: () => number;

  /** @param now milliseconds of a clock that nobody sets: a wrong one that was set right would keep everybody waiting */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an attempt before it is tried. @throws ServiceError RATE_LIMITED with the seconds to wait */
  attempt({ email, address, browser }: SignInAttempt): void {
    const account = email.toLowerCase();
    const now = this.#now();
    const wait =
      browser === null
        ? this.#byAccount.attempt(`${address} ${account}`, now) || this.#byAddress.attempt(address, now)
        : this.#byBrowser.attempt(`${browser} ${account}`, now);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new ServiceError('RATE_LIMITED', `too many attempts to sign in: wait ${seconds} s`, {}, seconds);
  }

  /** The account's owner is there: their earlier attempts no longer count. */
  succeeded({ email, address, browser }: SignInAttempt): void {
    const account = email.toLowerCase();
    if (browser === null) this.#byAccount.forget(`${address} ${account}`);
    else this.#byBrowser.forget(`${browser} ${account}`);
  }
}
