import { CodedError } from '../protocol-error.ts';

/** Why no proof can be made. A closed set. */
export type RecordProofErrorCode =
  /** No record is wanted, or more than a proof shows. */
  | 'COUNT_INVALID'
  /** There is no readable record with one of the numbers. */
  | 'NO_SUCH_RECORD'
  /** A record is not sealed, or what leads to its epoch is not there. */
  | 'NOT_PROVABLE'
  /** The agent of a record, or the key that signed it, is not there. */
  | 'KEY_MISSING'
  /** The ledger's clock was set back between what the proof would hold, and only the administrative log can show that. */
  | 'CLOCK_CORRECTED'
  /** The bundle breaks off, or lacks its organization. */
  | 'BUNDLE_BROKEN'
  /** The records together are larger than a proof may be. */
  | 'TOO_LARGE';

export class RecordProofError extends CodedError<RecordProofErrorCode> {
  override readonly name = 'RecordProofError';
}
