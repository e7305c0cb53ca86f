import { CodedError } from '../../protocol/index.ts';

/** Why nothing can be shipped or accepted: for the person at the terminal. */
export type ArchiveErrorCode =
  /** The folder cannot be read, or has a file system that cannot hold runs. */
  | 'ARCHIVE_UNUSABLE'
  /** What was named as the source has no ledger, or one of an older version. */
  | 'LEDGER_MISSING'
  | 'LEDGER_OLDER'
  /** The active service key is not in the data folder. */
  | 'KEY_MISSING'
  /** Another process ships from the same data folder. */
  | 'SHIPPING_ALREADY';

export class ArchiveError extends CodedError<ArchiveErrorCode> {
  override readonly name = 'ArchiveError';
}
