import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Invitation, Role } from '../../../api/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, count, desc, eq, gt } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { invitations, members, users } from '../../store/schema.ts';
import { mayInvite, roleIn } from './inviter-rights.ts';
import { type Actor, addMember, checkGrant, hasOrganization } from './membership.ts';

/** Seven days, in milliseconds. */
const LIFETIME_MS = 7 * 86_400_000;

type Row = typeof invitations.$inferSelect;

function view(row: Row): Invitation {
  return {
    invitation_id: row.invitationId,
    email: row.email,
    role: row.role as Role,
    status: row.status as Invitation['status'],
    inviter_id: row.inviterId,
    created_at: new Date(row.createdAt).toISOString(),
    expires_at: new Date(row.expiresAt).toISOString(),
  };
}

function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

/** An invitation with its code, which is shown this once: the database keeps only its hash. */
export interface IssuedInvitation {
  readonly invitation: Invitation;
  readonly code: string;
}

/** Sends invitations by mail where a mail server is set; failing to is no error, for the code is shown as well. */
export type SendInvitations = (
  inviter: { readonly orgId: string; readonly userId: string },
  issued: readonly IssuedInvitation[],
) => void;

/**
 * Invites somebody; within the writer's transaction. An older invitation to the same address stops working.
 * @throws ServiceError FORBIDDEN for a role above the inviter's, CONFLICT for somebody who is a member
 */
export function invite(store: WritableStore, actor: Actor, email: string, role: Role, now: number): IssuedInvitation {
  const { db } = store;
  checkGrant(actor, role);
  const member = db
    .select()
    .from(members)
    .innerJoin(users, eq(users.userId, members.userId))
    .where(and(eq(members.orgId, actor.orgId), eq(users.email, email)))
    .get();
  if (member !== undefined) throw new ServiceError('CONFLICT', 'email: the person is a member already');
  const toSame = and(
    eq(invitations.orgId, actor.orgId),
    eq(invitations.email, email),
    eq(invitations.status, 'pending'),
  );
  db.update(invitations).set({ status: 'revoked' }).where(toSame).run();
  const code = `csn_inv_${randomBytes(24).toString('base64url')}`;
  const row: Row = {
    invitationId: randomUUID(),
    orgId: actor.orgId,
    email,
    role,
    status: 'pending',
    codeHash: hashCode(code),
    inviterId: actor.userId,
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
  };
  db.insert(invitations).values(row).run();
  recordAdminEvent(
    store,
    {
      orgId: actor.orgId,
      actor: actor.userId,
      action: 'member.invite',
      targetType: 'member',
      targetId: email,
      details: { email, role },
    },
    now,
  );
  return { invitation: view(row), code };
}

/** What can still be accepted of an organization's invitations. */
function pendingOf(orgId: string, now: number) {
  return and(eq(invitations.orgId, orgId), eq(invitations.status, 'pending'), gt(invitations.expiresAt, now));
}

export function countInvitations({ db }: Store, orgId: string, now: number): number {
  return db.select({ count: count() }).from(invitations).where(pendingOf(orgId, now)).get()?.count ?? 0;
}

/** Invitations that can still be accepted, newest first. */
export function listInvitations({ db }: Store, orgId: string, now: number): Invitation[] {
  return db
    .select()
    .from(invitations)
    .where(pendingOf(orgId, now))
    .orderBy(desc(invitations.createdAt), desc(invitations.invitationId))
    .all()
    .map(view);
}

/** Takes an invitation back; within the writer's transaction. @throws ServiceError NOT_FOUND, CONFLICT */
export function revokeInvitation(store: WritableStore, actor: Actor, invitationId: string, now: number): void {
  const named = and(eq(invitations.orgId, actor.orgId), eq(invitations.invitationId, invitationId));
  const row = store.db.select().from(invitations).where(named).get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such invitation');
  if (row.status !== 'pending') throw new ServiceError('CONFLICT', `the invitation is ${row.status}`);
  store.db.update(invitations).set({ status: 'revoked' }).where(named).run();
  recordAdminEvent(
    store,
    {
      orgId: actor.orgId,
      actor: actor.userId,
      action: 'invitation.revoke',
      targetType: 'member',
      targetId: row.email,
      details: { invitation_id: invitationId },
    },
    now,
  );
}

/**
 * The invitation of a code, while it can be accepted. Codes have 192 random bits and are looked up by hash: there is
 * nothing to guess or to time.
 * @throws ServiceError NOT_FOUND, CONFLICT
 */
export function findByCode(store: Store, code: string, now: number): Row {
  const row = store.db
    .select()
    .from(invitations)
    .where(eq(invitations.codeHash, hashCode(code)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'code: there is no such invitation');
  if (row.status !== 'pending') throw new ServiceError('CONFLICT', `code: the invitation is ${row.status}`);
  if (row.expiresAt <= now) throw new ServiceError('CONFLICT', 'code: the invitation has expired');
  // Taken back when the inviter's role changed; looked at again, for an invitation must never grant what nobody backs.
  if (!mayInvite(roleIn(store, row.orgId, row.inviterId), row.role as Role)) {
    throw new ServiceError('CONFLICT', 'code: the invitation has ended: the sender may not invite you any more');
  }
  return row;
}

/** Lets a user join by an invitation; within the writer's transaction. @throws ServiceError CONFLICT */
export function join(store: WritableStore, invitation: Row, userId: string, now: number): void {
  if (hasOrganization(store, userId)) throw new ServiceError('CONFLICT', 'you belong to an organization already');
  const role = invitation.role as Role;
  addMember(store, invitation.orgId, userId, role, now);
  store.db
    .update(invitations)
    .set({ status: 'accepted' })
    .where(eq(invitations.invitationId, invitation.invitationId))
    .run();
  recordAdminEvent(
    store,
    {
      orgId: invitation.orgId,
      actor: userId,
      action: 'member.join',
      targetType: 'member',
      targetId: userId,
      details: { email: invitation.email, role, invitation_id: invitation.invitationId },
    },
    now,
  );
}
