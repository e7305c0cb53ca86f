import type { Json } from '../canonical.ts';
import type { Sha256 } from '../digest.ts';
import { toBase64Url } from '../encoding.ts';
import { formatTime } from '../time.ts';
import { type Disclosures, saltPayload } from './disclosures.ts';
import {
  chainHash,
  parseSubmittedRecord,
  payloadHash,
  type RecordCore,
  recordSignedBytes,
  type SubmittedRecord,
} from './record.ts';

/** What a record is made of: who signs, what was done, and what is drawn at random for it. */
export interface DraftInput {
  readonly orgId: string;
  readonly agentId: string;
  readonly kid: string;
  readonly ttlMs: number;
  readonly operationId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly payload: { readonly [member: string]: Json };
  /** Chain hash of the agent's record before this one; null for its first. */
  readonly prevChainHash: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly nonce: string;
  /** Draws the salt of one member; null for a plain payload. A payload that has no salted form stays plain. */
  readonly drawSalt: (() => Uint8Array) | null;
}

/** A record that only lacks its signature. */
export interface RecordDraft {
  /** What is to be signed. */
  readonly signedBytes: Uint8Array;
  /** The record and the disclosures that are submitted with it, once it is signed. */
  readonly signed: (signature: Uint8Array) => SignedDraft;
}

/** The body of a submission, and the chain hash that its receipt must name. */
export interface SignedDraft {
  readonly record: SubmittedRecord & { readonly disclosures?: Disclosures };
  readonly chainHash: string;
}

/**
 * A record up to its signature (protocol F31): whoever holds the key signs it, at once or by a promise.
 * @throws ProtocolError NOT_CANONICAL; from `signed` SHAPE_INVALID for an operation that has no valid form
 */
export function draftRecord(input: DraftInput, hash: Sha256): RecordDraft {
  const salted = input.drawSalt === null ? null : saltPayload(input.payload, input.drawSalt, hash);
  const { payload, ...beside } = salted ?? { payload: input.payload };
  const core: RecordCore = {
    op_version: 1,
    operation_id: input.operationId,
    org_id: input.orgId,
    agent_id: input.agentId,
    issued_at: formatTime(input.issuedAt),
    ttl_ms: input.ttlMs,
    nonce: input.nonce,
    operation_type: input.operationType,
    subject: input.subject,
    action: input.action,
    payload_hash: payloadHash(payload, hash),
    prev_chain_hash: input.prevChainHash,
    agent_pubkey_kid: input.kid,
  };
  const signedBytes = recordSignedBytes(core);
  const signed = (signature: Uint8Array): SignedDraft => {
    const record = parseSubmittedRecord({ ...core, payload, signature: toBase64Url(signature) });
    return { record: { ...record, ...beside }, chainHash: chainHash(signedBytes, signature, hash) };
  };
  return { signedBytes, signed };
}
