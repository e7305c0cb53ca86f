import { CodedError } from '../../protocol/index.ts';

/** Why nothing was taken out of a PDF. */
export type ExtractErrorCode =
  /** The file is damaged, cut off, or a PDF of another make. */
  | 'NOT_A_REPORT'
  /** A report of this make, but with no bundle among its attachments, or with more than one. */
  | 'NO_BUNDLE'
  /** What the attachment holds is not what the report says of it. */
  | 'ATTACHMENT_DAMAGED';

/** Thrown where a PDF is not a report whose bundle can be read. */
export class ExtractError extends CodedError<ExtractErrorCode> {
  override readonly name = 'ExtractError';
}
