import type { ChosenReportJudgement, ForksReport, PagesCheck, VerificationReport } from '../../protocol/index.ts';

/** What a thread is asked to verify. */
export interface VerifyRequest {
  readonly bundle: File;
  readonly receipts: readonly File[];
  readonly trustedKids: readonly string[];
}

export interface VerifyProgress {
  readonly bytes: number;
  readonly records: number;
}

export interface VerifyResult {
  readonly report: VerificationReport;
  readonly pages: PagesCheck | null;
  /** Of a report of chosen records: `report` is then about the records in it. */
  readonly chosen: ChosenReportJudgement | null;
  /** What it is called. */
  readonly file: string;
}

/** What a thread is asked that compares files. */
export interface ForksRequest {
  readonly files: readonly File[];
  readonly trustedKids: readonly string[];
}

/** Of all that it read, some of it twice, and of how many bytes. */
export interface ForksProgress {
  readonly bytes: number;
  readonly of: number;
}

export interface ForksResult {
  readonly report: ForksReport;
}
