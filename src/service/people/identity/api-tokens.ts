import { randomUUID } from 'node:crypto';
import { mayCall, type OrganizationTokenRow, type RouteName, type TokenScope } from '../../../api/index.ts';
import type { Caller } from '../../http/caller.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, count, desc, eq, getTableColumns, gt, isNull, ne, or } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { apiTokens, members, users } from '../../store/schema.ts';
import { findAgentRow } from '../agents/registry.ts';
import { API_PREFIX, hashToken, newToken } from './tokens.ts';

export type StoredToken = typeof apiTokens.$inferSelect;

/** What a token is issued for. `agentId` stands where the scope is `submit`, and only there. */
export interface TokenTerms {
  readonly name: string | null;
  readonly scope: TokenScope;
  readonly agentId: string | null;
  /** null never expires. */
  readonly ttlSeconds: number | null;
  /** The token that issued it and that it ends with; null where a session did. */
  readonly parentTokenId: string | null;
}

/** An API token as it is issued: the only time that it is seen. */
export interface IssuedToken {
  readonly token: string;
  readonly terms: TokenTerms;
  /** Milliseconds since the Unix epoch, or null where it never expires. */
  readonly expiresAt: number | null;
}

type Actor = Pick<Caller, 'orgId' | 'userId'>;

function recordTokenEvent(
  store: WritableStore,
  { orgId, userId: actor }: Actor,
  action: 'token.create' | 'token.revoke',
  { tokenId, name, scope, agentId, ttlSeconds, parentTokenId }: TokenTerms & { readonly tokenId: string },
  now: number,
): void {
  // The log is an organization's: a user without one has none to write to.
  if (orgId === null) return;
  const details = {
    ttl_seconds: ttlSeconds,
    ...(name === null ? {} : { name }),
    ...(scope === 'full' ? {} : { scope }),
    ...(agentId === null ? {} : { agent_id: agentId }),
    ...(parentTokenId === null ? {} : { parent_token_id: parentTokenId }),
  };
  recordAdminEvent(store, { orgId, actor, action, targetType: 'token', targetId: tokenId, details }, now);
}

function addToken(
  store: WritableStore,
  caller: Caller,
  terms: TokenTerms,
  expiresAt: number | null,
  now: number,
): IssuedToken & { readonly tokenId: string } {
  const { token, tokenHash } = newToken(API_PREFIX);
  const tokenId = randomUUID();
  store.db
    .insert(apiTokens)
    .values({ tokenId, tokenHash, userId: caller.userId, createdAt: now, expiresAt, ...terms })
    .run();
  recordTokenEvent(store, caller, 'token.create', { tokenId, ...terms }, now);
  return { tokenId, token, terms, expiresAt };
}

/**
 * Counts the tokens of the caller's organization that have not ended, or of the caller where there is none; within the
 * writer's transaction.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function needRoomForToken(store: Store, { orgId, userId }: Actor, most: number, now: number): void {
  const used = countApiTokens(store, orgId === null ? { userId } : { orgId }, now);
  needRoom({ what: 'API tokens', used, most, remedy: 'revoke those that are no longer needed' });
}

/** Nobody issues a token for what they may not do themselves. @returns the organization @throws ServiceError FORBIDDEN */
function needRights({ orgId, role, separated }: Caller, name: RouteName, kind: string): string {
  if (orgId !== null && role !== null && mayCall(name, role, separated)) return orgId;
  throw new ServiceError(
    'FORBIDDEN',
    `scope: a token that ${kind} needs the role integration_engineer or a higher one`,
  );
}

/**
 * Issues an API token; within the writer's transaction.
 * @throws ServiceError for a token that submits: NOT_FOUND where the organization has no such agent; for one that submits or
 *   registers an agent: FORBIDDEN where the caller's own role could not
 */
export function createApiToken(store: WritableStore, caller: Caller, terms: TokenTerms, now: number): IssuedToken {
  const { agentId, ttlSeconds } = terms;
  if (agentId !== null) {
    const { userId } = findAgentRow(store, needRights(caller, 'submitOperation', 'submits'), agentId);
    if (userId !== null) {
      throw new ServiceError(
        'FORBIDDEN',
        `agent_id: "${agentId}" is a person's own agent, whose records come from a session of that person and no token`,
      );
    }
  }
  if (terms.scope === 'enrol') needRights(caller, 'registerAgent', 'registers an agent');
  return addToken(store, caller, terms, ttlSeconds === null ? null : now + ttlSeconds * 1000, now);
}

/**
 * The stored token of a call, read again within the transaction that the call is about: it may have ended meanwhile.
 * @throws ServiceError UNAUTHORIZED
 */
export function presentedToken({ db }: Store, token: string, now: number): StoredToken {
  const row = db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, hashToken(token)))
    .get();
  if (row === undefined || (row.expiresAt !== null && row.expiresAt <= now)) {
    throw new ServiceError('UNAUTHORIZED', 'the token is unknown or has expired');
  }
  return row;
}

/**
 * Issues a token that can only submit for an agent and that ends when the full token ends that asks for it, and with that
 * one; within the writer's transaction. @throws ServiceError as createApiToken
 */
export function createChildToken(
  store: WritableStore,
  caller: Caller,
  parent: StoredToken,
  { agentId, name }: { readonly agentId: string; readonly name: string | null },
  now: number,
): IssuedToken {
  findAgentRow(store, needRights(caller, 'submitOperation', 'submits'), agentId);
  const { expiresAt, tokenId: parentTokenId } = parent;
  const ttlSeconds = expiresAt === null ? null : Math.ceil((expiresAt - now) / 1000);
  return addToken(store, caller, { name, scope: 'submit', agentId, ttlSeconds, parentTokenId }, expiresAt, now);
}

/** Deletes a token that could register one agent; within the writer's transaction. @param agentId the agent that it registered */
export function spendToken(
  store: WritableStore,
  caller: Caller,
  token: StoredToken,
  agentId: string,
  now: number,
): void {
  revoke(store, caller, { ...token, agentId }, now);
}

/**
 * Replaces an API token by a new one on the same terms that ends when the first one was to end: who stole it gains no time.
 * Within the writer's transaction. Null where it is gone.
 */
export function rotateApiToken(store: WritableStore, caller: Caller, token: string, now: number): IssuedToken | null {
  const old = store.db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, hashToken(token)))
    .get();
  if (old === undefined) return null;
  const { tokenId, name, scope, agentId, ttlSeconds, expiresAt, parentTokenId } = old;
  recordTokenEvent(store, caller, 'token.revoke', old, now);
  const terms = { name, scope, agentId, ttlSeconds, parentTokenId };
  const issued = addToken(store, caller, terms, expiresAt, now);
  // What the old one issued ends with the new one.
  store.db.update(apiTokens).set({ parentTokenId: issued.tokenId }).where(eq(apiTokens.parentTokenId, tokenId)).run();
  store.db.delete(apiTokens).where(eq(apiTokens.tokenId, tokenId)).run();
  return issued;
}

function seconds(milliseconds: number): number;
function seconds(milliseconds: number | null): number | null;
function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000);
}

/** Whose tokens: a user's, or those of all members of an organization. */
type TokenHolder = { readonly userId: string } | { readonly orgId: string };

/** Tokens that have not ended; of `apiTokens` with `members` joined. */
function validOf(holder: TokenHolder, now: number) {
  return and(
    'userId' in holder ? eq(apiTokens.userId, holder.userId) : eq(members.orgId, holder.orgId),
    or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
  );
}

function countApiTokens({ db }: Store, holder: TokenHolder, now: number): number {
  const found = db
    .select({ count: count() })
    .from(apiTokens)
    .leftJoin(members, eq(members.userId, apiTokens.userId))
    .where(validOf(holder, now))
    .get();
  return found?.count ?? 0;
}

/**
 * API tokens, newest first, without those that have expired. Times are seconds since the Unix epoch.
 * @param of one user, or all members of an organization
 */
export function listApiTokens({ db }: Store, holder: TokenHolder, now: number): OrganizationTokenRow[] {
  return db
    .select({ ...getTableColumns(apiTokens), email: users.email })
    .from(apiTokens)
    .innerJoin(users, eq(users.userId, apiTokens.userId))
    .leftJoin(members, eq(members.userId, apiTokens.userId))
    .where(validOf(holder, now))
    .orderBy(desc(apiTokens.createdAt), apiTokens.tokenId)
    .all()
    .map((row) => ({
      id: row.tokenId,
      name: row.name,
      scope: row.scope,
      agent_id: row.agentId,
      created_at: seconds(row.createdAt),
      expires_at: seconds(row.expiresAt),
      ttl_seconds: row.ttlSeconds,
      last_used_at: seconds(row.lastUsedAt),
      last_used_from: row.lastUsedFrom,
      user_id: row.userId,
      email: row.email,
    }));
}

function revoke(store: WritableStore, actor: Actor, token: StoredToken | undefined, now: number): boolean {
  if (token === undefined) return false;
  // One that leaks must not live on in what it issued.
  const issued = store.db.select().from(apiTokens).where(eq(apiTokens.parentTokenId, token.tokenId)).all();
  for (const child of issued) revoke(store, actor, child, now);
  store.db.delete(apiTokens).where(eq(apiTokens.tokenId, token.tokenId)).run();
  recordTokenEvent(store, actor, 'token.revoke', token, now);
  return true;
}

/** Revokes one of the caller's API tokens; within the writer's transaction. @returns whether there was one */
export function revokeApiToken(store: WritableStore, caller: Caller, tokenId: string, now: number): boolean {
  const named = and(eq(apiTokens.tokenId, tokenId), eq(apiTokens.userId, caller.userId));
  return revoke(store, caller, store.db.select().from(apiTokens).where(named).get(), now);
}

/** Revokes an API token of any member of the caller's organization, as revokeApiToken. */
export function revokeOrganizationToken(
  store: WritableStore,
  caller: Caller & { readonly orgId: string },
  tokenId: string,
  now: number,
): boolean {
  const named = and(eq(apiTokens.tokenId, tokenId), eq(members.orgId, caller.orgId));
  const row = store.db
    .select(getTableColumns(apiTokens))
    .from(apiTokens)
    .innerJoin(members, eq(members.userId, apiTokens.userId))
    .where(named)
    .get();
  return revoke(store, caller, row, now);
}

/**
 * Revokes all API tokens of a user, as when they leave an organization: they must not act in the next one. Within the
 * writer's transaction; `actor` is who brings it about. @param keep one that stays
 * @returns how many were revoked
 */
export function revokeAllApiTokens(
  store: WritableStore,
  userId: string,
  actor: Actor,
  now: number,
  keep: string | null = null,
): number {
  const ofUser = eq(apiTokens.userId, userId);
  const rows = store.db
    .select()
    .from(apiTokens)
    .where(keep === null ? ofUser : and(ofUser, ne(apiTokens.tokenHash, hashToken(keep))))
    .all();
  // Those that a token issued are of the same user, and come before it: each is revoked once.
  const inOrder = rows.toSorted((a, b) => Number(a.parentTokenId === null) - Number(b.parentTokenId === null));
  for (const row of inOrder) revoke(store, actor, row, now);
  return rows.length;
}

/** How exactly it is kept when a token was last used: not every request is worth a commit. Milliseconds. */
export const LAST_USE_STEP_MS = 60_000;

/** Notes that an API token is used, and from which address; within the writer. */
export function noteUse({ db }: WritableStore, token: string, from: string, now: number): void {
  const ofToken = eq(apiTokens.tokenHash, hashToken(token));
  db.update(apiTokens).set({ lastUsedAt: now, lastUsedFrom: from }).where(ofToken).run();
}
