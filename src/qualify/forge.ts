import {
  adminEventHash,
  agentKeySignedBytes,
  type BundleAgent,
  type BundledEvent,
  type BundleRecord,
  chainHash,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  fromBase64Url,
  inclusionPath,
  isWholeEvent,
  manifestSignedBytes,
  merkleRoot,
  type OperationRecord,
  payloadHash,
  publicKeyOf,
  receiptSignedBytes,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  utf8,
} from '../protocol/index.ts';
import { nodeCrypto, nodeSigner } from '../runtime/index.ts';
import { type Bundle, countsOf, leafOf } from './bundle.ts';

const { sha256 } = nodeCrypto;

/** An Ed25519 key of a forger; the same label gives the same key. */
export interface ForgersKey {
  /** base64url */
  readonly publicKey: string;
  /** @returns the signature in base64url */
  readonly sign: (message: Uint8Array) => string;
}

/** The seed follows from the label: the copies of two runs are the same, and these keys protect nothing. */
export function forgersKey(label: string): ForgersKey {
  const seed = sha256(utf8(`countersign qualify, key of ${label}`));
  const { sign } = nodeSigner(seed);
  return { publicKey: toBase64Url(publicKeyOf(seed)), sign: (message) => toBase64Url(sign(message)) };
}

/** A service key that signed itself and has none before it. */
export function serviceKeyOf(key: ForgersKey, createdAt: number): ServiceKey {
  const statement = {
    kid: thumbprint(fromBase64Url(key.publicKey, 32)),
    public_key: key.publicKey,
    created_at: createdAt,
    prev_kid: null,
  };
  return {
    kid: statement.kid,
    algorithm: 'ed25519',
    public_key: statement.public_key,
    status: 'active',
    created_at: statement.created_at,
    retired_at: null,
    prev_kid: null,
    self_signature: key.sign(serviceKeySignedBytes(statement)),
    prev_signature: null,
  };
}

export interface Forgery {
  /** Names the forger's keys. */
  readonly label: string;
  /** Another organization that everything is to be of. */
  readonly orgId?: string;
  /** Whether agents get new keys too, and each payload another content. Else only what the service signed is new. */
  readonly agentsToo: boolean;
}

/** More hashes than this for the proofs of one forgery are not worth the wait. */
const MAX_PROOF_HASHES = 20_000_000;

/** Whether the trees of a bundle can be made anew in reasonable time. */
export function canForge(bundle: Bundle): boolean {
  const largest = Math.max(0, ...bundle.epochs.map(({ leaf_count }) => leaf_count));
  const proofs = bundle.records.filter(({ inclusion }) => inclusion !== undefined).length;
  return largest * (proofs + bundle.epochs.length) <= MAX_PROOF_HASHES;
}

/** Makes a bundle anew with the forger's own keys, sound in itself: nothing but the issuer's key tells it from a true one. */
export function forge(bundle: Bundle, forgery: Forgery): Bundle {
  return new Forger(bundle, forgery).forge();
}

class Forger {
  readonly #bundle: Bundle;
  readonly #forgery: Forgery;
  readonly #service: ForgersKey;
  readonly #serviceKey: ServiceKey;
  readonly #orgId: string;

  constructor(bundle: Bundle, forgery: Forgery) {
    this.#bundle = bundle;
    this.#forgery = forgery;
    this.#orgId = forgery.orgId ?? bundle.org.org_id;
    this.#service = forgersKey(`the service of ${forgery.label}`);
    this.#serviceKey = serviceKeyOf(this.#service, bundle.service_keys[0]?.created_at ?? 0);
  }

  forge(): Bundle {
    const events = this.#events();
    const newHeads = new Map(this.#bundle.admin_events.map(({ event_hash }, n) => [event_hash, events[n]?.event_hash]));
    const bare = this.#records();
    const { epochs, records } = this.#sealed(bare, (head) => (head === null ? null : (newHeads.get(head) ?? head)));
    const contents = {
      service_keys: [this.#serviceKey],
      org: { ...this.#bundle.org, org_id: this.#orgId },
      agents: this.#bundle.agents.map((agent) => this.#agent(agent)),
      epochs,
      admin_events: events,
      records,
    };
    const manifest = {
      ...this.#bundle.manifest,
      org_id: this.#orgId,
      service_kid: this.#serviceKey.kid,
      ...countsOf(contents, sha256),
    };
    const manifest_signature = this.#service.sign(manifestSignedBytes(manifest));
    return { format: this.#bundle.format, ...contents, manifest, manifest_signature };
  }

  #agentKey(agentId: string, kid: string): ForgersKey {
    return forgersKey(`agent ${JSON.stringify([agentId, kid])} of ${this.#forgery.label}`);
  }

  #agent(agent: BundleAgent): BundleAgent {
    const { kid: service_kid } = this.#serviceKey;
    const keys = agent.keys.map((old) => {
      const key = this.#forgery.agentsToo
        ? { ...old, public_key: this.#agentKey(agent.agent_id, old.kid).publicKey }
        : old;
      const attestation = this.#service.sign(agentKeySignedBytes(this.#orgId, key, service_kid));
      return { ...key, service_kid, attestation };
    });
    return { ...agent, org_id: this.#orgId, keys };
  }

  #events(): BundledEvent[] {
    const events: BundledEvent[] = [];
    for (const given of this.#bundle.admin_events) {
      const prev_event_hash = events.at(-1)?.event_hash ?? given.prev_event_hash;
      if (!isWholeEvent(given)) {
        events.push({ ...given, prev_event_hash });
        continue;
      }
      const { event_hash: _, ...event } = given;
      const statement = { ...event, org_id: this.#orgId, prev_event_hash };
      events.push({ ...statement, event_hash: adminEventHash(statement, sha256) });
    }
    return events;
  }

  /** The records, each agent's chain linked anew; their proofs are still the old ones. */
  #records(): BundleRecord[] {
    const heads = new Map<string, string>();
    return this.#bundle.records.map((record) => {
      const eor = this.#forgery.agentsToo ? this.#operation(record.eor, heads) : record.eor;
      const chain_hash = chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64), sha256);
      heads.set(eor.agent_id, chain_hash);
      const { service_signature: _, ...old } = record.ear;
      const receipt = { ...old, org_id: this.#orgId, chain_hash, service_kid: this.#serviceKey.kid };
      return {
        ...record,
        eor,
        ear: { ...receipt, service_signature: this.#service.sign(receiptSignedBytes(receipt)) },
      };
    });
  }

  #operation(old: OperationRecord, heads: ReadonlyMap<string, string>): OperationRecord {
    const payload = old.payload === undefined ? {} : { payload: { ...old.payload, forged: true } };
    const { signature: _, ...unsigned } = {
      ...old,
      ...payload,
      org_id: this.#orgId,
      payload_hash: payload.payload === undefined ? old.payload_hash : payloadHash(payload.payload, sha256),
      prev_chain_hash: heads.get(old.agent_id) ?? old.prev_chain_hash,
    };
    const key = this.#agentKey(unsigned.agent_id, unsigned.agent_pubkey_kid);
    return { ...unsigned, signature: key.sign(recordSignedBytes(unsigned)) };
  }

  /** Epochs over the new receipts, and proofs that lead to their roots; leaves that the bundle lacks are made up. */
  #sealed(
    records: readonly BundleRecord[],
    newHead: (head: string | null) => string | null,
  ): { epochs: Epoch[]; records: BundleRecord[] } {
    const leaves = new Map(records.map((record) => [record.ear.seq_no, leafOf(record, sha256)]));
    const sealed = [...records];
    const epochs: Epoch[] = [];
    for (const { signature_by_service: _, ...old } of this.#bundle.epochs) {
      const run = Array.from(
        { length: old.leaf_count },
        (__, n) => leaves.get(old.first_seq_no + n) ?? sha256(utf8(`leaf ${old.first_seq_no + n}`)),
      );
      const previous = epochs.at(-1);
      const statement = {
        ...old,
        org_id: this.#orgId,
        root_hash: formatDigest(merkleRoot(run, sha256)),
        prev_epoch_hash: previous === undefined ? old.prev_epoch_hash : epochHash(epochSignedBytes(previous), sha256),
        admin_head_hash: newHead(old.admin_head_hash),
        service_kid: this.#serviceKey.kid,
      };
      epochs.push({ ...statement, signature_by_service: this.#service.sign(epochSignedBytes(statement)) });
      for (const [index, record] of sealed.entries()) {
        if (record.inclusion?.epoch_id !== old.epoch_id) continue;
        const path = inclusionPath(run, record.inclusion.leaf_index, sha256).map(formatDigest);
        sealed[index] = { ...record, inclusion: { ...record.inclusion, path } };
      }
    }
    return { epochs, records: sealed };
  }
}
