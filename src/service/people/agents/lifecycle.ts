import type { Agent, AgentKey, Json } from '../../../protocol/index.ts';
import type { AdminAction } from '../../ledger/admin-log/admin-action.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { agentKeys, agents } from '../../store/schema.ts';
import { needRoomInDirectory } from './directory-room.ts';
import {
  type AgentKeyRow,
  type AgentRow,
  agentView,
  attest,
  findAgentRow,
  keyView,
  storedPublicKey,
  thumbprintOf,
} from './registry.ts';

/** What acts on an agent, within the writer's transaction. `now` is what the machine's clock says, in milliseconds. */
export interface LifecycleContext {
  readonly store: WritableStore;
  readonly key: KeyHolder;
  readonly orgId: string;
  /** The user's id. */
  readonly actor: string;
  readonly now: number;
  /** Tells webhooks of a change of status, in the same transaction. */
  readonly onStatusChange: (store: WritableStore, change: StatusChange) => void;
}

export interface StatusChange {
  readonly orgId: string;
  readonly agentId: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly at: number;
}

/** What acts on an agent's keys: its status stays. */
export type KeyContext = Omit<LifecycleContext, 'onStatusChange'>;

/** What an agent's row is changed with. */
type RowContext = Omit<KeyContext, 'key'>;

/** @param at the time of the act, which is the time of its event (protocol F97) */
function record(
  { store, orgId, actor }: RowContext,
  action: AdminAction,
  agentId: string,
  details: { readonly [member: string]: Json },
  at: number,
): void {
  recordAdminEvent(store, { orgId, actor, action, targetType: 'agent', targetId: agentId, details }, at);
}

/**
 * The time of a change: later than the last even within one millisecond, so that updated_at tells that something changed; but not later than
 * a time that was taken back with all of its stretch.
 */
function timeOfChange({ store, now }: RowContext, row: AgentRow): number {
  return store.clock.stamp(row.updatedAt <= store.clock.latest ? Math.max(now, row.updatedAt + 1) : now);
}

function change({ store, orgId }: RowContext, row: AgentRow, values: Partial<AgentRow>, at: number): AgentRow {
  const changed = { ...values, updatedAt: at };
  store.db
    .update(agents)
    .set(changed)
    .where(and(eq(agents.orgId, orgId), eq(agents.agentId, row.agentId)))
    .run();
  return { ...row, ...changed };
}

/** Nobody puts a key of theirs in the place of a person's, or makes a person's agent look like another. */
function refusePersons({ agentId, userId }: AgentRow): void {
  if (userId === null) return;
  throw new ServiceError('FORBIDDEN', `only the person whose own agent "${agentId}" is may change it`);
}

/** Changes how an agent is integrated. @throws ServiceError NOT_FOUND, FORBIDDEN for a person's own */
export function updateAgent(context: LifecycleContext, agentId: string, integrationType: string): Agent {
  const row = findAgentRow(context.store, context.orgId, agentId);
  refusePersons(row);
  const at = timeOfChange(context, row);
  const changed = change(context, row, { integrationType }, at);
  record(
    context,
    'agent.update',
    agentId,
    { from: row.integrationType, to: integrationType, integration_type: integrationType },
    at,
  );
  return agentView(changed);
}

/** Deletes an agent from every listing; its operations and public keys stay as evidence. @throws ServiceError NOT_FOUND */
export function deleteAgent(context: RowContext, agentId: string): void {
  const row = findAgentRow(context.store, context.orgId, agentId);
  const at = timeOfChange(context, row);
  change(context, row, { deletedAt: at }, at);
  record(context, 'agent.delete', agentId, { status: row.status }, at);
}

function setStatus(context: LifecycleContext, agentId: string, to: 'active' | 'frozen', reason: string): Agent {
  const row = findAgentRow(context.store, context.orgId, agentId);
  if (row.status === to) {
    throw new ServiceError('CONFLICT', to === 'frozen' ? 'the agent is frozen already' : 'the agent is not frozen');
  }
  const at = timeOfChange(context, row);
  const changed = change(context, row, { status: to }, at);
  record(context, to === 'frozen' ? 'agent.freeze' : 'agent.unfreeze', agentId, { reason }, at);
  const { store, orgId } = context;
  context.onStatusChange(store, { orgId, agentId, from: row.status, to, reason, at });
  return agentView(changed);
}

/** From now on the agent's operations are refused. @throws ServiceError NOT_FOUND, CONFLICT */
export function freezeAgent(context: LifecycleContext, agentId: string, reason: string): Agent {
  return setStatus(context, agentId, 'frozen', reason);
}

/** The agent may submit again. @throws ServiceError NOT_FOUND, CONFLICT */
export function unfreezeAgent(context: LifecycleContext, agentId: string, reason: string): Agent {
  return setStatus(context, agentId, 'active', reason);
}

function findKeyRow({ store, orgId }: KeyContext, agentId: string, kid: string): AgentKeyRow | undefined {
  return store.db
    .select()
    .from(agentKeys)
    .where(keyNamed(orgId, agentId, kid))
    .get();
}

function keyNamed(orgId: string, agentId: string, kid: string) {
  return and(eq(agentKeys.orgId, orgId), eq(agentKeys.agentId, agentId), eq(agentKeys.kid, kid));
}

/**
 * Revokes a key for good. What it signed before stays verifiable: the attestation is signed again with the time.
 * @throws ServiceError NOT_FOUND, CONFLICT
 */
export function revokeKey(context: KeyContext, agentId: string, kid: string, reason: string): AgentKey {
  const { store, orgId, now, key } = context;
  findAgentRow(store, orgId, agentId);
  const row = findKeyRow(context, agentId, kid);
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'kid: the agent has no such key');
  if (row.status === 'revoked') throw new ServiceError('CONFLICT', 'kid: the key is revoked already');
  const at = store.clock.stamp(now);
  const revoked = attest({ ...row, status: 'revoked', retiredAt: at }, key);
  store.db
    .update(agentKeys)
    .set(revoked)
    .where(keyNamed(orgId, agentId, kid))
    .run();
  record(context, 'agent.revoke_key', agentId, { kid, reason }, at);
  return keyView(revoked);
}

/** Adds a key to an agent. @throws ServiceError NOT_FOUND, FORBIDDEN for a person's own, VALIDATION_ERROR, CONFLICT */
export function addKey(context: KeyContext, agentId: string, kid: string, publicKey: string): AgentKey {
  refusePersons(findAgentRow(context.store, context.orgId, agentId));
  return insertKey(context, agentId, kid, publicKey);
}

/** Adds a key to an agent that is there, whosever it is. @throws ServiceError VALIDATION_ERROR, CONFLICT, QUOTA_EXCEEDED */
export function insertKey(context: KeyContext, agentId: string, kid: string, publicKey: string): AgentKey {
  const { store, orgId, now, key } = context;
  if (findKeyRow(context, agentId, kid) !== undefined) {
    throw new ServiceError('CONFLICT', 'kid: is in use for this agent, or was used before');
  }
  needRoomInDirectory(store, orgId, { agents: 0, keys: 1, texts: [agentId, kid] });
  const stored = storedPublicKey(publicKey, 'public_key');
  const at = store.clock.stamp(now);
  const row = attest({ orgId, agentId, kid, publicKey: stored, status: 'active', createdAt: at, retiredAt: null }, key);
  store.db.insert(agentKeys).values(row).run();
  record(context, 'agent.add_key', agentId, { kid, thumbprint: thumbprintOf(stored) }, at);
  return keyView(row);
}
