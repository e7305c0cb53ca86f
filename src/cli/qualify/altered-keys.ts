import {
  type AttestedAgentKey,
  type BundleAgent,
  fromBase64Url,
  recordSignedBytes,
  type ServiceKey,
  thumbprint,
} from '../../protocol/index.ts';
import { flippedSignature, otherText } from './alter.ts';
import type { Bundle } from './bundle.ts';
import { forgersKey, serviceKeyOf } from './forge.ts';
import { type About, failing, type Mutation, type Subject, written } from './mutation.ts';

/** The point (0, 1): as a key it takes one signature for every message (protocol F20). */
const WEAK_KEY = `AQ${'A'.repeat(41)}`;

function directoryMutation(about: About, change: (bundle: Bundle) => Partial<Bundle>): Mutation {
  return failing(about, ({ bundle }) => written('directory', () => ({ ...bundle, ...change(bundle) })));
}

/** A mutation of one agent's entry. */
function agentMutation(about: About, change: (agent: BundleAgent) => BundleAgent): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    if (bundle.agents.length === 0) return 'the bundle lists no agents';
    const index = subject.number(about.id, bundle.agents.length);
    const agent = bundle.agents[index];
    if (agent === undefined) return 'the bundle lists no agents';
    return written(`agent ${agent.agent_id}`, () => ({
      ...bundle,
      agents: bundle.agents.with(index, change(agent)),
    }));
  });
}

/** A mutation of the key that signed one of the records. */
function agentKeyMutation(
  about: About,
  change: (key: AttestedAgentKey, subject: Subject) => AttestedAgentKey,
  also: (bundle: Bundle, agentId: string, kid: string) => Bundle = (bundle) => bundle,
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const index = subject.record(about.id);
    const eor = index === null ? undefined : bundle.records[index]?.eor;
    if (eor === undefined) return 'the bundle holds no records';
    const { agent_id: agentId, agent_pubkey_kid: kid } = eor;
    return written(`agent ${agentId}, key ${kid}`, () => {
      const changed = (key: AttestedAgentKey): AttestedAgentKey => (key.kid === kid ? change(key, subject) : key);
      const agents = bundle.agents.map((agent) =>
        agent.agent_id === agentId ? { ...agent, keys: agent.keys.map(changed) } : agent,
      );
      return also({ ...bundle, agents }, agentId, kid);
    });
  });
}

/** A mutation of the key that signed the manifest. */
function serviceKeyMutation(about: About, change: (key: ServiceKey) => ServiceKey): Mutation {
  return failing(about, ({ bundle }) => {
    const { service_kid: kid } = bundle.manifest;
    return written(`service key ${kid.slice(0, 8)}…`, () => ({
      ...bundle,
      service_keys: bundle.service_keys.map((key) => (key.kid === kid ? change(key) : key)),
    }));
  });
}

/** Every record of one key signed again by somebody else. */
function resignedRecords(bundle: Bundle, agentId: string, kid: string): Bundle {
  const stranger = forgersKey('a stranger');
  const records = bundle.records.map((record) => {
    const { signature: _, ...unsigned } = record.eor;
    if (unsigned.agent_id !== agentId || unsigned.agent_pubkey_kid !== kid) return record;
    return { ...record, eor: { ...unsigned, signature: stranger.sign(recordSignedBytes(unsigned)) } };
  });
  return { ...bundle, records };
}

/** Keys and names: agents, their keys, the service's keys, the organization. */
export const ALTERED_KEYS: readonly Mutation[] = [
  agentKeyMutation(
    { id: 'replace-agent-key', title: "an agent's key replaced", attack: 'have another key count as the agent' },
    (key) => ({ ...key, public_key: forgersKey('a stranger').publicKey }),
  ),
  agentKeyMutation(
    {
      id: 'replace-agent-key-and-sign',
      title: "an agent's key replaced, its records signed again with it",
      attack: 'take the place of an agent',
    },
    (key) => ({ ...key, public_key: forgersKey('a stranger').publicKey }),
    resignedRecords,
  ),
  agentKeyMutation(
    { id: 'weak-agent-key', title: "a weak key in an agent's place", attack: 'have every signature count' },
    (key) => ({ ...key, public_key: WEAK_KEY }),
  ),
  agentKeyMutation(
    {
      id: 'flip-key-status',
      title: 'the status of a key turned over',
      attack: 'use a revoked key, or deny a sound one',
    },
    (key) =>
      key.status === 'revoked'
        ? { ...key, status: 'active', retired_at: null }
        : { ...key, status: 'revoked', retired_at: Number.MAX_SAFE_INTEGER },
  ),
  agentKeyMutation(
    { id: 'flip-attestation', title: 'a bit of an attestation flipped', attack: 'none: damage' },
    (key, subject) => ({ ...key, attestation: flippedSignature(key.attestation, subject.number('attestation', 512)) }),
  ),
  agentMutation(
    { id: 'edit-agent-status', title: "an agent's status edited", attack: 'hide that an agent was frozen or deleted' },
    (agent) => ({ ...agent, status: agent.status === 'active' ? 'frozen' : 'active' }),
  ),
  agentMutation(
    { id: 'edit-agent-name', title: "an agent's display name edited", attack: 'let an agent pass for another' },
    (agent) => ({ ...agent, display_name: `${agent.display_name.slice(0, 500)}, edited` }),
  ),
  directoryMutation({ id: 'delete-agents', title: 'the agents deleted', attack: 'hide who acted' }, () => ({
    agents: [],
  })),
  directoryMutation(
    { id: 'edit-org-name', title: "the organization's name edited", attack: 'pass it off as of somebody else' },
    ({ org }) => ({ org: { ...org, name: `${org.name.slice(0, 1000)}, edited` } }),
  ),
  directoryMutation(
    { id: 'edit-org-id', title: 'the org_id edited', attack: 'pass it off as of somebody else' },
    ({ org }) => ({ org: { ...org, org_id: otherText(org.org_id) } }),
  ),
  directoryMutation(
    { id: 'add-service-key', title: "a stranger's service key added", attack: 'prepare the ground for forgeries' },
    ({ service_keys }) => ({ service_keys: [...service_keys, serviceKeyOf(forgersKey('a strange service'), 0)] }),
  ),
  directoryMutation(
    { id: 'delete-service-keys', title: 'the service keys deleted', attack: 'have nothing to check against' },
    () => ({ service_keys: [] }),
  ),
  serviceKeyMutation(
    { id: 'replace-service-key', title: 'the public key of the service replaced', attack: 'take its place' },
    (key) => ({ ...key, public_key: forgersKey('a strange service').publicKey }),
  ),
  serviceKeyMutation(
    { id: 'weak-service-key', title: 'a weak key in place of the service key', attack: 'have every signature count' },
    (key) => ({ ...key, public_key: WEAK_KEY, kid: thumbprint(fromBase64Url(WEAK_KEY, 32)) }),
  ),
  serviceKeyMutation(
    { id: 'edit-service-key-time', title: 'created_at of the service key edited', attack: 'backdate a key' },
    (key) => ({ ...key, created_at: key.created_at + 1 }),
  ),
  serviceKeyMutation(
    { id: 'edit-service-key-status', title: 'the status of the service key edited', attack: 'hide a rotation' },
    (key) => ({ ...key, status: key.status === 'active' ? 'retired' : 'active' }),
  ),
];
