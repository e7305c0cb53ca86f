/** Why no report was made. */
export type ReportErrorCode =
  /** The bundle holds more than a report can show. */
  | 'TOO_LARGE'
  /** The bundle was not the same each time it was read. */
  | 'BUNDLE_CHANGED';

/** Thrown where no report is made; nothing of the file that was begun is of use. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly code: ReportErrorCode;

  constructor(code: ReportErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why nothing was taken out of a PDF. */
export type ExtractErrorCode =
  /** The file is damaged, cut off, or a PDF of another make. */
  | 'NOT_A_REPORT'
  /** A report of this make, but with no bundle among its attachments, or with more than one. */
  | 'NO_BUNDLE'
  /** What the attachment holds is not what the report says of it. */
  | 'ATTACHMENT_DAMAGED';

/** Thrown where a PDF is not a report whose bundle can be read. */
export class ExtractError extends Error {
  override readonly name = 'ExtractError';
  readonly code: ExtractErrorCode;

  constructor(code: ExtractErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
