import { randomUUID } from 'node:crypto';
import type { AgentAnswer, AgentHead, ListedAgent } from '../../../api/index.ts';
import {
  type Agent,
  type AgentKey,
  agentKeySignedBytes,
  type BundleAgent,
  formatDigest,
  fromBase64Url,
  PERSON_TYPE,
  ProtocolError,
  publicKeyFromInput,
  thumbprint,
  toBase64Url,
} from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq, isNull } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { agentKeys, agents } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { needRoomInDirectory } from './directory-room.ts';

export type AgentRow = typeof agents.$inferSelect;
export type AgentKeyRow = typeof agentKeys.$inferSelect;

/** What the registry works on. `now` is what the machine's clock says, in milliseconds. */
export interface RegistryContext extends WriteAccess {
  readonly key: KeyHolder;
}

export interface AgentRegistration {
  readonly agent_id: string;
  readonly display_name?: string | undefined;
  readonly responsible_entity?: string | undefined;
  readonly integration_type: string;
  readonly keys: readonly { readonly kid: string; readonly public_key: string }[];
}

/** An agent of a stored row. */
export function agentView(row: AgentRow): Agent {
  return {
    agent_id: row.agentId,
    org_id: row.orgId,
    display_name: row.displayName,
    responsible_entity: row.responsibleEntity,
    integration_type: row.integrationType,
    status: row.status,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** An agent's key of a stored row. */
export function keyView(row: AgentKeyRow): AgentKey {
  return {
    kid: row.kid,
    agent_id: row.agentId,
    public_key: row.publicKey,
    algorithm: 'ed25519',
    status: row.status === 'active' ? 'active' : 'revoked',
    created_at: row.createdAt,
    retired_at: row.retiredAt,
  };
}

/** The key in the one form it is stored in. @throws ServiceError VALIDATION_ERROR naming the member */
export function storedPublicKey(text: string, member: string): string {
  try {
    return toBase64Url(publicKeyFromInput(text));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ServiceError('VALIDATION_ERROR', `${member}: ${error.message}`);
  }
}

/** The thumbprint of a key in that form: the administrative log tells by it which key it was (protocol F97). */
export function thumbprintOf(publicKey: string): string {
  return thumbprint(fromBase64Url(publicKey, 32));
}

/** A key's row with the service's word for its present state (protocol F110). */
export function attest(row: Omit<AgentKeyRow, 'serviceKid' | 'attestation'>, serviceKey: KeyHolder): AgentKeyRow {
  const unattested = { ...row, serviceKid: serviceKey.kid, attestation: '' };
  const statement = agentKeySignedBytes(row.orgId, keyView(unattested), serviceKey.kid);
  return { ...unattested, attestation: toBase64Url(serviceKey.sign(statement)) };
}

function isUsed({ db }: Store, orgId: string, agentId: string): boolean {
  const named = and(eq(agents.orgId, orgId), eq(agents.agentId, agentId));
  return db.select().from(agents).where(named).get() !== undefined;
}

/** A registration whose keys are in the one form they are stored in. */
export interface CheckedRegistration extends Omit<AgentRegistration, 'keys'> {
  readonly keys: readonly { readonly kid: string; readonly publicKey: string }[];
}

/** The agent_id that a person's own agent is given: drawn, so that nobody can have taken the name before. */
export function newPersonAgentId(): string {
  return `person-${randomUUID()}`;
}

const PERSON_AGENT_ID = /^person-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * @throws ServiceError VALIDATION_ERROR for a key that is invalid or weak, or a name that only persons' own agents have;
 *   CONFLICT for a repeated kid
 */
export function checkRegistration(registration: AgentRegistration): CheckedRegistration {
  if (PERSON_AGENT_ID.test(registration.agent_id) && registration.integration_type !== PERSON_TYPE) {
    throw new ServiceError('VALIDATION_ERROR', 'agent_id: names of this form are those of people: take another');
  }
  const keys = registration.keys.map(({ kid, public_key }, index) => ({
    kid,
    publicKey: storedPublicKey(public_key, `keys[${index}].public_key`),
  }));
  const repeated = keys.find(({ kid }, index) => keys.findIndex((other) => other.kid === kid) !== index);
  if (repeated) throw new ServiceError('CONFLICT', `keys: the kid "${repeated.kid}" stands twice`);
  return { ...registration, keys };
}

/** Who adds an agent. `now` is what the machine's clock says, in milliseconds. */
interface Registrar {
  readonly key: KeyHolder;
  readonly orgId: string;
  /** The user's id. */
  readonly actor: string;
  readonly now: number;
  /** The person whose own agent it is; left out for all others. */
  readonly userId?: string;
}

/**
 * Adds an agent with its keys, each attested by the service (protocol F110); within the writer's transaction.
 * @throws ServiceError CONFLICT for a taken agent_id, QUOTA_EXCEEDED
 */
export function addAgent(
  store: WritableStore,
  { key: serviceKey, orgId, actor, now, userId }: Registrar,
  registration: CheckedRegistration,
): AgentAnswer {
  const { agent_id: agentId, keys } = registration;
  // A deleted agent's id stays taken: its operations are evidence under that name.
  if (isUsed(store, orgId, agentId)) {
    throw new ServiceError('CONFLICT', `agent_id: "${agentId}" is in use, or was used before`);
  }
  const { display_name: displayName = agentId, responsible_entity: responsibleEntity = null } = registration;
  const texts = [agentId, displayName, responsibleEntity, ...keys.flatMap(({ kid }) => [agentId, kid])];
  needRoomInDirectory(store, orgId, { agents: 1, keys: keys.length, texts });
  const time = store.clock.stamp(now);
  const agent: AgentRow = {
    orgId,
    agentId,
    displayName,
    responsibleEntity,
    integrationType: registration.integration_type,
    status: 'active',
    createdAt: time,
    updatedAt: time,
    deletedAt: null,
    headSeqNo: null,
    headChainHash: null,
    recordBytes: 0,
    userId: userId ?? null,
  };
  store.db.insert(agents).values(agent).run();
  const rows = keys.map(({ kid, publicKey }) =>
    attest({ orgId, agentId, kid, publicKey, status: 'active', createdAt: time, retiredAt: null }, serviceKey),
  );
  store.db.insert(agentKeys).values(rows).run();
  const details = {
    keys: keys.map(({ kid, publicKey }) => ({ kid, thumbprint: thumbprintOf(publicKey) })),
    display_name: agent.displayName,
    integration_type: agent.integrationType,
    responsible_entity: agent.responsibleEntity,
    ...(userId === undefined ? {} : { user_id: userId }),
  };
  recordAdminEvent(
    store,
    { orgId, actor, action: 'agent.register', targetType: 'agent', targetId: agentId, details },
    time,
  );
  return { agent: agentView(agent), keys: rows.map(keyView) };
}

/**
 * Registers an agent with its keys.
 * @throws ServiceError VALIDATION_ERROR for a key that is invalid or weak, CONFLICT for a taken agent_id or a repeated kid
 */
export function registerAgent(
  { writer, key, now }: RegistryContext,
  orgId: string,
  actor: string,
  registration: AgentRegistration,
): Promise<AgentAnswer> {
  const checked = checkRegistration(registration);
  // A crash after it leaves the agent registered with its keys: registered again, its id is taken.
  return writer.transact((store) => addAgent(store, { key, orgId, actor, now: now() }, checked));
}

/** The organization's agents in the order of their registration, deleted ones left out, with how many keys each can use. */
export function listAgents(store: Store, orgId: string): ListedAgent[] {
  const counted = store
    .statement(`SELECT agent_id, count(*) FROM agent_keys WHERE org_id = ? AND status = 'active' GROUP BY agent_id`)
    .raw()
    .all(orgId) as [string, number][];
  const active = new Map(counted);
  return store.db
    .select()
    .from(agents)
    .where(and(eq(agents.orgId, orgId), isNull(agents.deletedAt)))
    .orderBy(agents.createdAt, agents.agentId)
    .all()
    .map((row) => ({ ...agentView(row), active_keys: active.get(row.agentId) ?? 0 }));
}

/** @throws ServiceError NOT_FOUND, for a deleted agent too */
export function findAgentRow({ db }: Store, orgId: string, agentId: string): AgentRow {
  const row = db
    .select()
    .from(agents)
    .where(and(eq(agents.orgId, orgId), eq(agents.agentId, agentId), isNull(agents.deletedAt)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', `there is no agent "${agentId}"`);
  return row;
}

function keysOf({ db }: Store, orgId: string, agentId: string): AgentKeyRow[] {
  return db
    .select()
    .from(agentKeys)
    .where(and(eq(agentKeys.orgId, orgId), eq(agentKeys.agentId, agentId)))
    .orderBy(agentKeys.createdAt, agentKeys.kid)
    .all();
}

/** @throws ServiceError NOT_FOUND */
export function getAgent(store: Store, orgId: string, agentId: string): AgentAnswer {
  return { agent: agentView(findAgentRow(store, orgId, agentId)), keys: keysOf(store, orgId, agentId).map(keyView) };
}

/** What the agent's next record must refer to. @throws ServiceError NOT_FOUND */
export function getHead(store: Store, orgId: string, agentId: string): AgentHead {
  const { headChainHash, headSeqNo } = findAgentRow(store, orgId, agentId);
  return { chain_hash: headChainHash && formatDigest(headChainHash), seq_no: headSeqNo };
}

/** Agents as a bundle carries them, deleted ones too; one agent alone where the filter names it (protocol F135). */
export function bundleAgents(store: Store, orgId: string, agentId: string | null): BundleAgent[] {
  const ofOrg = eq(agents.orgId, orgId);
  return store.db
    .select()
    .from(agents)
    .where(agentId === null ? ofOrg : and(ofOrg, eq(agents.agentId, agentId)))
    .orderBy(agents.createdAt, agents.agentId)
    .all()
    .map((row) => ({
      ...agentView(row),
      status: row.deletedAt === null ? row.status : 'deleted',
      keys: keysOf(store, orgId, row.agentId).map((key) => ({
        ...keyView(key),
        service_kid: key.serviceKid,
        attestation: key.attestation,
      })),
    }));
}
