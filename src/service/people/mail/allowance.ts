import { RateLimiterMemory, RateLimiterRes } from '../../http/rate-limiter.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { users } from '../../store/schema.ts';
import { isHome } from '../organizations/home.ts';

/** Invitations that are mailed for one organization within a day. */
export const MAILS_A_DAY = 20;
const DAY_SECONDS = 86_400;

/** Who has mails sent, and in whose name. */
export interface MailSender {
  readonly orgId: string;
  readonly userId: string;
}

/**
 * Who may have mails sent, and how many: they go to whoever the inviter names, from the service's address, so anybody who can
 * sign up could use the service to write to strangers. The home organization may, and who has a verified address. Counted in
 * memory: whoever could start the service again has the mail server's password anyway.
 */
export class MailAllowance {
  readonly #mails = new RateLimiterMemory({ points: MAILS_A_DAY, duration: DAY_SECONDS });

  /** Why nothing is mailed for an inviter, in a sentence without address; null where it may be. */
  refusal(store: Store, { orgId, userId }: MailSender): string | null {
    if (isHome(store, orgId)) return null;
    const user = store.db.select().from(users).where(eq(users.userId, userId)).get();
    return user?.emailVerifiedAt == null ? "the inviter's own address is not verified" : null;
  }

  /** Counts one mail. @returns whether the organization may still have it sent */
  async take(orgId: string): Promise<boolean> {
    try {
      await this.#mails.consume(orgId);
      return true;
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      return false;
    }
  }
}
