import { type BundleRecord, bundleRecordOf, hashList } from '../bundle/bundle-record.ts';
import type { DocumentKind } from '../bundle/document.ts';
import { CARRIED_MEMBERS, CARRIED_SHAPE, type CarriedFiles } from '../bundle/edges.ts';
import { canonicalBytes, type Json } from '../canonical.ts';
import * as shape from '../shape.ts';
import { type ProvenAgent, parseProvenAgent } from '../statements/agent-key.ts';
import { type Epoch, parseEpoch } from '../statements/epoch.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { RecordProofError } from './record-proof-error.ts';

/** What a proof of records says of itself (protocol R1). */
export const RECORD_PROOF_TYPE = 'countersign.record-proof.v1';
/** What a proof of any version begins its type with. */
export const ANY_RECORD_PROOF = 'countersign.record-proof.';
/** A longer file is no proof of records: verifiers hold all of it. */
export const MAX_RECORD_PROOF_BYTES = 64 * 1024 * 1024;
/** As many records as one proof shows. */
export const MAX_PROVEN_RECORDS = 1000;

/** The epoch that seals the last record of a proof, and the leaves between that and its end (protocol R1). */
export interface ProofSeal extends CarriedFiles {
  readonly epoch: Epoch;
  readonly rest: readonly string[];
}

/** Some records of a ledger with everything that shows they are in it (protocol R1). */
export interface RecordProof {
  readonly type: typeof RECORD_PROOF_TYPE;
  readonly org_id: string;
  /** In ascending order of seq_no. */
  readonly records: readonly BundleRecord[];
  readonly seal: ProofSeal;
  /** Those of the records, each with the keys that signed them. */
  readonly agents: readonly ProvenAgent[];
  readonly service_keys: readonly ServiceKey[];
}

const ARRAYS = ['records', 'agents', 'service_keys'] as const;
/** Each member must be there once. */
export const PROOF: DocumentKind = { what: 'proof', members: ['type', 'org_id', 'seal', ...ARRAYS], arrays: ARRAYS };

const PROOF_SHAPE: shape.Shape<Record<Exclude<keyof RecordProof, 'org_id'>, unknown> & Pick<RecordProof, 'org_id'>> = {
  type: shape.constant(RECORD_PROOF_TYPE),
  org_id: shape.identifier,
  records: shape.listOf(1, MAX_PROVEN_RECORDS),
  seal: shape.object,
  agents: shape.listOf(1, MAX_PROVEN_RECORDS),
  service_keys: shape.listOf(1, Number.MAX_SAFE_INTEGER),
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseProofSeal(value: unknown): ProofSeal {
  const of = { epoch: shape.object, rest: hashList, ...CARRIED_SHAPE };
  const seal = shape.parseShape<ProofSeal>(value, of, 'seal', CARRIED_MEMBERS);
  return { ...seal, epoch: parseEpoch(seal.epoch) };
}

/**
 * A sound proof out of what was parsed, for showing it: of a report, whose bounds are those of one piece. Nothing of it is verified: that is
 * verifyRecordProof, which reads a file piece by piece and also takes a damaged one.
 * @throws ProtocolError SHAPE_INVALID
 */
export function recordProofOf(value: unknown): RecordProof {
  const raw = shape.parseShape(value, PROOF_SHAPE, 'proof');
  return {
    type: RECORD_PROOF_TYPE,
    org_id: raw.org_id,
    records: (raw.records as unknown[]).map(bundleRecordOf),
    seal: parseProofSeal(raw.seal),
    agents: (raw.agents as unknown[]).map(parseProvenAgent),
    service_keys: (raw.service_keys as unknown[]).map(parseServiceKey),
  };
}

/** The bytes of the file: canonical JSON, no line break at the end. @throws RecordProofError TOO_LARGE */
export function recordProofBytes(proof: RecordProof): Uint8Array {
  const bytes = canonicalBytes(proof as unknown as Json);
  if (bytes.length <= MAX_RECORD_PROOF_BYTES) return bytes;
  throw new RecordProofError('TOO_LARGE', `the proof would have more than ${MAX_RECORD_PROOF_BYTES} bytes`);
}
