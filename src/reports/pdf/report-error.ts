import { CodedError } from '../../protocol/index.ts';

/** Why no report was made. */
export type ReportErrorCode =
  /** The bundle holds more than a report can show. */
  | 'TOO_LARGE'
  /** A font that was given cannot be read, or must not be embedded. */
  | 'FONT_UNUSABLE'
  /** The proof in a report of chosen records is damaged so that its records cannot be shown. */
  | 'PROOF_UNREADABLE'
  /** The bundle was not the same each time it was read. */
  | 'BUNDLE_CHANGED';

/** Thrown where no report is made; nothing of the file that was begun is of use. */
export class ReportError extends CodedError<ReportErrorCode> {
  override readonly name = 'ReportError';
}
