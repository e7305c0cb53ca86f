import { canonicalBytes } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import * as shape from '../shape.ts';

/** What the service signs when it seals a run of receipts, less the type (protocol F70). */
export interface EpochStatement {
  readonly epoch_id: string;
  readonly epoch_no: number;
  readonly org_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly first_seq_no: number;
  readonly last_seq_no: number;
  readonly leaf_count: number;
  readonly root_hash: string;
  /** Root of the log: the tree of all the organization's receipts up to last_seq_no. */
  readonly log_root: string;
  readonly hash_alg: 'SHA-256';
  readonly prev_epoch_hash: string | null;
  readonly admin_head_hash: string | null;
  readonly service_kid: string;
}

export interface Epoch extends EpochStatement {
  readonly signature_by_service: string;
}

const STATEMENT_SHAPE: shape.Shape<EpochStatement> = {
  epoch_id: shape.identifier,
  epoch_no: shape.integer(1),
  org_id: shape.identifier,
  start_time: shape.time,
  end_time: shape.time,
  first_seq_no: shape.integer(1),
  last_seq_no: shape.integer(1),
  leaf_count: shape.integer(1),
  root_hash: shape.digest,
  log_root: shape.digest,
  hash_alg: shape.constant('SHA-256'),
  prev_epoch_hash: shape.nullable(shape.digest),
  admin_head_hash: shape.nullable(shape.digest),
  service_kid: shape.identifier,
};
const EPOCH_SHAPE: shape.Shape<Epoch> = { ...STATEMENT_SHAPE, signature_by_service: shape.signature };

/** @throws ProtocolError SHAPE_INVALID */
export function parseEpoch(value: unknown): Epoch {
  return shape.parseShape(value, EPOCH_SHAPE, 'epoch');
}

/** The bytes the service signs: JCS(statement), type included (protocol F71). */
export function epochSignedBytes(epoch: EpochStatement): Uint8Array {
  return canonicalBytes({ type: 'countersign.epoch.v1', ...shape.membersOf(epoch, STATEMENT_SHAPE) });
}

/** epoch_hash = H(JCS(statement)), by which the next epoch refers to this one. */
export function epochHash(signedBytes: Uint8Array, hash: Sha256 = sha256): string {
  return formatDigest(hash(signedBytes));
}
