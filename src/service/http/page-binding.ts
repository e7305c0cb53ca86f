import { createHash } from 'node:crypto';

/** SHA-256 of a page's secret: what is kept of it. */
export type PageHash = Buffer;

/** What a page's secret is kept as: 256 random bits need no salt. */
export function hashPage(secret: string): PageHash {
  return createHash('sha256').update(secret).digest();
}

function isSame(bound: PageHash | null, page: PageHash | null): boolean {
  return bound === null ? page === null : page !== null && bound.equals(page);
}

/** How a token came: from which address, and from which page; null where the client is not a page. */
export interface Presented {
  readonly by: 'bearer' | 'cookie';
  readonly from: string;
  /** The family of the program, as it says. */
  readonly browser: string;
  readonly page: PageHash | null;
}

/**
 * Whether a session may be used that way. A bound one only by its page. One that is not bound by whoever names its token;
 * but a cookie names nothing: any port of the host can set one, so a page takes none that is not its own.
 * @param bound the page that the session was begun by, or null
 */
export function mayUse(bound: PageHash | null, { by, page }: Pick<Presented, 'by' | 'page'>): boolean {
  return isSame(bound, page) || (bound === null && by === 'bearer');
}
