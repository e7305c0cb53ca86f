import { nodeCrypto } from '../../node/index.ts';
import {
  canonicalBytes,
  chainHash,
  decodeUtf8,
  disclosuresFit,
  disclosuresText,
  formatDigest,
  ProtocolError,
  parseDisclosures,
  parseSubmittedRecord,
  parseTime,
  type RecordCore,
  recordSignedBytes,
  type StrictVerifier,
  type SubmittedRecord,
  signatureFromInput,
} from '../../protocol/light.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { LedgerStore } from './ledger-store.ts';

/** A record that is what it says and was signed by a key of its agent; whether it may be accepted now is another matter. */
export interface CheckedRecord {
  readonly record: RecordCore;
  readonly issuedAt: number;
  /** Canonical form of the payload. */
  readonly payload: string;
  /** Canonical form of its disclosures; null where there are none. */
  readonly disclosures: string | null;
  readonly signature: Uint8Array;
  readonly chainHash: string;
  /** The key that the signature was checked with, as registered then. */
  readonly publicKey: Uint8Array;
}

/** Whose records are taken: those of an organization, and of one agent alone where the caller's token is for that one. */
export interface Submitter {
  readonly orgId: string;
  readonly onlyAgent: string | null;
  /** The person who is there, for records of that person's own agent and no other; null for agents that are no person's. */
  readonly person: string | null;
}

/** Whether a record is among those that a submitter may bring. */
export function isOf(
  { orgId, onlyAgent }: Submitter,
  { org_id, agent_id }: Pick<RecordCore, 'org_id' | 'agent_id'>,
): boolean {
  return org_id === orgId && (onlyAgent === null || agent_id === onlyAgent);
}

/** A record of the right shape with all that is computed of it alone: by the thread that read it, and nowhere else again. */
export interface PreparedRecord extends Omit<CheckedRecord, 'publicKey'> {
  readonly signedBytes: Uint8Array;
  readonly payloadDigest: string;
  /** Whether the disclosures are those of the payload. */
  readonly disclosuresFit: boolean;
}

/** What the checks need. */
export interface RecordCheckContext {
  readonly store: LedgerStore;
  readonly verifier: StrictVerifier;
}

/** A record of the right shape, with the canonical form of its payload. */
interface Submitted {
  readonly record: RecordCore & Pick<SubmittedRecord, 'signature'>;
  readonly payload: Uint8Array;
  /** Canonical form of the disclosures; null where there are none. */
  readonly disclosures: string | null;
  /** Whether the disclosures are those of the payload. */
  readonly disclosuresFit: boolean;
}

/** Whether somebody's JSON is an object that itself has such a member. */
function has<Name extends string>(value: unknown, name: Name): value is { readonly [member in Name]: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/**
 * Steps 1 and 2 of protocol F50: the payload's size, then the record's shape.
 * @param body any JSON value, from whoever reached the port
 * @throws ServiceError PAYLOAD_TOO_LARGE, VALIDATION_ERROR naming the member
 */
export function readSubmission(body: unknown, maxPayloadBytes: number): Submitted {
  try {
    const given = has(body, 'payload') ? body.payload : null;
    const payload = canonicalBytes(given);
    refuseTooLarge('payload', payload.length, maxPayloadBytes);
    if (!has(body, 'disclosures')) {
      return { record: parseSubmittedRecord(body), payload, disclosures: null, disclosuresFit: true };
    }
    const { disclosures: beside, ...eor } = body;
    // Their size comes before their shape, as that of the payload does.
    const disclosures = disclosuresText(beside);
    refuseTooLarge('payload and disclosures', payload.length + Buffer.byteLength(disclosures), maxPayloadBytes);
    const record = parseSubmittedRecord(eor);
    const fit = disclosuresFit(given, parseDisclosures(beside), nodeCrypto.sha256);
    return { record, payload, disclosures, disclosuresFit: fit };
  } catch (error) {
    if (error instanceof ProtocolError) throw new ServiceError('VALIDATION_ERROR', error.message);
    throw error;
  }
}

function refuseTooLarge(what: string, bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new ServiceError('PAYLOAD_TOO_LARGE', `${what}: the canonical form has ${bytes} bytes, more than ${most}`);
}

/**
 * Steps 3 to 7 of protocol F50: what can be said of a record without the state of its agent.
 * @throws ServiceError FORBIDDEN, UNKNOWN_AGENT, INVALID_SIGNATURE, VALIDATION_ERROR
 */
export async function checkRecord(
  prepared: PreparedRecord,
  submitter: Submitter,
  { store, verifier }: RecordCheckContext,
): Promise<CheckedRecord> {
  const { signedBytes, payloadDigest, disclosuresFit, ...checked } = prepared;
  const { record } = checked;
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
  if (key.userId !== submitter.person) throw notOfThisAgent(submitter, record);
  if (record.payload_hash !== payloadDigest) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `payload_hash: the payload's canonical form has the digest ${payloadDigest}`,
    );
  }
  if (!disclosuresFit) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      'disclosures: each must have the digest that _sd of a salted payload has under its name',
    );
  }
  const { publicKey } = key;
  const valid = await verifier.holds({ publicKey, message: signedBytes, signature: checked.signature });
  if (!valid) {
    throw new ServiceError('INVALID_SIGNATURE', "signature: does not verify with the agent's registered key");
  }
  return { ...checked, publicKey };
}

/** A person's decision comes from that person: from no token, no administrator, and no other route. */
function notOfThisAgent({ person }: Submitter, { agent_id: id }: RecordCore): ServiceError {
  const reason =
    person === null
      ? `only the person whose own agent "${id}" is may submit its records, by POST /v1/decisions with a session`
      : `"${id}" is not your own agent`;
  return new ServiceError('FORBIDDEN', `agent_id: ${reason}`);
}

/** Step 6 of protocol F50: whether payload and disclosures are those that the record names. */
export function hasItsPayload({ record, payloadDigest, disclosuresFit }: PreparedRecord): boolean {
  return record.payload_hash === payloadDigest && disclosuresFit;
}

/** @param submitted what readSubmission made of a body */
export function prepareRecord({ record: eor, payload, disclosures, disclosuresFit }: Submitted): PreparedRecord {
  const signedBytes = recordSignedBytes(eor);
  const { signature: text, ...record } = eor;
  const signature = signatureFromInput(text);
  return {
    record,
    signedBytes,
    signature,
    issuedAt: parseTime(record.issued_at),
    payload: decodeUtf8(payload),
    payloadDigest: formatDigest(nodeCrypto.sha256(payload)),
    disclosures,
    disclosuresFit,
    chainHash: chainHash(signedBytes, signature, nodeCrypto.sha256),
  };
}
