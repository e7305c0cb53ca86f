import { availableParallelism } from 'node:os';
import { ServiceError } from '../../store/base/service-error.ts';

/** What one argon2id hash costs: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's parameters for argon2id: 19 MiB of memory, two passes, one lane. */
const USUAL_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Passwords that are looked at at once, and that may wait for it: each takes 19 MiB, one of Node's few threads, and a processor
 * for itself. Half of the processors are left to everybody else, whoever tries passwords.
 */
const AT_ONCE = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const MAX_WAITING = 64;

/** Native code, loaded when there is a password to look at. */
const argon2 = () => import('@node-rs/argon2');

/** The passwords of one service: hashes and checks them with argon2id, a few at once. */
export class Passwords {
  readonly #parameters;
  #working = 0;
  readonly #waiting: (() => void)[] = [];
  #decoy: Promise<string> | undefined;

  /** @param cost of each hash that is made, and so of each attempt where there is no account */
  constructor(cost: PasswordCost = USUAL_COST) {
    this.#parameters = { algorithm: 2, ...cost } as const;
  }

  /**
   * @returns an encoded argon2id hash with its salt and parameters
   * @throws ServiceError OVERLOADED
   */
  async hash(password: string): Promise<string> {
    const { hash } = await argon2();
    return this.#inTurn(() => hash(password, this.#parameters));
  }

  /**
   * Whether a password fits a hash. Where there is no account, the same work is done on a decoy, so that the time does not
   * tell who has one.
   * @throws ServiceError OVERLOADED
   */
  async verify(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const { hash, verify } = await argon2();
    if (passwordHash) return this.#inTurn(() => verify(passwordHash, password));
    this.#decoy ??= hash('nobody has this password', this.#parameters);
    const fake = await this.#decoy;
    await this.#inTurn(() => verify(fake, password));
    return false;
  }

  /** Does the work when its turn comes. @throws ServiceError OVERLOADED where too much is waiting */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new ServiceError('OVERLOADED', 'too many passwords are being checked: try again', {}, 1);
      }
      // Whoever ends hands their place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#working++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}
