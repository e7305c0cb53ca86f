import type { Assignment } from '../../../api/index.ts';
import type { Agent } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq, isNull } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { agentAssignments, agents, members } from '../../store/schema.ts';
import { agentView, findAgentRow } from './registry.ts';

/** Who assigns. */
interface Actor {
  readonly orgId: string;
  readonly userId: string;
}

function view(row: typeof agentAssignments.$inferSelect): Assignment {
  return { agent_id: row.agentId, user_id: row.userId, assigned_by: row.assignedBy, assigned_at: row.assignedAt };
}

function named(orgId: string, agentId: string, userId: string) {
  return and(
    eq(agentAssignments.orgId, orgId),
    eq(agentAssignments.agentId, agentId),
    eq(agentAssignments.userId, userId),
  );
}

/** Who looks after an agent, in the order they were assigned. @throws ServiceError NOT_FOUND */
export function listAssignments(store: Store, orgId: string, agentId: string): Assignment[] {
  findAgentRow(store, orgId, agentId);
  return store.db
    .select()
    .from(agentAssignments)
    .where(and(eq(agentAssignments.orgId, orgId), eq(agentAssignments.agentId, agentId)))
    .orderBy(agentAssignments.assignedAt, agentAssignments.userId)
    .all()
    .map(view);
}

/** Ties a member to an agent; within the writer's transaction. @throws ServiceError NOT_FOUND, CONFLICT */
export function assign(store: WritableStore, actor: Actor, agentId: string, userId: string, now: number): Assignment {
  const { db } = store;
  findAgentRow(store, actor.orgId, agentId);
  const isMember = and(eq(members.orgId, actor.orgId), eq(members.userId, userId));
  if (db.select().from(members).where(isMember).get() === undefined) {
    throw new ServiceError('NOT_FOUND', 'user_id: there is no such member');
  }
  if (
    db
      .select()
      .from(agentAssignments)
      .where(named(actor.orgId, agentId, userId))
      .get() !== undefined
  ) {
    throw new ServiceError('CONFLICT', 'user_id: is assigned to the agent already');
  }
  const row = { orgId: actor.orgId, agentId, userId, assignedBy: actor.userId, assignedAt: now };
  db.insert(agentAssignments).values(row).run();
  recordAssignment(store, actor, 'agent.assign', agentId, userId, now);
  return view(row);
}

/** Takes an assignment back; within the writer's transaction. @throws ServiceError NOT_FOUND */
export function unassign(store: WritableStore, actor: Actor, agentId: string, userId: string, now: number): void {
  findAgentRow(store, actor.orgId, agentId);
  const removed = store.db
    .delete(agentAssignments)
    .where(named(actor.orgId, agentId, userId))
    .run();
  if (removed.changes === 0) throw new ServiceError('NOT_FOUND', 'there is no such assignment');
  recordAssignment(store, actor, 'agent.unassign', agentId, userId, now);
}

function recordAssignment(
  store: WritableStore,
  { orgId, userId: actor }: Actor,
  action: 'agent.assign' | 'agent.unassign',
  agentId: string,
  userId: string,
  now: number,
): void {
  const target = { targetType: 'agent', targetId: agentId, details: { user_id: userId } };
  recordAdminEvent(store, { orgId, actor, action, ...target }, now);
}

/** The agents a member looks after, deleted ones left out. */
export function agentsOf({ db }: Store, orgId: string, userId: string): Agent[] {
  return db
    .select({ agent: agents })
    .from(agentAssignments)
    .innerJoin(agents, and(eq(agents.orgId, agentAssignments.orgId), eq(agents.agentId, agentAssignments.agentId)))
    .where(and(eq(agentAssignments.orgId, orgId), eq(agentAssignments.userId, userId), isNull(agents.deletedAt)))
    .orderBy(agents.createdAt, agents.agentId)
    .all()
    .map(({ agent }) => agentView(agent));
}
