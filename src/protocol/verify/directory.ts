import type { StrictVerifier } from '../crypto.ts';
import type { SignatureCheck } from '../ed25519.ts';
import { fromBase64Url } from '../encoding.ts';
import { type AttestedAgentKey, agentKeySignedBytes, type BundleAgent } from '../statements/agent-key.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';

/** An agent's key, ready for use. */
export interface KnownAgentKey {
  readonly publicKey: Uint8Array;
  readonly strict: boolean;
  /** Whether the service's attestation of it verifies. */
  readonly attested: boolean;
  readonly retiredAt: number | null;
}

/** The agents of a bundle with their keys, each checked against the service's attestation. */
export class Directory {
  readonly #keys = new Map<string, Map<string, KnownAgentKey>>();
  attestations = 0;

  async load(
    agents: readonly BundleAgent[],
    orgId: string,
    issuer: Issuer,
    verifier: StrictVerifier,
    log: FindingLog,
  ): Promise<void> {
    for (const agent of agents) {
      const where = { agent_id: agent.agent_id };
      if (this.#keys.has(agent.agent_id)) {
        log.add('MALFORMED', { where, message: 'The agent is listed twice.' });
        continue;
      }
      if (agent.org_id !== orgId) {
        log.add('MALFORMED', {
          where,
          expected: orgId,
          actual: agent.org_id,
          message: 'The agent belongs to another organization than the bundle.',
        });
      }
      const keys = new Map<string, KnownAgentKey>();
      this.#keys.set(agent.agent_id, keys);
      for (const key of agent.keys) await this.#loadKey(agent, key, keys, issuer, verifier, log);
    }
  }

  async #loadKey(
    agent: BundleAgent,
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
    const strict = verifier.isStrictKey(publicKey);
    if (!strict) log.add('KEY_WEAK', { where, message: "The agent's key is not a point of prime order." });
    this.attestations++;
    const serviceKey = issuer.keyFor(key.service_kid);
    const attestation: SignatureCheck | null = serviceKey && {
      publicKey: serviceKey,
      message: agentKeySignedBytes(agent.org_id, key, key.service_kid),
      signature: fromBase64Url(key.attestation, 64),
    };
    const signed = attestation !== null && (await verifier.verify([attestation]))[0] === true;
    const attested =
      signed && key.agent_id === agent.agent_id && (key.status === 'revoked') === (key.retired_at !== null);
    keys.set(key.kid, { publicKey, strict, attested, retiredAt: key.retired_at });
    if (!attested) {
      log.add('KEY_ATTESTATION_INVALID', {
        where,
        message:
          "The service's attestation of this agent key does not verify: the key, its owner or its state was changed.",
      });
    }
  }

  find(agentId: string, kid: string): KnownAgentKey | undefined {
    return this.#keys.get(agentId)?.get(kid);
  }
}
