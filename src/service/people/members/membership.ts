import { randomUUID } from 'node:crypto';
import { type Member, type Role, satisfiesRole } from '../../../api/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { agentAssignments, members, users } from '../../store/schema.ts';
import { deleteAgentOf } from '../agents/person-agents.ts';
import { revokeAllApiTokens } from '../identity/api-tokens.ts';
import { revokeUnbacked } from './inviter-rights.ts';

/** Who acts on a membership, and as what. */
export interface Actor {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
}

type Row = { member: typeof members.$inferSelect; user: typeof users.$inferSelect };

function view({ member, user }: Row): Member {
  return {
    member_id: member.memberId,
    user_id: member.userId,
    role: member.role as Role,
    joined_at: new Date(member.joinedAt).toISOString(),
    email: user.email,
    display_name: user.name,
  };
}

/** Makes a user a member; within the writer's transaction. The user must have no organization yet. */
export function addMember({ db }: WritableStore, orgId: string, userId: string, role: Role, now: number): void {
  db.insert(members).values({ memberId: randomUUID(), orgId, userId, role, joinedAt: now }).run();
}

/** Whether a user belongs to any organization; a user has at most one. */
export function hasOrganization({ db }: Store, userId: string): boolean {
  return db.select().from(members).where(eq(members.userId, userId)).get() !== undefined;
}

/** The organization's members in the order they joined. */
export function listMembers({ db }: Store, orgId: string): Member[] {
  return db
    .select({ member: members, user: users })
    .from(members)
    .innerJoin(users, eq(users.userId, members.userId))
    .where(eq(members.orgId, orgId))
    .orderBy(members.joinedAt, members.memberId)
    .all()
    .map(view);
}

/** @throws ServiceError NOT_FOUND */
export function findMember({ db }: Store, orgId: string, userId: string): Member {
  const row = db
    .select({ member: members, user: users })
    .from(members)
    .innerJoin(users, eq(users.userId, members.userId))
    .where(and(eq(members.orgId, orgId), eq(members.userId, userId)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such member');
  return view(row);
}

/** Nobody grants a role above their own. @throws ServiceError FORBIDDEN */
export function checkGrant(actor: Actor, role: Role): void {
  if (!satisfiesRole(actor.role, role))
    throw new ServiceError('FORBIDDEN', `role: you cannot grant ${role}, it is above your own`);
}

/** Nobody changes or removes who stands above them. */
function checkRank(actor: Actor, target: Member): void {
  if (!satisfiesRole(actor.role, target.role)) {
    throw new ServiceError('FORBIDDEN', `the member is ${target.role}, which is above your own role`);
  }
}

function checkNotLastOwner(store: Store, orgId: string, target: Member): void {
  if (target.role !== 'org_owner') return;
  const owners = listMembers(store, orgId).filter(({ role }) => role === 'org_owner');
  if (owners.length === 1) throw new ServiceError('CONFLICT', 'the last owner cannot leave or change role');
}

/** Changes a member's role; within the writer's transaction. @throws ServiceError NOT_FOUND, FORBIDDEN, CONFLICT */
export function changeRole(store: WritableStore, actor: Actor, userId: string, role: Role, now: number): Member {
  const target = findMember(store, actor.orgId, userId);
  checkGrant(actor, role);
  checkRank(actor, target);
  if (role !== 'org_owner') checkNotLastOwner(store, actor.orgId, target);
  store.db.update(members).set({ role }).where(eq(members.memberId, target.member_id)).run();
  revokeUnbacked(store, { orgId: actor.orgId, inviterId: userId, role, actor: actor.userId }, now);
  recordAdminEvent(
    store,
    {
      orgId: actor.orgId,
      actor: actor.userId,
      action: 'member.role_change',
      targetType: 'member',
      targetId: userId,
      details: { email: target.email, from: target.role, to: role },
    },
    now,
  );
  return { ...target, role };
}

/**
 * Removes a member, or lets one leave; within the writer's transaction. The account stays, without organization and
 * without API tokens and without an agent for decisions; the invitations that the member made end.
 * @throws ServiceError NOT_FOUND, FORBIDDEN, CONFLICT
 */
export function removeMember(store: WritableStore, actor: Actor, userId: string, now: number): void {
  const { db } = store;
  if (userId !== actor.userId && !satisfiesRole(actor.role, 'security_admin')) {
    throw new ServiceError('FORBIDDEN', 'removing someone else needs the role security_admin or a higher one');
  }
  const target = findMember(store, actor.orgId, userId);
  checkRank(actor, target);
  checkNotLastOwner(store, actor.orgId, target);
  db.delete(agentAssignments)
    .where(and(eq(agentAssignments.orgId, actor.orgId), eq(agentAssignments.userId, userId)))
    .run();
  db.delete(members).where(eq(members.memberId, target.member_id)).run();
  revokeUnbacked(store, { orgId: actor.orgId, inviterId: userId, role: null, actor: actor.userId }, now);
  revokeAllApiTokens(store, userId, actor, now);
  deleteAgentOf(store, { orgId: actor.orgId, actor: actor.userId, now }, userId);
  recordAdminEvent(
    store,
    {
      orgId: actor.orgId,
      actor: actor.userId,
      action: 'member.remove',
      targetType: 'member',
      targetId: userId,
      details: { email: target.email, role: target.role },
    },
    now,
  );
}
