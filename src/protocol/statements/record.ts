import { joinedForHashing } from '../bytes.ts';
import { canonicalBytes, flatCanonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { signatureFromInput } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';

/** The largest JCS form of a payload, in bytes, unless a setting says otherwise (protocol F30). */
export const DEFAULT_MAX_PAYLOAD_BYTES = 262_144;

/** How far ahead of the receiver's clock issued_at may be, in milliseconds (protocol F50). */
export const MAX_CLOCK_LEAD_MS = 300_000;

/** An operation record less payload and signature: the 13 members that are signed (protocol F31). */
export interface RecordCore {
  readonly op_version: 1;
  readonly operation_id: string;
  readonly org_id: string;
  readonly agent_id: string;
  readonly issued_at: string;
  readonly ttl_ms: number;
  readonly nonce: string;
  readonly operation_type: string;
  readonly subject: string;
  readonly action: string;
  readonly payload_hash: string;
  readonly prev_chain_hash: string | null;
  readonly agent_pubkey_kid: string;
}

/** An operation record (EOR); the payload is absent where it was withheld. */
export interface OperationRecord extends RecordCore {
  readonly payload?: { readonly [member: string]: Json };
  readonly signature: string;
}

/** An operation record as it is submitted: nothing withheld. */
export interface SubmittedRecord extends OperationRecord {
  readonly payload: { readonly [member: string]: Json };
}

/** Field rules of protocol F30, one place for the service, the verifier and the documents. */
export const AGENT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;
export const OPERATION_TYPE_PATTERN = /^(?=.{1,128}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
export const MAX_TTL_MS = 86_400_000;

const CORE_SHAPE: shape.Shape<RecordCore> = {
  op_version: shape.constant(1),
  operation_id: shape.uuidV4,
  org_id: shape.identifier,
  agent_id: shape.pattern(AGENT_ID_PATTERN, 'up to 128 of A-Z a-z 0-9 . _ : @ - with a letter or digit first'),
  issued_at: shape.time,
  ttl_ms: shape.integer(1, MAX_TTL_MS),
  nonce: shape.text(8, 256),
  operation_type: shape.pattern(OPERATION_TYPE_PATTERN, 'a dotted name of at most 128 characters'),
  subject: shape.text(1, 512),
  action: shape.text(1, 128),
  payload_hash: shape.digest,
  prev_chain_hash: shape.nullable(shape.digest),
  agent_pubkey_kid: shape.text(1, 256),
};

const inputSignature = shape.readAs(signatureFromInput, '64 bytes in base64url or base64');

const STORED_SHAPE: shape.Shape<OperationRecord> = {
  ...CORE_SHAPE,
  payload: shape.object,
  signature: shape.signature,
};
const SUBMITTED_SHAPE: shape.Shape<OperationRecord> = { ...STORED_SHAPE, signature: inputSignature };

/**
 * A record as bundles have it: 15 members, or 14 where the payload is withheld, the signature in base64url.
 * @throws ProtocolError SHAPE_INVALID
 */
export function parseStoredRecord(value: unknown): OperationRecord {
  return shape.parseShape(value, STORED_SHAPE, 'eor', ['payload']);
}

/**
 * A record as an agent submits it: exactly 15 members, the signature in any accepted encoding (protocol F8 and F30).
 * @throws ProtocolError SHAPE_INVALID
 */
export function parseSubmittedRecord(value: unknown): SubmittedRecord {
  return shape.parseShape(value, SUBMITTED_SHAPE, 'record') as SubmittedRecord;
}

/** The 13 signed members, whatever else the record holds, in the order of the canonical form. */
export function recordCore(record: RecordCore): RecordCore & { readonly [name: string]: string | number | null } {
  return {
    action: record.action,
    agent_id: record.agent_id,
    agent_pubkey_kid: record.agent_pubkey_kid,
    issued_at: record.issued_at,
    nonce: record.nonce,
    op_version: record.op_version,
    operation_id: record.operation_id,
    operation_type: record.operation_type,
    org_id: record.org_id,
    payload_hash: record.payload_hash,
    prev_chain_hash: record.prev_chain_hash,
    subject: record.subject,
    ttl_ms: record.ttl_ms,
  };
}

/** The bytes an agent signs: JCS(core) (protocol F31). */
export function recordSignedBytes(record: RecordCore): Uint8Array {
  return flatCanonicalBytes(recordCore(record));
}

/**
 * The digest of a payload's canonical form.
 * @throws ProtocolError NOT_CANONICAL
 */
export function payloadHash(payload: unknown, hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes(payload)));
}

/**
 * chain_hash = H(signed bytes || raw signature) (protocol F31), in its JSON form.
 * @param rawSignature 64 bytes
 */
export function chainHash(signedBytes: Uint8Array, rawSignature: Uint8Array, hash: Sha256 = sha256): string {
  return formatDigest(rawChainHash(signedBytes, rawSignature, hash));
}

/** The 32 bytes of chainHash. */
export function rawChainHash(signedBytes: Uint8Array, rawSignature: Uint8Array, hash: Sha256): Uint8Array {
  if (rawSignature.length !== 64) throw new ProtocolError('ENCODING_INVALID', 'a signature has 64 bytes');
  return hash(joinedForHashing(signedBytes, rawSignature));
}
