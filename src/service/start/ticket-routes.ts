import { ROUTES, type Route } from '../../api/index.ts';
import { type DownloadTickets, TICKET_LIFETIME_MS } from '../http/download-tickets.ts';
import type { Handlers } from '../http/handler.ts';
import { type AccessDeps, narrowed } from '../people/identity/authenticate.ts';
import { ServiceError } from '../store/base/service-error.ts';

const FILES = Object.values<Route>(ROUTES)
  .filter(({ answer }) => answer === 'file')
  .map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/?]+').replaceAll('.', '\\.')}(\\?|$)`));

interface TicketDeps extends AccessDeps {
  readonly tickets: DownloadTickets;
}

/** Tickets for files (download-tickets.ts). Whether the caller may have the file is looked at when it is fetched. */
export function ticketRoutes(context: TicketDeps) {
  return {
    createDownloadTicket: ({ body: { path }, caller, credentials, token }) => {
      if (!FILES.some((file) => file.test(path))) {
        throw new ServiceError('VALIDATION_ERROR', 'path: is not that of a file, such as /v1/exports/ID/download');
      }
      const owner = caller?.orgId ?? 'workstation';
      const ticket = context.tickets.issue(path, narrowed(credentials, token, context), owner);
      const withTicket = `${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`;
      return { body: { path: withTicket, expires_in: TICKET_LIFETIME_MS / 1000 } };
    },
  } satisfies Partial<Handlers>;
}
