import {
  canonicalBytes,
  chainHash,
  decodeUtf8,
  formatDigest,
  ProtocolError,
  parseSubmittedRecord,
  parseTime,
  type RecordCore,
  recordSignedBytes,
  type StrictVerifier,
  type SubmittedRecord,
  signatureFromInput,
} from '../../protocol/index.ts';
import { nodeCrypto } from '../../runtime/index.ts';
import { ServiceError } from '../base/errors.ts';
import type { LedgerStore } from './ledger-store.ts';

/** A record that is what it says and was signed by a key of its agent; whether it may be accepted now is another matter. */
export interface CheckedRecord {
  readonly record: RecordCore;
  readonly issuedAt: number;
  /** Canonical form of the payload. */
  readonly payload: string;
  readonly signature: Uint8Array;
  readonly chainHash: string;
  /** The key that the signature was checked with, as registered then. */
  readonly publicKey: Uint8Array;
}

/** Whose records are taken: those of an organization, and of one agent alone where the caller's token is for that one. */
export interface Submitter {
  readonly orgId: string;
  readonly onlyAgent: string | null;
}

/** Whether a record is among those that a submitter may bring. */
export function isOf(
  { orgId, onlyAgent }: Submitter,
  { org_id, agent_id }: Pick<RecordCore, 'org_id' | 'agent_id'>,
): boolean {
  return org_id === orgId && (onlyAgent === null || agent_id === onlyAgent);
}

/** What the checks need. */
export interface RecordCheckContext {
  readonly store: LedgerStore;
  readonly verifier: StrictVerifier;
}

/** A record of the right shape, with the canonical form of its payload. */
export interface Submitted {
  readonly record: RecordCore & Pick<SubmittedRecord, 'signature'>;
  readonly payload: Uint8Array;
}

/**
 * Steps 1 and 2 of protocol §4: the payload's size, then the record's shape.
 * @param body any JSON value, from whoever reached the port
 * @throws ServiceError PAYLOAD_TOO_LARGE, VALIDATION_ERROR naming the member
 */
export function readSubmission(body: unknown, maxPayloadBytes: number): Submitted {
  try {
    const given = typeof body === 'object' && body !== null && 'payload' in body ? body.payload : undefined;
    const payload = canonicalBytes(given ?? null);
    if (payload.length > maxPayloadBytes) {
      throw new ServiceError(
        'PAYLOAD_TOO_LARGE',
        `payload: its canonical form has ${payload.length} bytes, more than ${maxPayloadBytes}`,
      );
    }
    return { record: parseSubmittedRecord(body), payload };
  } catch (error) {
    if (error instanceof ProtocolError) throw new ServiceError('VALIDATION_ERROR', error.message);
    throw error;
  }
}

/**
 * Steps 3 to 7 of protocol §4: what can be said of a record without the state of its agent.
 * @throws ServiceError FORBIDDEN, UNKNOWN_AGENT, INVALID_SIGNATURE, VALIDATION_ERROR
 */
export async function checkRecord(
  { record, payload }: Submitted,
  submitter: Submitter,
  { store, verifier }: RecordCheckContext,
): Promise<CheckedRecord> {
  if (record.org_id !== submitter.orgId) {
    throw new ServiceError('FORBIDDEN', "org_id: the record is of another organization than the caller's");
  }
  // Before anything is looked up: what the answer is must not tell which other agents there are.
  if (!isOf(submitter, record)) {
    throw new ServiceError('FORBIDDEN', `agent_id: this token can only submit operations of "${submitter.onlyAgent}"`);
  }
  const key = await store.findKey(submitter.orgId, record.agent_id, record.agent_pubkey_kid);
  if (key === 'no-agent') {
    throw new ServiceError(
      'UNKNOWN_AGENT',
      `agent_id: no agent "${record.agent_id}" is registered in the organization`,
    );
  }
  if (key === 'no-key') {
    throw new ServiceError('INVALID_SIGNATURE', 'agent_pubkey_kid: the agent has no key with this kid');
  }
  if (!hasItsPayload({ record, payload })) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `payload_hash: the payload's canonical form has the digest ${digestOf(payload)}`,
    );
  }
  const { signedBytes, ...parts } = signedParts({ record, payload });
  const { publicKey } = key;
  const [valid] = await verifier.verify([{ publicKey, message: signedBytes, signature: parts.signature }]);
  if (!valid) {
    throw new ServiceError('INVALID_SIGNATURE', "signature: does not verify with the agent's registered key");
  }
  return { record, publicKey, ...parts };
}

function digestOf(payload: Uint8Array): string {
  return formatDigest(nodeCrypto.sha256(payload));
}

/** Step 5 of protocol §4: whether the payload is the one that the record names. */
export function hasItsPayload({ record, payload }: Submitted): boolean {
  return record.payload_hash === digestOf(payload);
}

/** What is signed of a record, and what becomes of the rest. */
export function signedParts({ record, payload }: Submitted) {
  const signedBytes = recordSignedBytes(record);
  const signature = signatureFromInput(record.signature);
  return {
    signedBytes,
    signature,
    issuedAt: parseTime(record.issued_at),
    payload: decodeUtf8(payload),
    chainHash: chainHash(signedBytes, signature, nodeCrypto.sha256),
  };
}
