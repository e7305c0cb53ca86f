import { type Role, satisfiesRole } from '../../../api/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { invitations, members } from '../../store/schema.ts';

/** Whether a member of a role may invite somebody as another; null for somebody who is no member. */
export function mayInvite(role: Role | null, granted: Role): boolean {
  return role !== null && satisfiesRole(role, 'security_admin') && satisfiesRole(role, granted);
}

/** The present role of a user in an organization; null for somebody who is no member of it. */
export function roleIn({ db }: Store, orgId: string, userId: string): Role | null {
  const membership = and(eq(members.orgId, orgId), eq(members.userId, userId));
  return (db.select().from(members).where(membership).get()?.role as Role | undefined) ?? null;
}

export interface InviterChange {
  readonly orgId: string;
  readonly inviterId: string;
  /** What the inviter is from now on; null for no member. */
  readonly role: Role | null;
  /** Who brings the change about. */
  readonly actor: string;
}

/**
 * Takes back the pending invitations that an inviter could not make any more: whoever is removed must not come back, or in
 * somebody else's name, by a code that was put aside. Within the writer's transaction of the change.
 */
export function revokeUnbacked(
  store: WritableStore,
  { orgId, inviterId, role, actor }: InviterChange,
  now: number,
): void {
  const ofInviter = and(eq(invitations.orgId, orgId), eq(invitations.inviterId, inviterId));
  const pending = store.db
    .select()
    .from(invitations)
    .where(and(ofInviter, eq(invitations.status, 'pending')))
    .all();
  for (const { invitationId, email, role: granted, expiresAt } of pending) {
    if (expiresAt <= now || mayInvite(role, granted as Role)) continue;
    store.db.update(invitations).set({ status: 'revoked' }).where(eq(invitations.invitationId, invitationId)).run();
    const details = { invitation_id: invitationId, inviter_id: inviterId };
    const target = { targetType: 'member', targetId: email, details };
    recordAdminEvent(store, { orgId, actor, action: 'invitation.revoke', ...target }, now);
  }
}
