import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { and, eq, isNull, ne } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { knownPages, members, oauthIdentities, passkeys, sessions, users } from '../../store/schema.ts';
import { revokeAllApiTokens } from './api-tokens.ts';
import { hashToken } from './tokens.ts';

/** How somebody showed that an address is theirs. */
export type AddressProof = 'invitation' | 'google' | 'github';

export interface ProvenAddress {
  readonly userId: string;
  readonly proof: AddressProof;
  /** The session or API token of whoever gave the proof, where they came with one: it stays, and so does the password. */
  readonly keep: string | null;
}

/** Notes that the address of an account is its holder's, where the account itself is beyond doubt; within the writer. */
export function noteAddress({ db }: WritableStore, userId: string, now: number): void {
  db.update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.userId, userId), isNull(users.emailVerifiedAt)))
    .run();
}

/**
 * Notes that the address of an account is its holder's; within the writer's transaction.
 *
 * Where nobody had shown that before, everything that opens the account ends: anybody can sign up with somebody else's
 * address, keep the password, and wait until the owner of the address comes. Nothing of it is left to whoever made the account
 * but what the one who gave the proof is signed in with.
 */
export function proveAddress(store: WritableStore, { userId, proof, keep }: ProvenAddress, now: number): void {
  const { db } = store;
  const unproven = and(eq(users.userId, userId), isNull(users.emailVerifiedAt));
  const password = keep === null ? { passwordHash: null } : {};
  const { changes } = db
    .update(users)
    .set({ emailVerifiedAt: now, ...password })
    .where(unproven)
    .run();
  if (changes === 0) return;
  const ofUser = eq(sessions.userId, userId);
  const ended = db
    .delete(sessions)
    .where(keep === null ? ofUser : and(ofUser, ne(sessions.tokenHash, hashToken(keep))))
    .run();
  db.delete(oauthIdentities).where(eq(oauthIdentities.userId, userId)).run();
  db.delete(passkeys).where(eq(passkeys.userId, userId)).run();
  db.delete(knownPages).where(eq(knownPages.userId, userId)).run();
  const orgId = db.select().from(members).where(eq(members.userId, userId)).get()?.orgId ?? null;
  const tokens = revokeAllApiTokens(store, userId, { orgId, userId }, now, keep);
  // The log is an organization's: an account without one has none to write to.
  if (orgId === null) return;
  const details = { proof, sessions_ended: ended.changes, tokens_revoked: tokens, password_ended: keep === null };
  const target = { targetType: 'user', targetId: userId, details };
  recordAdminEvent(store, { orgId, actor: userId, action: 'account.verify_address', ...target }, now);
}
