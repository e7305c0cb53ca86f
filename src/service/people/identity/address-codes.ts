import { LIMITS } from '../../../api/index.ts';
import type { Caller } from '../../http/caller.ts';
import { RateLimit } from '../../http/rate-limit.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import { users } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { Mailer, MailText } from '../mail/mailer.ts';
import { minuteOf } from '../mail/unlinked.ts';
import { OnceOnly } from './once-only.ts';
import { noteAddress } from './verified-address.ts';

/** Half an hour, in milliseconds: mails take their time. */
const LIFETIME_MS = 30 * 60_000;
const DAY_SECONDS = 86_400;

interface Context extends WriteAccess {
  /** How browsers reach the service. */
  readonly origin: () => string;
  /** The mail server of the present settings, or null. */
  readonly mailer: () => Mailer | null;
}

interface Sent {
  readonly userId: string;
  /** The code is for the account as it is: with another address it is worth nothing. */
  readonly email: string;
}

/**
 * Codes that are mailed to the address of an account, and show that its mails reach whoever is signed in. Anybody can sign up
 * with a stranger's address and have mails sent there, so they are few, and say nothing that the account's holder wrote.
 */
export class AddressCodes {
  readonly #context: Context;
  readonly #codes: OnceOnly<Sent>;
  readonly #ofAccount = new RateLimit(() => LIMITS.addressMailsPerDay.account, {
    what: 'mails to this address',
    seconds: DAY_SECONDS,
  });
  readonly #ofAll = new RateLimit(() => LIMITS.addressMailsPerDay.all, {
    what: 'mails to verify addresses',
    seconds: DAY_SECONDS,
  });

  constructor(context: Context) {
    this.#context = context;
    this.#codes = new OnceOnly(context.now, LIFETIME_MS);
  }

  /** Whether the service has a mail server. */
  get isAvailable(): boolean {
    return this.#context.mailer() !== null;
  }

  /**
   * Mails a code to the caller's address.
   * @returns when it ends, in milliseconds since the Unix epoch
   * @throws ServiceError NOT_CONFIGURED without a mail server, or where it does not take the mail; CONFLICT where the address
   * is verified; RATE_LIMITED
   */
  async send({ userId }: Caller): Promise<number> {
    const { mailer, now, origin } = this.#context;
    const server = mailer();
    if (server === null) throw new ServiceError('NOT_CONFIGURED', 'this service has no mail server (smtp-url)');
    const email = this.#unverified(userId);
    await this.#ofAccount.count(email.toLowerCase());
    await this.#ofAll.count('all');
    const expiresAt = now() + LIFETIME_MS;
    const code = this.#codes.issue({ userId, email }, userId);
    const result = await server.send(email, addressText({ code, expiresAt, url: origin() }));
    if (!result.sent) throw new ServiceError('NOT_CONFIGURED', `the code was not mailed: ${result.reason}`);
    return expiresAt;
  }

  /** Takes a code that was mailed, and notes the address. @throws ServiceError VALIDATION_ERROR, CONFLICT */
  async take({ userId, orgId }: Caller, code: string): Promise<void> {
    const { writer, now } = this.#context;
    const email = this.#unverified(userId);
    const sent = this.#codes.take(code);
    if (sent === null || sent.userId !== userId || sent.email !== email) {
      throw new ServiceError(
        'VALIDATION_ERROR',
        'code: is not the code that was mailed, or has expired; send a new one',
      );
    }
    // A crash before it leaves the address unverified and the code gone: another one is asked for.
    await writer.transact((store) => {
      const time = now();
      noteAddress(store, userId, time);
      if (orgId === null) return;
      const details = { proof: 'mail', sessions_ended: 0, tokens_revoked: 0, password_ended: false };
      const target = { targetType: 'user', targetId: userId, details };
      recordAdminEvent(store, { orgId, actor: userId, action: 'account.verify_address', ...target }, time);
    });
  }

  /** The address of an account. @throws ServiceError CONFLICT where it is verified */
  #unverified(userId: string): string {
    const { store } = this.#context;
    const user = store.db.select().from(users).where(eq(users.userId, userId)).get();
    if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'the user no longer exists');
    if (user.emailVerifiedAt !== null) throw new ServiceError('CONFLICT', 'the e-mail address is verified already');
    return user.email;
  }
}

/** A code on its way to the address of an account. */
interface AddressCode {
  readonly code: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Where the service is. */
  readonly url: string;
}

/** Subject and plain text of a mail that shows whose an address is. Nothing in it was written by whoever asked for it. */
function addressText({ code, expiresAt, url }: AddressCode): MailText {
  const lines = [
    'Somebody signed in to Countersign has this e-mail address in their account, and asked to verify it.',
    '',
    `Address of the service: ${url}`,
    `Code: ${code}`,
    '',
    `The code works once, until ${minuteOf(expiresAt)}, in the account that asked for it.`,
    'If you did not ask for it, ignore this mail and give the code to nobody.',
    '',
  ];
  return { subject: 'Verify your e-mail address in Countersign', text: lines.join('\n') };
}
