import { type DecisionAgent, LIMITS } from '../../../api/index.ts';
import { type AgentKey, PERSON_TYPE } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq, isNull } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { agentKeys, agents, users } from '../../store/schema.ts';
import { deleteAgent, insertKey, type KeyContext, revokeKey } from './lifecycle.ts';
import { type AgentRow, addAgent, checkRegistration, getAgent, newPersonAgentId } from './registry.ts';

/** A person in an organization: `actor` in a KeyContext is that person. */
function findOwn({ db }: Store, orgId: string, userId: string): AgentRow | undefined {
  return db
    .select()
    .from(agents)
    .where(and(eq(agents.orgId, orgId), eq(agents.userId, userId), isNull(agents.deletedAt)))
    .get();
}

/** The person's own agent with its keys. */
export function describeDecider(store: Store, orgId: string, userId: string): DecisionAgent {
  const row = findOwn(store, orgId, userId);
  return { decider: row === undefined ? null : getAgent(store, orgId, row.agentId) };
}

/**
 * Adds a key to the actor's own agent, which is registered with the first one; within the writer's transaction. A crash
 * after it leaves a key that no window has: its person revokes it.
 * @throws ServiceError VALIDATION_ERROR, CONFLICT, QUOTA_EXCEEDED
 */
export function addOwnKey(
  context: KeyContext,
  key: { readonly kid: string; readonly public_key: string; readonly algorithm: 'ed25519' },
): AgentKey {
  const { store, orgId, actor, now, key: serviceKey } = context;
  const own = findOwn(store, orgId, actor);
  if (own !== undefined) {
    const isActive = and(
      eq(agentKeys.orgId, orgId),
      eq(agentKeys.agentId, own.agentId),
      eq(agentKeys.status, 'active'),
    );
    needRoom({
      what: 'keys for decisions',
      used: store.db.select({ kid: agentKeys.kid }).from(agentKeys).where(isActive).all().length,
      most: LIMITS.decisionKeys,
      remedy: 'revoke those of browsers that you no longer use',
    });
    return insertKey(context, own.agentId, key.kid, key.public_key);
  }
  const person = store.db.select().from(users).where(eq(users.userId, actor)).get();
  const checked = checkRegistration({
    agent_id: newPersonAgentId(),
    display_name: person?.name,
    responsible_entity: person?.email,
    integration_type: PERSON_TYPE,
    keys: [key],
  });
  const { keys } = addAgent(store, { key: serviceKey, orgId, actor, now, userId: actor }, checked);
  const [added] = keys;
  if (added === undefined) throw new Error('an agent was registered without its key');
  return added;
}

/** Revokes a key of the actor's own agent; within the writer's transaction. @throws ServiceError NOT_FOUND, CONFLICT */
export function revokeOwnKey(context: KeyContext, kid: string): AgentKey {
  const own = findOwn(context.store, context.orgId, context.actor);
  if (own === undefined) throw new ServiceError('NOT_FOUND', 'you have no key for decisions');
  return revokeKey(context, own.agentId, kid, 'revoked by the person whose key it is');
}

/** Ends the agent of a person who leaves the organization; within the writer's transaction. Its records stay evidence. */
export function deleteAgentOf(
  store: WritableStore,
  { orgId, actor, now }: { readonly orgId: string; readonly actor: string; readonly now: number },
  userId: string,
): void {
  const own = findOwn(store, orgId, userId);
  if (own !== undefined) deleteAgent({ store, orgId, actor, now }, own.agentId);
}
