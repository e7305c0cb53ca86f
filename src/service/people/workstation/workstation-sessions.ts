import { createHash, randomBytes } from 'node:crypto';
import { WORKSTATION_LIFETIME_MS } from '../../http/cookies.ts';
import { mayUse, type PageHash } from '../../http/page-binding.ts';

/** How long a link can be used, in milliseconds: as long as it takes to copy it into a browser. */
const CODE_LIFETIME_MS = 10 * 60_000;

/** Links and sessions beyond these push the oldest out: each link is made by whoever runs the service. */
const MAX_KEPT = 1000;

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

interface Kept {
  readonly endsAt: number;
  readonly page: PageHash | null;
}

/** What is valid until a time, by the hash of its secret, and the page it is bound to. */
class Secrets {
  readonly #kept = new Map<string, Kept>();

  issue(endsAt: number, page: PageHash | null = null): string {
    const secret = randomBytes(32).toString('base64url');
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    this.#kept.set(hashOf(secret), { endsAt, page });
    return secret;
  }

  find(secret: string, now: number): Kept | null {
    const kept = this.#kept.get(hashOf(secret));
    return kept !== undefined && kept.endsAt > now ? kept : null;
  }

  spend(secret: string): void {
    this.#kept.delete(hashOf(secret));
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

  /**
   * The path of a link that lets one browser in, once, within ten minutes. The code stands after the `#`: it comes into no
   * log and no Referer, and whatever looks at links before people do spends nothing. The page that the link leads to sends it.
   */
  newLink(): string {
    return `/#/enter?code=${this.#codes.issue(this.#now() + CODE_LIFETIME_MS)}`;
  }

  /**
   * @param page that enters, which alone can use the session then; null for a client that is not a page
   * @returns the secret of a new session, or null where the code is unknown, spent or too old
   */
  enter(code: string, page: PageHash | null): string | null {
    const now = this.#now();
    if (this.#codes.find(code, now) === null) return null;
    this.#codes.spend(code);
    return this.#sessions.issue(now + WORKSTATION_LIFETIME_MS, page);
  }

  /** Whether the value of a cookie is that of a session which the page that sent it may use. */
  isActive(cookie: string, page: PageHash | null): boolean {
    const session = this.#sessions.find(cookie, this.#now());
    return session !== null && mayUse(session.page, { by: 'cookie', page });
  }
}
