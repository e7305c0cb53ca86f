import type { StrictVerifier } from '../crypto.ts';
import { isStrictPublicKey } from '../ed25519.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import type { AttestedAgentKey, BundleAgent, ProvenAgent } from '../statements/agent-key.ts';
import { parseAgentKey } from '../trust-entry.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import { isSignedStatement } from './signed-statement.ts';

/** An agent's key, ready for use. */
export interface KnownAgentKey {
  readonly publicKey: Uint8Array;
  readonly strict: boolean;
  /** Whether the service's attestation of it verifies. */
  readonly attested: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly retiredAt: number | null;
  /** Whether the reader, who named keys for this agent, named another. */
  readonly unwanted: boolean;
}

/** An agent of a bundle, or of a proof of records, which says no more of it than its keys. */
export type ListedAgent = ProvenAgent & Partial<Omit<BundleAgent, keyof ProvenAgent>>;

/** The agents of a bundle with their keys, each checked against the service's attestation. */
export class Directory {
  readonly #keys = new Map<string, Map<string, KnownAgentKey>>();
  /** Public keys and thumbprints that the reader named, by agent. */
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whose key a public key is, of the first that has it. */
  readonly #owners = new Map<string, string>();
  attestations = 0;
  /** The latest time that an agent or a key states; 0 where there is none. */
  latest = 0;

  /** @param wanted `AGENT=KEY` each (parseAgentKey) */
  constructor(wanted: readonly string[] = []) {
    const byAgent = new Map<string, Set<string>>();
    for (const { agentId, key } of wanted.map(parseAgentKey)) {
      byAgent.set(agentId, (byAgent.get(agentId) ?? new Set()).add(key));
    }
    this.#wanted = byAgent;
  }

  async load(
    agents: readonly ListedAgent[],
    orgId: string,
    issuer: Issuer,
    verifier: StrictVerifier,
    log: FindingLog,
  ): Promise<void> {
    for (const { public_key, kid } of issuer.publicKeys()) this.#owners.set(public_key, `the service key ${kid}`);
    for (const agent of agents) {
      this.latest = Math.max(this.latest, agent.created_at ?? 0);
      const where = { agent_id: agent.agent_id };
      if (this.#keys.has(agent.agent_id)) {
        log.add('MALFORMED', { where, message: 'The agent is listed twice.' });
        continue;
      }
      const of = agent.org_id ?? orgId;
      if (of !== orgId) {
        log.add('MALFORMED', {
          where,
          expected: orgId,
          actual: of,
          message: 'The agent belongs to another organization than the file.',
        });
      }
      const keys = new Map<string, KnownAgentKey>();
      this.#keys.set(agent.agent_id, keys);
      for (const key of agent.keys) await this.#loadKey({ of, ...agent }, key, keys, issuer, verifier, log);
    }
  }

  async #loadKey(
    agent: ProvenAgent & { readonly of: string },
    key: AttestedAgentKey,
    keys: Map<string, KnownAgentKey>,
    issuer: Issuer,
    verifier: StrictVerifier,
    log: FindingLog,
  ): Promise<void> {
    const where = { agent_id: agent.agent_id, kid: key.kid };
    if (keys.has(key.kid)) {
      log.add('MALFORMED', { where, message: 'The key is listed twice.' });
      return;
    }
    const publicKey = fromBase64Url(key.public_key, 32);
    const strict = isStrictPublicKey(publicKey);
    if (!strict) log.add('KEY_WEAK', { where, message: "The agent's key is not a point of prime order." });
    this.attestations++;
    const statement = { org_id: agent.of, agent_key: key };
    const signed = await isSignedStatement(statement, (kid) => issuer.keyFor(kid), verifier);
    const attested =
      signed && key.agent_id === agent.agent_id && (key.status === 'revoked') === (key.retired_at !== null);
    const wanted = this.#wanted.get(agent.agent_id);
    const unwanted = wanted !== undefined && !wanted.has(key.public_key) && !wanted.has(thumbprint(publicKey));
    const { created_at: createdAt, retired_at: retiredAt } = key;
    this.latest = Math.max(this.latest, createdAt, retiredAt ?? 0);
    keys.set(key.kid, { publicKey, strict, attested, createdAt, retiredAt, unwanted });
    this.#checkOwner(agent.agent_id, key, log);
    if (!attested) {
      log.add('KEY_ATTESTATION_INVALID', {
        where,
        message:
          "The service's attestation of this agent key does not verify: the key, its owner or its state was changed.",
      });
    }
  }

  /** What one key signed, whoever else has it could have signed as well. */
  #checkOwner(agentId: string, { kid, public_key }: AttestedAgentKey, log: FindingLog): void {
    const owner = this.#owners.get(public_key);
    if (owner === undefined) this.#owners.set(public_key, `agent ${agentId}`);
    else if (owner !== `agent ${agentId}`) {
      log.add('KEY_SHARED', {
        severity: 'warning',
        where: { agent_id: agentId, kid },
        expected: 'its own key',
        actual: `the key of ${owner}`,
        message: 'Somebody else has the same public key: who signed with it cannot be told apart by it.',
      });
    }
  }

  find(agentId: string, kid: string): KnownAgentKey | undefined {
    return this.#keys.get(agentId)?.get(kid);
  }
}
