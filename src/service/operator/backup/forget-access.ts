import { OPERATOR, recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { apiTokens, invitations, knownPages, oauthStates, organizations, sessions } from '../../store/schema.ts';

/** What a restored ledger no longer lets in, by how many there were. */
export interface ForgottenAccess {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

/** The backup that a ledger was restored from. */
export interface RestoredFrom {
  /** Digest of the backup's database, which names the backup. */
  readonly digest: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/**
 * Ends every session, API token, sign-in in progress and pending invitation of a restored ledger, and records the restoration
 * in the log of each organization: what was revoked after the backup was made must not come back with it. To be called within the
 * writer's transaction.
 */
export function forgetAccess(store: WritableStore, { digest, createdAt }: RestoredFrom, now: number): ForgottenAccess {
  const { db } = store;
  const forgotten = {
    sessions: db.delete(sessions).run().changes,
    tokens: db.delete(apiTokens).run().changes,
    invitations: db.update(invitations).set({ status: 'revoked' }).where(eq(invitations.status, 'pending')).run()
      .changes,
  };
  db.delete(oauthStates).run();
  db.delete(knownPages).run();
  for (const { orgId } of db.select({ orgId: organizations.orgId }).from(organizations).all()) {
    const target = { targetType: 'ledger', targetId: digest, details: { backup_created_at: createdAt } };
    recordAdminEvent(store, { orgId, actor: OPERATOR, action: 'ledger.restored', ...target }, now);
  }
  return forgotten;
}
