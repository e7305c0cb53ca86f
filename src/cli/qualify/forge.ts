import { nodeCrypto, nodeSigner } from '../../node/index.ts';
import {
  type AdminEvent,
  adminEventHash,
  agentKeySignedBytes,
  type BundleAgent,
  type BundledEvent,
  type BundleRecord,
  chainHash,
  fromBase64Url,
  isSalted,
  isWholeEvent,
  type Json,
  manifestSignedBytes,
  type Neighbour,
  type OperationRecord,
  payloadHash,
  type Receipt,
  receiptSignedBytes,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  utf8,
} from '../../protocol/index.ts';
import { type Bundle, countsOf } from './bundle.ts';
import { reseal } from './reseal.ts';

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
  const { publicKey, sign } = nodeSigner(seed);
  return { publicKey: toBase64Url(publicKey), sign: (message) => toBase64Url(sign(message)) };
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
  /** What agents sign in place of what they signed, where they get new keys; else only payloads change. */
  readonly signs?: (record: OperationRecord) => Partial<OperationRecord>;
}

/** More leaves than this are not worth the wait. */
const MAX_LEAVES = 1_000_000;

/** Whether the trees of a bundle can be rebuilt in reasonable time. */
export function canForge({ epochs }: Bundle): boolean {
  return epochs.reduce((sum, { leaf_count }) => sum + leaf_count, 0) <= MAX_LEAVES;
}

/** Makes a bundle again with the forger's own keys, sound in itself: nothing but the issuer's key tells it from a true one. */
export function forge(bundle: Bundle, forgery: Forgery): Bundle {
  return forgeWithKey(bundle, forgery).bundle;
}

/** The new words of a forger's service for a bundle: signs what its holder changes after that. */
export interface ForgedBundle {
  readonly bundle: Bundle;
  readonly service: ForgersKey;
}

/** As forge, with the key that signed all of it. */
export function forgeWithKey(bundle: Bundle, forgery: Forgery): ForgedBundle {
  const forger = new Forger(bundle, forgery);
  return { bundle: forger.forge(), service: forger.service };
}

/** The same bundle with a manifest that states what it holds, signed with a key of the kid that it names. */
export function signedAnew(bundle: Bundle, key: ForgersKey): Bundle {
  const manifest = { ...bundle.manifest, ...countsOf(bundle, sha256) };
  return { ...bundle, manifest, manifest_signature: key.sign(manifestSignedBytes(manifest)) };
}

/** A salted payload stays, or its disclosures would not be its own. */
function withForgedPayload({ payload }: OperationRecord): Partial<OperationRecord> {
  return payload === undefined || isSalted(payload) ? {} : { payload: { ...payload, forged: true } };
}

class Forger {
  readonly #bundle: Bundle;
  readonly #forgery: Forgery;
  readonly service: ForgersKey;
  readonly #serviceKey: ServiceKey;
  readonly #orgId: string;

  constructor(bundle: Bundle, forgery: Forgery) {
    this.#bundle = bundle;
    this.#forgery = forgery;
    this.#orgId = forgery.orgId ?? bundle.org.org_id;
    this.service = forgersKey(`the service of ${forgery.label}`);
    // It signs all that the service's keys signed, from the first on.
    const created = bundle.service_keys.map(({ created_at }) => created_at);
    this.#serviceKey = serviceKeyOf(this.service, Math.min(...created, Number.MAX_SAFE_INTEGER));
  }

  forge(): Bundle {
    const events = this.#events();
    const newHeads = new Map(this.#bundle.admin_events.map(({ event_hash }, n) => [event_hash, events[n]?.event_hash]));
    const heads = new Map<string, string>();
    const records = this.#bundle.records.map((record) => this.#record(record, heads));
    const { before, after, ...log } = this.#bundle.edges;
    const edges = { before: this.#neighbour(before, heads), after: this.#neighbour(after, heads), ...log };
    const sealed = reseal(
      { epochs: this.#bundle.epochs, records, edges },
      {
        kid: this.#serviceKey.kid,
        orgId: this.#orgId,
        sign: this.service.sign,
        newHead: (head) => (head === null ? null : (newHeads.get(head) ?? head)),
      },
    );
    const contents = {
      service_keys: [this.#serviceKey],
      org: { ...this.#bundle.org, org_id: this.#orgId },
      agents: this.#bundle.agents.map((agent) => this.#agent(agent)),
      admin_events: events,
      ...sealed,
    };
    const { agent_head } = this.#bundle.manifest;
    const { edges: sealedEdges } = contents;
    const shown = [...contents.records, sealedEdges.before, sealedEdges.after];
    const ear = shown.find((one) => one?.ear.seq_no === agent_head?.seq_no)?.ear;
    const bundle = { ...this.#bundle, ...contents };
    return signedAnew(
      {
        ...bundle,
        manifest: {
          ...bundle.manifest,
          org_id: this.#orgId,
          agent_head: agent_head && { ...agent_head, chain_hash: ear?.chain_hash ?? agent_head.chain_hash },
          service_kid: this.#serviceKey.kid,
        },
      },
      this.service,
    );
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
      const attestation = this.service.sign(agentKeySignedBytes(this.#orgId, key, service_kid));
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
      const details = this.#forgery.agentsToo && event.target_type === 'agent' ? this.#details(event) : event.details;
      // What the organization is called is said of the forger's.
      const target_id = event.target_id === event.org_id ? this.#orgId : event.target_id;
      const statement = { ...event, target_id, details, org_id: this.#orgId, prev_event_hash };
      events.push({ ...statement, event_hash: adminEventHash(statement, sha256) });
    }
    return events;
  }

  /** The details of an event that gives an agent keys, with the thumbprints of its new ones (protocol F97). */
  #details({ details, target_id }: Pick<AdminEvent, 'details' | 'target_id'>): AdminEvent['details'] {
    const renewed = (named: Json): Json => {
      if (typeof named !== 'object' || named === null || !('kid' in named) || !('thumbprint' in named)) return named;
      const key = this.#agentKey(target_id, String(named['kid']));
      return { ...named, thumbprint: thumbprint(fromBase64Url(key.publicKey, 32)) };
    };
    const { keys } = details;
    return {
      ...(renewed(details) as AdminEvent['details']),
      ...(Array.isArray(keys) ? { keys: keys.map(renewed) } : {}),
    };
  }

  /** A record, its agent's chain linked again. */
  #record(record: BundleRecord, heads: Map<string, string>): BundleRecord {
    const eor = this.#forgery.agentsToo ? this.#operation(record.eor, heads) : record.eor;
    return { ...record, eor, ear: this.#receipt(record.ear, this.#chainHash(eor, heads)) };
  }

  #chainHash(eor: Omit<OperationRecord, 'payload'>, heads: Map<string, string>): string {
    const hash = chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64), sha256);
    heads.set(eor.agent_id, hash);
    return hash;
  }

  #receipt({ service_signature: _, ...old }: Receipt, chain_hash: string): Receipt {
    const receipt = { ...old, org_id: this.#orgId, chain_hash, service_kid: this.#serviceKey.kid };
    return { ...receipt, service_signature: this.service.sign(receiptSignedBytes(receipt)) };
  }

  /** A neighbour with a new receipt. */
  #neighbour(neighbour: Neighbour | null, heads: Map<string, string>): Neighbour | null {
    if (neighbour === null) return null;
    const { ear, eor: old } = neighbour;
    if (old === undefined) return { ...neighbour, ear: this.#receipt(ear, ear.chain_hash) };
    const eor = this.#forgery.agentsToo ? this.#operation(old, heads) : old;
    return { ...neighbour, eor, ear: this.#receipt(ear, this.#chainHash(eor, heads)) };
  }

  #operation(old: OperationRecord, heads: ReadonlyMap<string, string>): OperationRecord {
    const { signs = withForgedPayload } = this.#forgery;
    const changed = { ...old, ...signs(old) };
    const { payload } = changed;
    const { signature: _, ...unsigned } = {
      ...changed,
      org_id: this.#orgId,
      payload_hash: payload === undefined ? old.payload_hash : payloadHash(payload, sha256),
      prev_chain_hash: heads.get(old.agent_id) ?? old.prev_chain_hash,
    };
    const key = this.#agentKey(unsigned.agent_id, unsigned.agent_pubkey_kid);
    return { ...unsigned, signature: key.sign(recordSignedBytes(unsigned)) };
  }
}
