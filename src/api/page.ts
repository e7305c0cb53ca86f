/**
 * The header in which a page of the service sends the secret of its origin with every call. A cookie goes to every port of
 * a host, and any of them can set one; storage belongs to scheme, host and port. So a session that was begun with this
 * header is worth nothing without it.
 */
export const PAGE_HEADER = 'X-Countersign-Page';

/** 256 random bits in base64url. */
export const PAGE_SECRET = /^[A-Za-z0-9_-]{43}$/;
