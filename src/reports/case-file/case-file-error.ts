import type { CaseFileCode } from '../../api/index.ts';
import { CodedError } from '../../protocol/index.ts';

/** What does not hold in a case file, and where. */
export interface CaseFileFinding {
  readonly code: CaseFileCode;
  readonly message: string;
  /** Of the file within it, such as `notes.jsonl`. */
  readonly file?: string;
  /** From 1, in that file. */
  readonly line?: number;
  /** Of the custody log. */
  readonly entry_no?: number;
  /** Of ITEM_CHANGED. */
  readonly item_no?: number;
}

/** A case file that is not opened: its first finding, and all of them. */
export class CaseFileRefused extends CodedError<CaseFileCode> {
  override readonly name = 'CaseFileRefused';
  readonly findings: readonly CaseFileFinding[];

  constructor(first: CaseFileFinding, ...others: readonly CaseFileFinding[]) {
    super(
      first.code,
      [first, ...others]
        .slice(0, 10)
        .map(({ message }) => message)
        .join('; '),
    );
    this.findings = [first, ...others];
  }
}
