import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { nodeCrypto, nodeSigner } from '../../src/host/index.ts';
import {
  type AdminEvent,
  agentKeySignedBytes,
  type BundleRecord,
  BundleWriter,
  chainHash,
  directoryDigest,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  formatTime,
  HashListDigest,
  type Manifest,
  manifestSignedBytes,
  merkleRoot,
  payloadHash,
  publicKeyOf,
  type RecordCore,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
} from '../../src/protocol/index.ts';

const START = Date.parse('2026-03-01T09:00:00Z');
const ORG = 'org_bench';
const PER_EPOCH = 1000;
const { sha256 } = nodeCrypto;

function seed(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}

function id(kind: number, number: number): string {
  return `${String(kind).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

const serviceSeed = seed(7);
const signAsService = nodeSigner(serviceSeed);
const servicePublic = publicKeyOf(serviceSeed);

/** The kid to trust for a bundle made here. */
export const BENCH_KID = thumbprint(servicePublic);

function serviceKey(): ServiceKey {
  const statement = {
    kid: BENCH_KID,
    public_key: toBase64Url(servicePublic),
    created_at: START - 1000,
    prev_kid: null,
  };
  return {
    ...statement,
    algorithm: 'ed25519',
    status: 'active',
    retired_at: null,
    self_signature: toBase64Url(signAsService(serviceKeySignedBytes(statement))),
    prev_signature: null,
  };
}

/** A payload as a tool call leaves one: a third of a kilobyte, now and then with names in other scripts. */
function payloadOf(number: number): { readonly [member: string]: string | number | readonly string[] } {
  return {
    invoice: `2026/${number}`,
    customer: ['Ada Lovelace', 'Ελένη Παπαδοπούλου', 'Анна Каренина', 'Łukasz Żółć'][number % 4] ?? '',
    total: number * 1.25,
    currency: 'EUR',
    lines: Array.from({ length: 4 }, (_, line) => `position ${line + 1}: item ${(number * 7 + line) % 1000}, 2 pieces`),
    note: 'Checked against the order; sent to the customer by mail, answer expected within fourteen days.',
  };
}

function* records(count: number, agentSeed: Uint8Array): Generator<BundleRecord> {
  const sign = nodeSigner(agentSeed);
  let head: string | null = null;
  for (let number = 1; number <= count; number++) {
    const received = START + number * 500;
    const payload = payloadOf(number);
    const core: RecordCore = {
      op_version: 1,
      operation_id: id(1, number),
      org_id: ORG,
      agent_id: 'billing-bot',
      issued_at: formatTime(received - 40),
      ttl_ms: 60_000,
      nonce: `nonce-${String(number).padStart(9, '0')}`,
      operation_type: 'invoice.create',
      subject: `invoice/${number}`,
      action: 'create',
      payload_hash: payloadHash(payload, sha256),
      prev_chain_hash: head,
      agent_pubkey_kid: 'key-1',
    };
    const bytes = recordSignedBytes(core);
    const signature = sign(bytes);
    head = chainHash(bytes, signature, sha256);
    const statement = {
      receipt_id: id(2, number),
      operation_id: core.operation_id,
      org_id: ORG,
      agent_id: core.agent_id,
      seq_no: number,
      chain_hash: head,
      server_received_at: formatTime(received),
      service_kid: BENCH_KID,
    };
    const service_signature = toBase64Url(signAsService(receiptSignedBytes(statement)));
    yield { eor: { ...core, payload, signature: toBase64Url(signature) }, ear: { ...statement, service_signature } };
  }
}

/** Writes a sound bundle of so many records, the same bytes each time. */
export async function writeBenchBundle(path: string, count: number): Promise<void> {
  const agentSeed = seed(9);
  const all = [...records(count, agentSeed)];
  const leaves = all.map(({ ear }) => receiptLeafHash(receiptSignedBytes(ear), sha256));
  const epochs: Epoch[] = [];
  for (let from = 0; from < count; from += PER_EPOCH) {
    const run = all.slice(from, from + PER_EPOCH);
    const previous = epochs.at(-1);
    const statement = {
      epoch_id: id(3, epochs.length),
      epoch_no: epochs.length + 1,
      org_id: ORG,
      start_time: run[0]?.ear.server_received_at ?? '',
      end_time: run.at(-1)?.ear.server_received_at ?? '',
      first_seq_no: from + 1,
      last_seq_no: from + run.length,
      leaf_count: run.length,
      root_hash: formatDigest(merkleRoot(leaves.slice(from, from + PER_EPOCH), sha256)),
      hash_alg: 'SHA-256' as const,
      prev_epoch_hash: previous === undefined ? null : epochHash(epochSignedBytes(previous), sha256),
      admin_head_hash: null,
      service_kid: BENCH_KID,
    };
    epochs.push({ ...statement, signature_by_service: toBase64Url(signAsService(epochSignedBytes(statement))) });
  }
  const key = {
    kid: 'key-1',
    agent_id: 'billing-bot',
    public_key: toBase64Url(publicKeyOf(agentSeed)),
    algorithm: 'ed25519' as const,
    status: 'active' as const,
    created_at: START - 500,
    retired_at: null,
  };
  const attestation = toBase64Url(signAsService(agentKeySignedBytes(ORG, key, BENCH_KID)));
  const agent = {
    agent_id: 'billing-bot',
    org_id: ORG,
    display_name: 'Billing bot',
    responsible_entity: 'Accounts',
    integration_type: 'sdk',
    status: 'active',
    created_at: START - 500,
    updated_at: START - 500,
    keys: [{ ...key, service_kid: BENCH_KID, attestation }],
  };
  const admin_events: AdminEvent[] = [];
  const head = {
    service_keys: [serviceKey()],
    org: { org_id: ORG, name: 'Bench Ltd' },
    agents: [agent],
    epochs,
    admin_events,
  };
  const listDigest = (hashes: readonly (Uint8Array | string)[]): string => {
    const digest = new HashListDigest();
    for (const hash of hashes) digest.add(hash);
    return digest.digest();
  };
  const manifest: Manifest = {
    type: 'countersign.manifest.v1',
    export_id: id(4, 0),
    org_id: ORG,
    created_at: formatTime(START + count * 500 + 60_000),
    filter: { start_time: formatTime(START), end_time: formatTime(START + count * 500 + 1), agent_id: null },
    record_count: count,
    first_seq_no: count === 0 ? null : 1,
    last_seq_no: count === 0 ? null : count,
    log_head: { seq_no: count, epoch_no: epochs.length },
    records_digest: listDigest(leaves),
    epochs_digest: listDigest(epochs.map((epoch) => epochHash(epochSignedBytes(epoch), sha256))),
    admin_events_digest: listDigest([]),
    directory_digest: directoryDigest(head, sha256),
    redacted_count: 0,
    service_kid: BENCH_KID,
  };
  const writer = new BundleWriter();
  await pipeline(function* () {
    yield writer.head(head);
    for (const record of all) yield writer.record(record);
    yield writer.tail(manifest, toBase64Url(signAsService(manifestSignedBytes(manifest))));
  }, createWriteStream(path));
}
