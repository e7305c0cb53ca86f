import type { ChosenReport, ChosenReportJudgement, RecordProof } from '../../../protocol/index.ts';
import type { RecordView } from '../../chosen/index.ts';

/** What the pages of a report of chosen records are written from. */
export interface ChosenSubject {
  readonly report: ChosenReport;
  /** With the keys that the report's maker trusted. */
  readonly judgement: ChosenReportJudgement;
  readonly proof: RecordProof;
  readonly records: readonly RecordView[];
  /** Whether each record is shown with its payload; else one row each. */
  readonly details: boolean;
  /** Whether large contents are shortened to their share of a few pages. */
  readonly shortened: boolean;
  /** Version of the product that makes the pages. */
  readonly version: string;
  /** Names and descriptions of what is attached besides the data. */
  readonly attachments: readonly { readonly name: string; readonly description: string }[];
}
