import { createHash, randomBytes } from 'node:crypto';

/** The cookie of a workstation session (docs/interface.md, Authentication). */
export const WORKSTATION_COOKIE = 'countersign_workstation';

/** How long a link can be used, in milliseconds: as long as it takes to copy it into a browser. */
const CODE_LIFETIME_MS = 10 * 60_000;

/** Thirty days, in milliseconds: a service that runs for long does not leave a forgotten browser let in for good. */
export const WORKSTATION_LIFETIME_MS = 30 * 86_400_000;

/** Links and sessions beyond these push the oldest out: each link is made by whoever runs the service. */
const MAX_KEPT = 1000;

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** What is valid until a time, by the hash of its secret. */
class Secrets {
  readonly #ends = new Map<string, number>();

  issue(endsAt: number): string {
    const secret = randomBytes(32).toString('base64url');
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined && this.#ends.size >= MAX_KEPT) this.#ends.delete(oldest);
    this.#ends.set(hashOf(secret), endsAt);
    return secret;
  }

  isValid(secret: string, now: number): boolean {
    return (this.#ends.get(hashOf(secret)) ?? 0) > now;
  }

  spend(secret: string): void {
    this.#ends.delete(hashOf(secret));
  }
}

/**
 * Workstation sessions: who sits at this machine, or was given its link, may use the case room and the trust store without
 * an account. Kept in memory as hashes, until the service ends: each start has a new link, so nothing needs to outlive it,
 * and whoever reads the data folder is let in nowhere.
 */
export class WorkstationSessions {
  readonly #codes = new Secrets();
  readonly #sessions = new Secrets();
  readonly #now: () => number;

  /** @param now milliseconds since the Unix epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The path of a link that lets one browser in, once, within ten minutes. */
  newLink(): string {
    return `/v1/workstation/enter?code=${this.#codes.issue(this.#now() + CODE_LIFETIME_MS)}`;
  }

  /** @returns the secret of a new session, or null where the code is unknown, spent or too old */
  enter(code: string): string | null {
    const now = this.#now();
    if (!this.#codes.isValid(code, now)) return null;
    this.#codes.spend(code);
    return this.#sessions.issue(now + WORKSTATION_LIFETIME_MS);
  }

  /** Whether the value of the cookie is that of a session. */
  isActive(cookie: string | undefined): boolean {
    return cookie !== undefined && this.#sessions.isValid(cookie, this.#now());
  }
}
