import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { nodeCrypto, nodeSigner } from '../../src/node/index.ts';
import {
  chainHash,
  formatTime,
  fromBase64Url,
  type JsonObject,
  payloadHash,
  type RecordCore,
  recordSignedBytes,
  SALT_BYTES,
  type SubmittedRecord,
  saltPayload,
  toBase64Url,
} from '../../src/protocol/index.ts';

export type Members = Partial<RecordCore> & { readonly payload?: SubmittedRecord['payload'] };

/** A new Ed25519 key: seed and public key, both raw. */
export function newKey(): { readonly seed: Uint8Array; readonly publicKey: Uint8Array } {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { seed: fromBase64Url(d ?? '', 32), publicKey: fromBase64Url(x ?? '', 32) };
}

/** The private key of a seed as PKCS #8 PEM. */
export function pemOf(seed: Uint8Array): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

/** An agent that signs its records by hand, so that a test can put anything into them. */
export class Signer {
  readonly orgId: string;
  readonly agentId: string;
  readonly kid: string;
  readonly seed: Uint8Array;
  readonly publicKey: string;
  /** Chain hash that the next record refers to. */
  head: string | null = null;

  constructor(orgId: string, agentId: string, kid = 'key-1') {
    const { seed, publicKey } = newKey();
    this.orgId = orgId;
    this.agentId = agentId;
    this.kid = kid;
    this.seed = seed;
    this.publicKey = toBase64Url(publicKey);
  }

  /** As POST /v1/agents/register takes it. */
  get registration() {
    const keys = [{ kid: this.kid, public_key: this.publicKey, algorithm: 'ed25519' }];
    return { agent_id: this.agentId, keys };
  }

  /** A signed record; what is not given is as it should be. */
  record({ payload = { text: 'hello', n: 1 }, ...members }: Members = {}): SubmittedRecord {
    const core: RecordCore = {
      op_version: 1,
      operation_id: randomUUID(),
      org_id: this.orgId,
      agent_id: this.agentId,
      issued_at: formatTime(Date.now()),
      ttl_ms: 60_000,
      nonce: randomBytes(12).toString('hex'),
      operation_type: 'file.write',
      subject: 'file 1',
      action: 'write',
      payload_hash: payloadHash(payload, nodeCrypto.sha256),
      prev_chain_hash: this.head,
      agent_pubkey_kid: this.kid,
      ...members,
    };
    return { ...core, payload, signature: toBase64Url(nodeSigner(this.seed).sign(recordSignedBytes(core))) };
  }

  /** The next record of the chain with its payload salted, and what is submitted with it. */
  nextSalted(payload: JsonObject, members: Members = {}) {
    const salted = saltPayload(payload, () => randomBytes(SALT_BYTES));
    if (salted === null) throw new Error('the payload has no salted form');
    return { ...this.next({ ...members, payload: salted.payload }), disclosures: salted.disclosures };
  }

  /** The next record of the chain: the one after refers to it. */
  next(members: Members = {}): SubmittedRecord {
    const record = this.record(members);
    this.head = chainHashOf(record);
    return record;
  }
}

/** The chain hash that a receipt for the record must state. */
export function chainHashOf(record: SubmittedRecord): string {
  return chainHash(recordSignedBytes(record), fromBase64Url(record.signature, 64), nodeCrypto.sha256);
}
