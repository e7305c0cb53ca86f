import type { SessionRow } from '../../../api/index.ts';
import type { Caller } from '../../http/caller.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { and, desc, eq, gt, ne } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { sessions } from '../../store/schema.ts';
import { hashToken } from './tokens.ts';

/**
 * What a session is called where its person looks at it: the beginning of its token's hash. It names one of a user's few
 * sessions, and tells nothing of 256 random bits.
 */
function sessionId(tokenHash: Buffer): string {
  return tokenHash.subarray(0, 8).toString('hex');
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A user's sessions that have not ended, the one used last first. @param token the one that asks */
export function listSessions({ db }: Store, userId: string, token: string, now: number): SessionRow[] {
  const own = hashToken(token);
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
    .all()
    .map(({ tokenHash, begunAt, createdAt, lastUsedAt, lastUsedFrom, browser, expiresAt }) => ({
      id: sessionId(tokenHash),
      is_current: tokenHash.equals(own),
      begun_at: isoTime(begunAt ?? createdAt),
      last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
      last_used_from: lastUsedFrom,
      browser,
      expires_at: isoTime(expiresAt),
    }));
}

function recordEnd(store: WritableStore, { orgId, userId }: Caller, count: number, now: number): void {
  if (orgId === null || count === 0) return;
  const target = { targetType: 'member', targetId: userId, details: { sessions: count } };
  recordAdminEvent(store, { orgId, actor: userId, action: 'session.end', ...target }, now);
}

/** Ends one of the caller's sessions; within the writer's transaction. @returns whether there was one */
export function endOneSession(store: WritableStore, caller: Caller, id: string, now: number): boolean {
  const rows = store.db.select().from(sessions).where(eq(sessions.userId, caller.userId)).all();
  const row = rows.find(({ tokenHash }) => sessionId(tokenHash) === id);
  if (row === undefined) return false;
  store.db.delete(sessions).where(eq(sessions.tokenHash, row.tokenHash)).run();
  recordEnd(store, caller, 1, now);
  return true;
}

/** Ends all sessions of the caller but the one that asks; within the writer's transaction. @returns how many there were */
export function endOtherSessions(store: WritableStore, caller: Caller, token: string, now: number): number {
  const others = and(eq(sessions.userId, caller.userId), ne(sessions.tokenHash, hashToken(token)));
  const { changes } = store.db.delete(sessions).where(others).run();
  recordEnd(store, caller, changes, now);
  return changes;
}

/** Notes the use of a session; within the writer. */
export function noteSessionUse(
  { db }: WritableStore,
  token: string,
  { from, browser }: { readonly from: string; readonly browser: string },
  now: number,
): void {
  const ofToken = eq(sessions.tokenHash, hashToken(token));
  db.update(sessions).set({ lastUsedAt: now, lastUsedFrom: from, browser }).where(ofToken).run();
}
