import { canonicalBytes } from '../canonical.ts';
import * as shape from '../shape.ts';

/** An agent's key as the service knows it (docs/interface.md, Agents). Times are milliseconds since the epoch. */
export interface AgentKey {
  readonly kid: string;
  readonly agent_id: string;
  readonly public_key: string;
  readonly algorithm: 'ed25519';
  readonly status: 'active' | 'revoked';
  readonly created_at: number;
  readonly retired_at: number | null;
}

/** The same with the service's word for it, as bundles carry it (protocol F110). */
export interface AttestedAgentKey extends AgentKey {
  readonly service_kid: string;
  readonly attestation: string;
}

export interface Agent {
  readonly agent_id: string;
  readonly org_id: string;
  readonly display_name: string;
  readonly responsible_entity: string | null;
  readonly integration_type: string;
  readonly status: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface BundleAgent extends Agent {
  readonly keys: readonly AttestedAgentKey[];
}

/** An agent as a proof of records has it (protocol R4): nothing that no signature binds. */
export type ProvenAgent = Pick<BundleAgent, 'agent_id' | 'keys'>;

const KEY_SHAPE: shape.Shape<AgentKey> = {
  kid: shape.identifier,
  agent_id: shape.identifier,
  public_key: shape.publicKey,
  algorithm: shape.constant('ed25519'),
  status: shape.oneOf('active', 'revoked'),
  created_at: shape.integer(),
  retired_at: shape.nullable(shape.integer()),
};
const ATTESTED_KEY_SHAPE: shape.Shape<AttestedAgentKey> = {
  ...KEY_SHAPE,
  service_kid: shape.identifier,
  attestation: shape.signature,
};

/** The integration type of a person's own agent. Nobody can register an agent with it, or change one to it. */
export const PERSON_TYPE = 'person';

/** What an agent is called, in a directory as in the events that it follows from (protocol F97). */
export type AgentNames = Pick<BundleAgent, 'display_name' | 'responsible_entity' | 'integration_type'>;

export const AGENT_NAMES: shape.Shape<AgentNames> = {
  display_name: shape.text(0, 512),
  responsible_entity: shape.nullable(shape.text(0, 512)),
  integration_type: shape.identifier,
};

const AGENT_SHAPE: shape.Shape<BundleAgent> = {
  agent_id: shape.identifier,
  org_id: shape.identifier,
  ...AGENT_NAMES,
  status: shape.identifier,
  created_at: shape.integer(),
  updated_at: shape.integer(),
  keys: (value) => (Array.isArray(value) ? null : 'an array'),
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseBundleAgent(value: unknown): BundleAgent {
  return withKeys(shape.parseShape<BundleAgent>(value, AGENT_SHAPE, 'agent'));
}

/** @throws ProtocolError SHAPE_INVALID */
export function parseProvenAgent(value: unknown): ProvenAgent {
  const { agent_id, keys } = AGENT_SHAPE;
  return withKeys(shape.parseShape<ProvenAgent>(value, { agent_id, keys }, 'agent'));
}

function withKeys<T extends ProvenAgent>(agent: T): T {
  agent.keys.forEach((key, index) => void parseAttestedKey(key, `agent.keys[${index}]`));
  return agent;
}

/** @throws ProtocolError SHAPE_INVALID */
export function parseAttestedKey(value: unknown, path: string): AttestedAgentKey {
  return shape.parseShape<AttestedAgentKey>(value, ATTESTED_KEY_SHAPE, path);
}

/** The bytes of the service's word that a key is, or was, an agent's (protocol F110). */
export function agentKeySignedBytes(orgId: string, key: AgentKey, serviceKid: string): Uint8Array {
  const statement = { ...shape.membersOf(key, KEY_SHAPE), org_id: orgId, service_kid: serviceKid };
  return canonicalBytes({ type: 'countersign.agent-key.v1', ...statement });
}
