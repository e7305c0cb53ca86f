import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { type Role, satisfiesRole } from '../../contract/index.ts';
import { recordAdminEvent } from '../admin/events.ts';
import type { Store } from '../store/open.ts';
import { apiTokens, members, sessions, users } from '../store/schema.ts';

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

/** Begins a session of a user; to be called by the writer. */
export function createSession({ db }: Store, userId: string, now: number): string {
  const { token, tokenHash } = newToken(SESSION_PREFIX);
  db.insert(sessions)
    .values({ tokenHash, userId, createdAt: now, expiresAt: now + SESSION_LIFETIME_MS })
    .run();
  return token;
}

/** Issues an API token; within the writer's transaction. `ttlSeconds` null never expires. */
export function createApiToken(
  store: Store,
  caller: Caller,
  ttlSeconds: number | null,
  now: number,
): { token: string; expiresAt: number | null } {
  const { token, tokenHash } = newToken(API_PREFIX);
  const tokenId = randomUUID();
  const expiresAt = ttlSeconds === null ? null : now + ttlSeconds * 1000;
  store.db
    .insert(apiTokens)
    .values({ tokenId, tokenHash, userId: caller.userId, createdAt: now, ttlSeconds, expiresAt })
    .run();
  if (caller.orgId !== null) {
    const target = { targetType: 'token', targetId: tokenId, details: { ttl_seconds: ttlSeconds } };
    recordAdminEvent(store, { orgId: caller.orgId, actor: caller.userId, action: 'token.create', ...target }, now);
  }
  return { token, expiresAt };
}

/**
 * The caller a token belongs to, with the role the user has now; null where it is unknown or expired. Tokens are looked up
 * by their hash: what the time of the search tells is about hashes that nobody can choose.
 */
export function findCaller({ db }: Store, token: string, now: number): Caller | null {
  const tokenHash = hashToken(token);
  const who = { userId: users.userId, orgId: members.orgId, role: members.role };
  const isSession = token.startsWith(SESSION_PREFIX);
  if (!isSession && !token.startsWith(API_PREFIX)) return null;
  const row = isSession
    ? db
        .select(who)
        .from(sessions)
        .innerJoin(users, eq(users.userId, sessions.userId))
        .leftJoin(members, eq(members.userId, users.userId))
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)))
        .get()
    : db
        .select(who)
        .from(apiTokens)
        .innerJoin(users, eq(users.userId, apiTokens.userId))
        .leftJoin(members, eq(members.userId, users.userId))
        .where(and(eq(apiTokens.tokenHash, tokenHash), or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now))))
        .get();
  if (row === undefined) return null;
  return { userId: row.userId, orgId: row.orgId, role: row.role as Role | null, by: isSession ? 'session' : 'token' };
}
