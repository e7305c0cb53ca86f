import { z } from 'zod';

/**
 * The header in which a page of the service sends the secret of its origin with every call. A cookie goes to every port of
 * a host, and any of them can set one; storage belongs to scheme, host and port. So a session that was begun with this
 * header is worth nothing without it.
 */
export const PAGE_HEADER = 'X-Countersign-Page';

/** 256 random bits in base64url. */
export const pageSecret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 43 characters of base64url');

/** Which file a browser is to fetch: the path of a route that answers with one, with its query. */
export const downloadTicketBody = z.strictObject({
  path: z
    .string()
    .max(2048)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path of this service'),
});

export const downloadTicket = z.strictObject({
  path: z.string().meta({ description: 'the same with a ticket: to be fetched once, without any credential' }),
  expires_in: z.int().meta({ description: 'seconds' }),
});
