import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../base/errors.ts';
import type { Credentials } from './credentials.ts';

/** How long a ticket can be used, in milliseconds: a page goes to the file as soon as it has one. */
export const TICKET_LIFETIME_MS = 60_000;

/** Tickets that may be unused at once; with credentials of one token each that is a few hundred kilobytes. */
const MAX_TICKETS = 1000;

interface Ticket {
  readonly path: string;
  readonly credentials: Credentials;
  readonly endsAt: number;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * One-time tickets for files. A browser that goes to a file sends no custom header, and its cookie alone is worth nothing:
 * so a page asks for a ticket first, with all its credentials, and the address with the ticket stands for these once. They
 * are looked at again then: who signed out meanwhile, or lost a role, gets nothing.
 */
export class DownloadTickets {
  readonly #tickets = new Map<string, Ticket>();
  readonly #now: () => number;

  /** @param now milliseconds since the Unix epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param path of the file with its query, as it is asked for then
   * @returns the ticket, a secret
   * @throws ServiceError OVERLOADED where too many are unused
   */
  issue(path: string, credentials: Credentials): string {
    this.#sweep();
    if (this.#tickets.size >= MAX_TICKETS) {
      throw new ServiceError('OVERLOADED', 'too many downloads are about to begin: try again', {}, 1);
    }
    const secret = randomBytes(32).toString('base64url');
    this.#tickets.set(hashOf(secret), { path, credentials, endsAt: this.#now() + TICKET_LIFETIME_MS });
    return secret;
  }

  /**
   * Spends a ticket, also one that is for another file.
   * @throws ServiceError UNAUTHORIZED
   */
  redeem(secret: string, path: string): Credentials {
    const name = hashOf(secret);
    const ticket = this.#tickets.get(name);
    this.#tickets.delete(name);
    if (ticket === undefined || ticket.endsAt <= this.#now() || ticket.path !== path) {
      throw new ServiceError(
        'UNAUTHORIZED',
        'ticket: was used already, is too old or for another file; ask for a new one',
      );
    }
    return ticket.credentials;
  }

  /** The oldest stand first. */
  #sweep(): void {
    const now = this.#now();
    for (const [name, { endsAt }] of this.#tickets) {
      if (endsAt > now) return;
      this.#tickets.delete(name);
    }
  }
}
