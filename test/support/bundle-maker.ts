/**
 * A small ledger and its bundle, made by a service whose keys a test holds. Every step can be replaced; what follows it is
 * built and signed upon what the step gave, as a dishonest service would.
 */

import { type Bundle, type Contents, countsOf, leafOf, withGaps, writeBundle } from '../../src/cli/qualify/bundle.ts';
import {
  type AdminEvent,
  type AdminEventStatement,
  type AgentKey,
  type AttestedAgentKey,
  adminEventHash,
  agentKeySignedBytes,
  BUNDLE_FORMAT,
  type BundleAgent,
  type BundleRecord,
  chainHash,
  type Edges,
  type Epoch,
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatDigest,
  formatTime,
  fromBase64Url,
  type Json,
  type Manifest,
  manifestSignedBytes,
  merkleRoot,
  type Neighbour,
  type OperationRecord,
  parseTime,
  payloadHash,
  type Receipt,
  type ReceiptStatement,
  receiptSignedBytes,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  sha256,
  thumbprint,
  toBase64Url,
  toHex,
  utf8,
} from '../../src/protocol/index.ts';
import { at } from './bytes.ts';
import { signing } from './signing.ts';

export { type Contents, writeBundle };

/** The organization of a made ledger, unless a plan names another. */
export const ORG_ID = 'org_0123456789abcdef0123';

/** When the made ledger's first record is received, less a second. */
export const START = Date.UTC(2026, 4, 1, 10);
const HOUR = 3_600_000;

/** 32 bytes that follow from a label and look random. */
export function derived(label: string): Uint8Array {
  return sha256(utf8(`countersign test ${label}`));
}

/** A digest as it stands in JSON, of nothing in particular. */
export function otherDigest(label = 'another digest'): string {
  return formatDigest(derived(label));
}

/** 64 bytes as a signature stands in JSON, a signature of nothing in particular. */
export function otherSignature(label = 'another signature'): string {
  return sign(derived('stranger'), utf8(label));
}

export function uuid(label: string): string {
  const hex = toHex(derived(`uuid ${label}`));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const serviceSeed = (index: number): Uint8Array => derived(`service key ${index}`);
export const agentSeed = (agent: number): Uint8Array => derived(`agent key ${agent}`);
export const agentName = (agent: number): string => `agent-${agent + 1}`;
export const serviceKid = (index: number): string => thumbprint(keyOf(serviceSeed(index)));

/** Signatures and public keys that were made once: hundreds of bundles are the same but for one value. */
const made = new Map<string, Uint8Array>();
const MOST_MADE = 50_000;

function once(name: string, make: () => Uint8Array): Uint8Array {
  const known = made.get(name);
  if (known !== undefined) return known;
  if (made.size >= MOST_MADE) made.clear();
  const value = make();
  made.set(name, value);
  return value;
}

/** The public key of a seed. */
function keyOf(seed: Uint8Array): Uint8Array {
  return once(toHex(seed), () => signing.publicKey(seed)).slice();
}

export function sign(seed: Uint8Array, message: Uint8Array): string {
  return toBase64Url(once(`${toHex(seed)} ${toHex(sha256(message))}`, () => signing.sign(seed, message)));
}

/** Signed by the service, whatever the kid says. */
export function signReceipt(statement: ReceiptStatement, service = 0): Receipt {
  return { ...statement, service_signature: sign(serviceSeed(service), receiptSignedBytes(statement)) };
}

export function signEpoch(statement: EpochStatement, service = 0): Epoch {
  return { ...statement, signature_by_service: sign(serviceSeed(service), epochSignedBytes(statement)) };
}

type UnsignedRecord = Omit<OperationRecord, 'signature'>;
type Step<T> = (draft: T, index: number) => T;

/** What a test may put in place of an honest step; indexes count from 0 in order of making. */
export interface Steps {
  readonly serviceKey?: Step<ServiceKey>;
  /** An agent's key before the service attests it, and after. */
  readonly agentKey?: Step<AgentKey>;
  readonly attestedKey?: Step<AttestedAgentKey>;
  readonly agent?: Step<BundleAgent>;
  /** An administrative event before it is hashed, and after; the next one follows the latter. */
  readonly adminEvent?: Step<AdminEventStatement>;
  readonly hashedEvent?: Step<AdminEvent>;
  /** A record before its agent signs it, and after; the agent's next one follows the latter. */
  readonly record?: Step<UnsignedRecord>;
  readonly signedRecord?: Step<OperationRecord>;
  readonly receipt?: Step<ReceiptStatement>;
  readonly signedReceipt?: Step<Receipt>;
  /** An epoch before and after the service's signature; the next one follows the latter. */
  readonly epoch?: Step<EpochStatement>;
  readonly signedEpoch?: Step<Epoch>;
  /** What the bundle holds, before the manifest is made of it. */
  readonly contents?: (contents: Contents) => Contents;
  readonly manifest?: (draft: Manifest) => Manifest;
  /** The whole, last of all: nothing is signed again. */
  readonly bundle?: (bundle: Bundle) => Bundle;
}

export interface Plan extends Steps {
  /** Whose bundle it is; the usual organization where left out. */
  readonly orgId?: string;
  /** How many agents take turns. */
  readonly agents?: number;
  /** How many records each epoch has. */
  readonly epochs?: readonly number[];
  /** Whether a second service key takes over with the last epoch. */
  readonly rotation?: boolean;
  /** Which of the service keys is the first: another one is another issuer. */
  readonly serviceOffset?: number;
  /** First and last seq_no of the bundle; all where left out. */
  readonly range?: readonly [number, number];
  /** The agent whose records alone the bundle holds. */
  readonly onlyAgent?: number;
  /** Sequence numbers whose payload is withheld. */
  readonly redacted?: readonly number[];
  /** Members of each payload beside its number. */
  readonly payload?: OperationRecord['payload'];
}

export interface Made {
  readonly bundle: Bundle;
  readonly text: string;
  /** Every receipt that was given, also those outside the bundle. */
  readonly receipts: readonly Receipt[];
}

const ORG_NAME = 'Example';

const same = <T>(draft: T): T => draft;

class Maker {
  readonly #plan: Plan;
  readonly #orgId: string;
  readonly #offset: number;
  readonly #total: number;
  readonly #firstOfEpoch: readonly number[];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#offset = plan.serviceOffset ?? 0;
    this.#orgId = plan.orgId ?? ORG_ID;
    const sizes = plan.epochs ?? [2];
    this.#firstOfEpoch = sizes.map((_, index) => 1 + sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
    this.#total = sizes.reduce((sum, size) => sum + size, 0);
  }

  #received(seqNo: number): number {
    return START + seqNo * 1000;
  }

  #rotates(): boolean {
    return this.#plan.rotation === true;
  }

  /** After the end of the last epoch but one, before the first record of the last. */
  #rotatedAt(): number {
    return this.#received(at(this.#firstOfEpoch, -1)) - 400;
  }

  #serviceOfEpoch(index: number): number {
    return this.#rotates() && index === this.#firstOfEpoch.length - 1 ? 1 : 0;
  }

  #serviceOf(seqNo: number): number {
    return this.#serviceOfEpoch(this.#firstOfEpoch.findLastIndex((first) => first <= seqNo));
  }

  make(): Made {
    const plan = this.#plan;
    const serviceKeys = this.#serviceKeys();
    const kids = serviceKeys.map(({ kid }) => kid);
    const agents = this.#agents(kids);
    const events = this.#adminEvents(agents);
    const ledger = this.#records(kids);
    // Once for all that is made of them: records are many, and each hash of one goes through all of it.
    const leaves = ledger.map((record) => leafOf(record));
    const epochs = this.#epochs(ledger, leaves, events, kids);
    const contents = (plan.contents ?? same)(this.#select(serviceKeys, agents, events, ledger, leaves, epochs));
    const manifest = (plan.manifest ?? same)(this.#manifest(contents, at(kids, -1), ledger));
    const bundle = (plan.bundle ?? same)({
      format: BUNDLE_FORMAT,
      ...contents,
      manifest,
      manifest_signature: sign(serviceSeed(kids.length - 1 + this.#offset), manifestSignedBytes(manifest)),
    });
    return { bundle, text: writeBundle(bundle), receipts: ledger.map(({ ear }) => ear) };
  }

  #serviceKeys(): ServiceKey[] {
    const keys: ServiceKey[] = [];
    for (let index = 0; index < (this.#rotates() ? 2 : 1); index++) {
      const publicKey = keyOf(serviceSeed(index + this.#offset));
      const previous = keys.at(-1);
      const statement = {
        kid: thumbprint(publicKey),
        public_key: toBase64Url(publicKey),
        created_at: index === 0 ? START - 24 * HOUR : this.#rotatedAt(),
        prev_kid: previous?.kid ?? null,
      };
      const message = serviceKeySignedBytes(statement);
      const retired = this.#rotates() && index === 0;
      const key: ServiceKey = {
        kid: statement.kid,
        algorithm: 'ed25519',
        public_key: statement.public_key,
        status: retired ? 'retired' : 'active',
        created_at: statement.created_at,
        retired_at: retired ? this.#rotatedAt() : null,
        prev_kid: statement.prev_kid,
        self_signature: sign(serviceSeed(index + this.#offset), message),
        prev_signature: previous === undefined ? null : sign(serviceSeed(index - 1 + this.#offset), message),
      };
      keys.push((this.#plan.serviceKey ?? same)(key, index));
    }
    return keys;
  }

  #agents(kids: readonly string[]): BundleAgent[] {
    const plan = this.#plan;
    return Array.from({ length: plan.agents ?? 1 }, (_, index) => {
      const draft: AgentKey = {
        kid: 'k1',
        agent_id: agentName(index),
        public_key: toBase64Url(keyOf(agentSeed(index))),
        algorithm: 'ed25519',
        status: 'active',
        created_at: START - HOUR + index,
        retired_at: null,
      };
      const key = (plan.agentKey ?? same)(draft, index);
      const attestation = sign(serviceSeed(this.#offset), agentKeySignedBytes(this.#orgId, key, at(kids, 0)));
      const attested = (plan.attestedKey ?? same)({ ...key, service_kid: at(kids, 0), attestation }, index);
      const agent: BundleAgent = {
        agent_id: agentName(index),
        org_id: this.#orgId,
        display_name: `Agent ${index + 1}`,
        responsible_entity: null,
        integration_type: 'sdk',
        status: 'active',
        created_at: START - HOUR + index,
        updated_at: START - HOUR + index,
        keys: [attested],
      };
      return (plan.agent ?? same)(agent, index);
    });
  }

  /** What created the organization, what made the agents what they are, and a change within each later epoch that touches neither keys nor states. */
  #adminEvents(agents: readonly BundleAgent[]): AdminEvent[] {
    const plan = this.#plan;
    const drafts: { action: string; target: string; at: number; details: { readonly [member: string]: Json } }[] = [
      {
        action: 'org.create',
        target: this.#orgId,
        at: START - HOUR - 1,
        details: { name: ORG_NAME, type: 'organization' },
      },
    ];
    for (const { agent_id: target, created_at, updated_at, status, keys, ...named } of agents) {
      const { display_name, integration_type, responsible_entity } = named;
      const given = keys.map(({ kid, public_key }) => ({ kid, thumbprint: thumbprint(fromBase64Url(public_key, 32)) }));
      drafts.push({
        action: 'agent.register',
        target,
        at: created_at,
        details: { keys: given, display_name, integration_type, responsible_entity },
      });
      for (const { kid, retired_at } of keys) {
        if (retired_at !== null) drafts.push({ action: 'agent.revoke_key', target, at: retired_at, details: { kid } });
      }
      const change = { deleted: 'agent.delete', frozen: 'agent.freeze' }[status];
      if (change !== undefined) drafts.push({ action: change, target, at: updated_at, details: {} });
    }
    for (const first of this.#firstOfEpoch.slice(1)) {
      drafts.push({ action: 'agent.update', target: agentName(0), at: this.#received(first) - 200, details: {} });
    }
    const events: AdminEvent[] = [];
    for (const [index, { action, target, at: createdAt, details }] of drafts.sort((a, b) => a.at - b.at).entries()) {
      const draft: AdminEventStatement = {
        event_id: uuid(`event ${index}`),
        org_id: this.#orgId,
        actor: uuid('actor'),
        action,
        target_type: action === 'org.create' ? 'organization' : 'agent',
        target_id: target,
        details,
        created_at: createdAt,
        prev_event_hash: events.at(-1)?.event_hash ?? null,
      };
      const event = (plan.adminEvent ?? same)(draft, index);
      events.push((plan.hashedEvent ?? same)({ ...event, event_hash: adminEventHash(event) }, index));
    }
    return events;
  }

  #records(kids: readonly string[]): BundleRecord[] {
    const plan = this.#plan;
    const heads = new Map<string, string>();
    return Array.from({ length: this.#total }, (_, index) => {
      const seqNo = index + 1;
      const agent = index % (plan.agents ?? 1);
      const payload = { n: seqNo, ...plan.payload };
      const unsigned: UnsignedRecord = {
        op_version: 1,
        operation_id: uuid(`operation ${seqNo}`),
        org_id: this.#orgId,
        agent_id: agentName(agent),
        issued_at: formatTime(this.#received(seqNo) - 250),
        ttl_ms: 60_000,
        nonce: `nonce-${seqNo}-0123456789`,
        operation_type: 'file.write',
        subject: `file ${seqNo}`,
        action: 'write',
        payload,
        payload_hash: payloadHash(payload),
        prev_chain_hash: heads.get(agentName(agent)) ?? null,
        agent_pubkey_kid: 'k1',
      };
      const draft = (plan.record ?? same)(unsigned, index);
      const signed: OperationRecord = { ...draft, signature: sign(agentSeed(agent), recordSignedBytes(draft)) };
      const eor = (plan.signedRecord ?? same)(signed, index);
      const chain = chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64));
      heads.set(eor.agent_id, chain);
      const service = this.#serviceOf(seqNo);
      const statement: ReceiptStatement = {
        receipt_id: uuid(`receipt ${seqNo}`),
        operation_id: eor.operation_id,
        org_id: eor.org_id,
        agent_id: eor.agent_id,
        seq_no: seqNo,
        chain_hash: chain,
        server_received_at: formatTime(this.#received(seqNo)),
        service_kid: at(kids, service),
      };
      const receipt = (plan.receipt ?? same)(statement, index);
      const ear = (plan.signedReceipt ?? same)(signReceipt(receipt, service + this.#offset), index);
      return { eor, ear };
    });
  }

  #epochs(
    ledger: readonly BundleRecord[],
    leaves: readonly Uint8Array[],
    events: readonly AdminEvent[],
    kids: readonly string[],
  ): Epoch[] {
    const plan = this.#plan;
    const epochs: Epoch[] = [];
    for (const [index, first] of this.#firstOfEpoch.entries()) {
      const last = (this.#firstOfEpoch[index + 1] ?? this.#total + 1) - 1;
      const end = this.#received(last) + 500;
      const previous = epochs.at(-1);
      const sealed = leaves.slice(first - 1, last);
      const service = this.#serviceOfEpoch(index);
      const draft: EpochStatement = {
        epoch_id: uuid(`epoch ${index}`),
        epoch_no: index + 1,
        org_id: this.#orgId,
        start_time: at(ledger, first - 1).ear.server_received_at,
        end_time: formatTime(end),
        first_seq_no: first,
        last_seq_no: last,
        leaf_count: sealed.length,
        root_hash: formatDigest(merkleRoot(sealed)),
        log_root: formatDigest(merkleRoot(leaves.slice(0, last))),
        hash_alg: 'SHA-256',
        prev_epoch_hash: previous === undefined ? null : epochHash(epochSignedBytes(previous)),
        admin_head_hash: events.findLast(({ created_at }) => created_at <= end)?.event_hash ?? null,
        service_kid: at(kids, service),
      };
      const epoch = (plan.epoch ?? same)(draft, index);
      epochs.push((plan.signedEpoch ?? same)(signEpoch(epoch, service + this.#offset), index));
    }
    return epochs;
  }

  #filter(): { start: number; end: number } {
    const { range } = this.#plan;
    return range === undefined
      ? { start: START - HOUR, end: START + HOUR }
      : { start: this.#received(range[0]), end: this.#received(range[1]) + 1 };
  }

  #select(
    serviceKeys: readonly ServiceKey[],
    agents: readonly BundleAgent[],
    events: readonly AdminEvent[],
    ledger: readonly BundleRecord[],
    leaves: readonly Uint8Array[],
    epochs: readonly Epoch[],
  ): Contents {
    const { range = [1, this.#total], onlyAgent, redacted = [] } = this.#plan;
    const wanted = (agentId: string): boolean => onlyAgent === undefined || agentId === agentName(onlyAgent);
    const inBundle = (seqNo: number): boolean =>
      seqNo >= range[0] && seqNo <= range[1] && wanted(agentName((seqNo - 1) % (this.#plan.agents ?? 1)));
    const records: BundleRecord[] = [];
    for (const [index, { eor, ear }] of ledger.entries()) {
      if (!inBundle(index + 1)) continue;
      const { payload, ...withheld } = eor;
      const shown = redacted.includes(index + 1) ? withheld : eor;
      records.push({ eor: shown, ear });
    }
    const node = (height: number, index: number): Uint8Array =>
      merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
    const contents = {
      service_keys: serviceKeys,
      org: { org_id: this.#orgId, name: ORG_NAME },
      agents: agents.filter(({ agent_id }) => wanted(agent_id)),
      epochs: epochs.filter((_, index) => {
        if (records.length === 0) return false;
        const last = (this.#firstOfEpoch[index + 1] ?? this.#total + 1) - 1;
        return at(this.#firstOfEpoch, index) <= range[1] && last >= range[0];
      }),
      edges: this.#edges(ledger, epochs),
      admin_events: events,
      records,
    };
    return withGaps(contents, node);
  }

  /** Without what leads through the log. */
  #edges(ledger: readonly BundleRecord[], epochs: readonly Epoch[]): Edges {
    const { range = [1, this.#total], onlyAgent } = this.#plan;
    const isOf = ({ ear }: BundleRecord): boolean => onlyAgent === undefined || ear.agent_id === agentName(onlyAgent);
    const before = ledger.slice(0, range[0] - 1).findLast(isOf);
    const after = ledger.slice(range[1]).find(isOf);
    const neighbour = ({ eor: { payload: _, ...eor }, ear }: BundleRecord, withRecord: boolean): Neighbour => ({
      ear,
      ...(withRecord ? { eor } : {}),
    });
    return {
      before: before === undefined ? null : neighbour(before, false),
      after: after === undefined ? null : neighbour(after, onlyAgent !== undefined),
      rest: [],
      head: epochs.at(-1) ?? null,
    };
  }

  #manifest(contents: Contents, kid: string, ledger: readonly BundleRecord[]): Manifest {
    const { start, end } = this.#filter();
    const { onlyAgent } = this.#plan;
    const newest = ledger.findLast(({ ear }) => onlyAgent !== undefined && ear.agent_id === agentName(onlyAgent))?.ear;
    return {
      type: 'countersign.manifest.v1',
      export_id: uuid('export'),
      org_id: contents.org.org_id,
      created_at: formatTime(START + 2 * HOUR),
      filter: {
        start_time: formatTime(start),
        end_time: formatTime(end),
        agent_id: onlyAgent === undefined ? null : agentName(onlyAgent),
      },
      ...countsOf(contents),
      log_head: { seq_no: this.#total, epoch_no: this.#firstOfEpoch.length },
      agent_head: newest === undefined ? null : { seq_no: newest.seq_no, chain_hash: newest.chain_hash },
      service_kid: kid,
    };
  }
}

/** Makes a ledger and a bundle of it, honestly but for the steps that the plan replaces. */
export function makeBundle(plan: Plan = {}): Made {
  return new Maker(plan).make();
}

/** A step that touches only one of its drafts. */
export function only<T>(index: number, change: (draft: T) => T): Step<T> {
  return (draft, current) => (current === index ? change(draft) : draft);
}

/** A time of the ledger so many milliseconds later. */
export function later(time: string, milliseconds: number): string {
  return formatTime(parseTime(time) + milliseconds);
}
