import { formatDigest, fromBase64Url } from '../../protocol/index.ts';
import { LookupCache } from '../store/lookup-cache.ts';
import type { Store } from '../store/open.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import { sizeOf } from './record-room.ts';

export interface AgentKeyState {
  readonly publicKey: Uint8Array;
  readonly status: string;
}

/** An agent that exists, as submissions are judged by it. */
export interface AgentState {
  readonly status: string;
  /** Chain hash of its newest record. */
  readonly headChainHash: string | null;
  /** The person whose own agent it is; null for all others. */
  readonly userId: string | null;
}

interface Held extends AgentState {
  headChainHash: string | null;
  readonly keys: Map<string, AgentKeyState>;
}

/** What some rows add to an agent: the last of them, which its head moves to, and what they take together, in bytes. */
export interface AgentGrowth {
  readonly newest: NewOperationRow;
  readonly bytes: number;
}

export function growthOfAgents(rows: readonly NewOperationRow[]): readonly AgentGrowth[] {
  const agents = new Map<string, AgentGrowth>();
  for (const row of rows) {
    const name = nameOf(row.orgId, row.agentId);
    agents.set(name, { newest: row, bytes: (agents.get(name)?.bytes ?? 0) + sizeOf(row) });
  }
  return [...agents.values()];
}

function nameOf(orgId: string, agentId: string): string {
  return `${orgId}\0${agentId}`;
}

/**
 * Agents, their keys and where their chains end: asked twice for each submission, so remembered until the writer may have
 * changed them. The ledger's own commits move the heads, here as in the database.
 */
export class AgentStates {
  readonly #store: Store;
  readonly #held: LookupCache<Held>;

  constructor(store: Store, writer: Writer) {
    this.#store = store;
    this.#held = new LookupCache(writer);
  }

  /** The agent, or null where there is none, or none any more. */
  find(orgId: string, agentId: string): AgentState | null {
    return this.#find(orgId, agentId);
  }

  /** The agent's key with this kid. */
  findKey(orgId: string, agentId: string, kid: string): AgentKeyState | null {
    const agent = this.#find(orgId, agentId);
    const known = agent?.keys.get(kid);
    if (agent === null || known !== undefined) return known ?? null;
    const row = this.#store
      .statement('SELECT public_key, status FROM agent_keys WHERE org_id = ? AND agent_id = ? AND kid = ?')
      .get(orgId, agentId, kid) as { public_key: string; status: string } | undefined;
    if (row === undefined) return null;
    const key = { publicKey: fromBase64Url(row.public_key, 32), status: row.status };
    agent.keys.set(kid, key);
    return key;
  }

  #find(orgId: string, agentId: string): Held | null {
    const name = nameOf(orgId, agentId);
    const known = this.#held.get(name);
    if (known !== undefined) return known;
    const row = this.#store
      .statement(
        'SELECT status, head_chain_hash, user_id FROM agents WHERE org_id = ? AND agent_id = ? AND deleted_at IS NULL',
      )
      .get(orgId, agentId) as { status: string; head_chain_hash: Buffer | null; user_id: string | null } | undefined;
    if (row === undefined) return null;
    const headChainHash = row.head_chain_hash && formatDigest(row.head_chain_hash);
    const agent = { status: row.status, headChainHash, userId: row.user_id, keys: new Map<string, AgentKeyState>() };
    this.#held.set(name, agent);
    return agent;
  }

  /** Adopts the heads of records that were committed. */
  committed(agents: readonly AgentGrowth[]): void {
    for (const { orgId, agentId, chainHash } of agents.map(({ newest }) => newest)) {
      const agent = this.#held.get(nameOf(orgId, agentId));
      if (agent !== undefined) agent.headChainHash = formatDigest(chainHash);
    }
  }

  /** After a commit of which nobody knows whether it took place: everything is read again. */
  forget(): void {
    this.#held.clear();
  }
}
