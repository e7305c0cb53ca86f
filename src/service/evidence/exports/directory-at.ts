import { nodeCrypto } from '../../../node/index.ts';
import {
  type AgentChange,
  agentKeySignedBytes,
  type BundleAgent,
  noteEvent,
  toBase64Url,
} from '../../../protocol/index.ts';
import { adminEventView } from '../../ledger/admin-log/admin-event-view.ts';
import { adminEventRows } from '../../ledger/admin-log/admin-events.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
import type { Store } from '../../store/open.ts';

/** What an organization is called and its agents, as its administrative log has them up to an event. */
export interface Directory {
  readonly lastEventNo: number;
  readonly name: string;
  readonly agents: readonly BundleAgent[];
}

/** An agent at some event, by the events up to there. */
interface AgentAt {
  names: Partial<BundleAgent>;
  status: 'active' | 'frozen' | 'deleted';
  updatedAt: number;
  readonly given: Set<string>;
  readonly revoked: Set<string>;
}

function follow(agent: AgentAt, change: AgentChange, at: number): void {
  switch (change.kind) {
    case 'register':
    case 'update':
      agent.names = { ...agent.names, ...change.names };
      break;
    case 'freeze':
      agent.status = 'frozen';
      break;
    case 'unfreeze':
      agent.status = 'active';
      break;
    case 'delete':
      agent.status = 'deleted';
      break;
  }
  if (change.kind === 'register') for (const { kid } of change.keys) agent.given.add(kid);
  if (change.kind === 'add_key') agent.given.add(change.key.kid);
  else if (change.kind === 'revoke_key') agent.revoked.add(change.kid);
  else agent.updatedAt = at;
}

/**
 * The directory of a bundle of an earlier moment (protocol F135). Of a key that was revoked since, the table has only the attestation that says
 * so: the active key, which was the active one then too, signs the earlier state as it signed it at that time.
 */
export function directoryAt(store: Store, orgId: string, lastEventNo: number, key: KeyHolder): Directory {
  let name = '';
  const found = new Map<string, AgentAt>();
  for (const row of adminEventRows(store, orgId, lastEventNo)) {
    if (row.targetType !== 'agent' && row.targetType !== 'organization') continue;
    const { whole } = noteEvent(adminEventView(row), nodeCrypto.sha256);
    name = whole?.naming?.name ?? name;
    if (whole?.change == null) continue;
    const { agentId, what } = whole.change;
    const at = found.get(agentId) ?? {
      names: {},
      status: 'active' as const,
      updatedAt: row.createdAt,
      given: new Set<string>(),
      revoked: new Set<string>(),
    };
    found.set(agentId, at);
    follow(at, what, row.createdAt);
  }
  const agents = bundleAgents(store, orgId, null).flatMap((agent): BundleAgent[] => {
    const at = found.get(agent.agent_id);
    if (at === undefined) return [];
    const keys = agent.keys.flatMap((stored) => {
      if (!at.given.has(stored.kid)) return [];
      if (stored.retired_at === null || at.revoked.has(stored.kid)) return [stored];
      const active = { ...stored, status: 'active' as const, retired_at: null, service_kid: key.kid };
      return [{ ...active, attestation: toBase64Url(key.sign(agentKeySignedBytes(orgId, active, key.kid))) }];
    });
    return [{ ...agent, ...at.names, status: at.status, updated_at: at.updatedAt, keys }];
  });
  return { lastEventNo, name, agents };
}
