import { createHash, randomBytes } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import { type Role, satisfiesRole } from '../../contract/index.ts';
import type { Store } from '../store/open.ts';
import { sessions } from '../store/schema.ts';
import { notePage } from './known-pages.ts';
import type { PageHash } from './page-binding.ts';

const SESSION_PREFIX = 'csn_sess_';
export const API_PREFIX = 'csn_api_';

/** Seven days, in milliseconds. */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;

/** Whoever makes a request: a user with the present role, by a session or by a token. */
export interface Caller {
  readonly userId: string;
  readonly orgId: string | null;
  readonly role: Role | null;
  readonly by: 'session' | 'token';
  /** The agent that a token may submit for and do nothing else; null for whoever may do all that the role may. */
  readonly submitsFor: string | null;
}

/** A caller, when the token ends that says so (milliseconds, null for never), and the page it is bound to. */
export interface CallerWithEnd {
  readonly caller: Caller;
  readonly endsAt: number | null;
  readonly page: PageHash | null;
}

export function callerHasRole(caller: Caller, minimum: Role): boolean {
  return caller.role !== null && satisfiesRole(caller.role, minimum);
}

/** 256 random bits; the database keeps only their SHA-256, so that who reads it can sign in as nobody. */
export function newToken(prefix: string): { token: string; tokenHash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Begins a session of a user; within the writer. Sessions that have ended are cleared away on this occasion.
 * @param page the page that begins it, which alone can use it then; null for a client that is none
 */
export function createSession(store: Store, userId: string, page: PageHash | null, now: number): string {
  const { db } = store;
  db.delete(sessions).where(lte(sessions.expiresAt, now)).run();
  const { token, tokenHash } = newToken(SESSION_PREFIX);
  db.insert(sessions)
    .values({ tokenHash, userId, createdAt: now, expiresAt: now + SESSION_LIFETIME_MS, pageHash: page })
    .run();
  if (page !== null) notePage(store, userId, page, now);
  return token;
}

/** Ends a session: its token stops working at once. Within the writer. @returns whether there was one */
export function endSession({ db }: Store, token: string): boolean {
  const ended = db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)))
    .run();
  return ended.changes > 0;
}

/** Gives a session its whole lifetime again; within the writer. */
export function extendSession({ db }: Store, token: string, now: number): void {
  db.update(sessions)
    .set({ expiresAt: now + SESSION_LIFETIME_MS })
    .where(eq(sessions.tokenHash, hashToken(token)))
    .run();
}

/** Every request asks one of these two. */
const HOLDER = `SELECT u.user_id AS userId, m.org_id AS orgId, m.role AS role, t.expires_at AS endsAt, LIMIT AS submitsFor,
    PAGE AS page
  FROM tokens t JOIN users u ON u.user_id = t.user_id LEFT JOIN members m ON m.user_id = u.user_id
  WHERE t.token_hash = ?`;
const SESSION_HOLDER = HOLDER.replace('tokens', 'sessions').replace('LIMIT', 'NULL').replace('PAGE', 't.page_hash');
const TOKEN_HOLDER = HOLDER.replace('tokens', 'api_tokens').replace('LIMIT', 't.agent_id').replace('PAGE', 'NULL');

/**
 * The caller a token belongs to, with the role the user has now; null where it is unknown or expired. Tokens are looked up
 * by their hash: what the time of the search tells is about hashes that nobody can choose.
 */
export function findCaller(store: Store, token: string, now: number): CallerWithEnd | null {
  const isSession = token.startsWith(SESSION_PREFIX);
  if (!isSession && !token.startsWith(API_PREFIX)) return null;
  const who = store.statement(isSession ? SESSION_HOLDER : TOKEN_HOLDER);
  const row = who.get(hashToken(token)) as (Omit<Caller, 'by'> & Omit<CallerWithEnd, 'caller'>) | undefined;
  if (row === undefined || (row.endsAt !== null && row.endsAt <= now)) return null;
  const { endsAt, page, ...caller } = row;
  return { caller: { ...caller, by: isSession ? 'session' : 'token' }, endsAt, page };
}
