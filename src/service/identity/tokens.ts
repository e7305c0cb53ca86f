import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, desc, eq, gt, isNull, lte, or } from 'drizzle-orm';
import { type Role, satisfiesRole, type TokenRow } from '../../contract/index.ts';
import { recordAdminEvent } from '../admin/events.ts';
import type { Store } from '../store/open.ts';
import { apiTokens, sessions } from '../store/schema.ts';

const SESSION_PREFIX = 'csn_sess_';
const API_PREFIX = 'csn_api_';

/** Seven days, in milliseconds. */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;

/** Whoever makes a request: a user with the present role, by a session or by a token. */
export interface Caller {
  readonly userId: string;
  readonly orgId: string | null;
  readonly role: Role | null;
  readonly by: 'session' | 'token';
}

/** A caller, and when the token ends that says so: milliseconds, null for never. */
export interface CallerWithEnd {
  readonly caller: Caller;
  readonly endsAt: number | null;
}

export function callerHasRole(caller: Caller, minimum: Role): boolean {
  return caller.role !== null && satisfiesRole(caller.role, minimum);
}

/** 256 random bits; the database keeps only their SHA-256, so that who reads it can sign in as nobody. */
function newToken(prefix: string): { token: string; tokenHash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Begins a session of a user; within the writer. Sessions that have ended are cleared away on this occasion. */
export function createSession({ db }: Store, userId: string, now: number): string {
  db.delete(sessions).where(lte(sessions.expiresAt, now)).run();
  const { token, tokenHash } = newToken(SESSION_PREFIX);
  db.insert(sessions)
    .values({ tokenHash, userId, createdAt: now, expiresAt: now + SESSION_LIFETIME_MS })
    .run();
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

function recordTokenEvent(
  store: Store,
  caller: Pick<Caller, 'orgId' | 'userId'>,
  action: 'token.create' | 'token.revoke',
  { tokenId, ttlSeconds }: { tokenId: string; ttlSeconds: number | null },
  now: number,
): void {
  // The log is an organization's: a user without one has none to write to.
  if (caller.orgId === null) return;
  const target = { targetType: 'token', targetId: tokenId, details: { ttl_seconds: ttlSeconds } };
  recordAdminEvent(store, { orgId: caller.orgId, actor: caller.userId, action, ...target }, now);
}

/** An API token as it is issued: the only time that it is seen. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the Unix epoch, or null where it never expires. */
  readonly expiresAt: number | null;
}

/** Issues an API token; within the writer's transaction. `ttlSeconds` null never expires. */
export function createApiToken(store: Store, caller: Caller, ttlSeconds: number | null, now: number): IssuedToken {
  const { token, tokenHash } = newToken(API_PREFIX);
  const tokenId = randomUUID();
  const expiresAt = ttlSeconds === null ? null : now + ttlSeconds * 1000;
  store.db
    .insert(apiTokens)
    .values({ tokenId, tokenHash, userId: caller.userId, createdAt: now, ttlSeconds, expiresAt })
    .run();
  recordTokenEvent(store, caller, 'token.create', { tokenId, ttlSeconds }, now);
  return { token, expiresAt };
}

/** Replaces an API token by a new one of the same lifetime; within the writer's transaction. Null where it is gone. */
export function rotateApiToken(store: Store, caller: Caller, token: string, now: number): IssuedToken | null {
  const old = store.db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, hashToken(token)))
    .get();
  if (old === undefined) return null;
  store.db.delete(apiTokens).where(eq(apiTokens.tokenId, old.tokenId)).run();
  recordTokenEvent(store, caller, 'token.revoke', old, now);
  return createApiToken(store, caller, old.ttlSeconds, now);
}

/** A user's API tokens, newest first, without those that have expired. Times are seconds since the Unix epoch. */
export function listApiTokens({ db }: Store, userId: string, now: number): TokenRow[] {
  return db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now))))
    .orderBy(desc(apiTokens.createdAt), apiTokens.tokenId)
    .all()
    .map((row) => ({
      id: row.tokenId,
      created_at: Math.floor(row.createdAt / 1000),
      expires_at: row.expiresAt === null ? null : Math.floor(row.expiresAt / 1000),
      ttl_seconds: row.ttlSeconds,
      last_used_at: row.lastUsedAt === null ? null : Math.floor(row.lastUsedAt / 1000),
    }));
}

/** Revokes one of the caller's API tokens; within the writer's transaction. @returns whether there was one */
export function revokeApiToken(store: Store, caller: Caller, tokenId: string, now: number): boolean {
  const named = and(eq(apiTokens.tokenId, tokenId), eq(apiTokens.userId, caller.userId));
  const row = store.db.select().from(apiTokens).where(named).get();
  if (row === undefined) return false;
  store.db.delete(apiTokens).where(named).run();
  recordTokenEvent(store, caller, 'token.revoke', row, now);
  return true;
}

/**
 * Revokes all API tokens of a user, who leaves an organization: they must not act in the next one. Within the writer's
 * transaction; `actor` is who makes the user leave.
 */
export function revokeAllApiTokens(
  store: Store,
  userId: string,
  actor: Pick<Caller, 'orgId' | 'userId'>,
  now: number,
): void {
  const rows = store.db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).all();
  store.db.delete(apiTokens).where(eq(apiTokens.userId, userId)).run();
  for (const row of rows) recordTokenEvent(store, actor, 'token.revoke', row, now);
}

/** How exactly it is kept when a token was last used: not every request is worth a commit. Milliseconds. */
export const LAST_USE_STEP_MS = 60_000;

/** Notes that an API token is used; within the writer. */
export function noteUse({ db }: Store, token: string, now: number): void {
  const ofToken = eq(apiTokens.tokenHash, hashToken(token));
  db.update(apiTokens).set({ lastUsedAt: now }).where(ofToken).run();
}

/** Gives a session its whole lifetime again; within the writer. */
export function extendSession({ db }: Store, token: string, now: number): void {
  db.update(sessions)
    .set({ expiresAt: now + SESSION_LIFETIME_MS })
    .where(eq(sessions.tokenHash, hashToken(token)))
    .run();
}

/** Every request asks one of these two. */
const HOLDER = `SELECT u.user_id AS userId, m.org_id AS orgId, m.role AS role, t.expires_at AS endsAt
  FROM tokens t JOIN users u ON u.user_id = t.user_id LEFT JOIN members m ON m.user_id = u.user_id
  WHERE t.token_hash = ?`;
const SESSION_HOLDER = HOLDER.replace('tokens', 'sessions');
const TOKEN_HOLDER = HOLDER.replace('tokens', 'api_tokens');

/**
 * The caller a token belongs to, with the role the user has now; null where it is unknown or expired. Tokens are looked up
 * by their hash: what the time of the search tells is about hashes that nobody can choose.
 */
export function findCaller(store: Store, token: string, now: number): CallerWithEnd | null {
  const isSession = token.startsWith(SESSION_PREFIX);
  if (!isSession && !token.startsWith(API_PREFIX)) return null;
  const who = store.statement(isSession ? SESSION_HOLDER : TOKEN_HOLDER);
  const row = who.get(hashToken(token)) as (Omit<Caller, 'by'> & { endsAt: number | null }) | undefined;
  if (row === undefined || (row.endsAt !== null && row.endsAt <= now)) return null;
  const { endsAt, ...caller } = row;
  return { caller: { ...caller, by: isSession ? 'session' : 'token' }, endsAt };
}
