import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../store/base/service-error.ts';
import type { Credentials } from './credentials.ts';

/** How long a ticket can be used, in milliseconds: a page goes to the file as soon as it has one. */
export const TICKET_LIFETIME_MS = 60_000;

/** Tickets that may be unused at once; with credentials of one token each that is a few hundred kilobytes. */
const MAX_TICKETS = 1000;

interface Ticket {
  /** Whose it is among those who share the room: an organization, or the workstation. */
  readonly owner: string;
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
 *
 * Where there is no room for one more, the oldest of whoever has most of them gives way.
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
   * @param owner who is to have a share of all tickets: what they have too many of takes nothing from others
   * @returns the ticket, a secret
   */
  issue(path: string, credentials: Credentials, owner: string): string {
    this.#sweep();
    if (this.#tickets.size >= MAX_TICKETS) this.#dropOne();
    const secret = randomBytes(32).toString('base64url');
    this.#tickets.set(hashOf(secret), { owner, path, credentials, endsAt: this.#now() + TICKET_LIFETIME_MS });
    return secret;
  }

  #dropOne(): void {
    const held = Map.groupBy(this.#tickets, ([, { owner }]) => owner);
    const [most = []] = [...held.values()].sort((a, b) => b.length - a.length);
    const [oldest] = most;
    if (oldest !== undefined) this.#tickets.delete(oldest[0]);
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
