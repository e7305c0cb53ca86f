import type { ChosenReportJudgement, ForksReport, PagesCheck, VerificationReport } from '../../protocol/index.ts';

/** What the thread is asked to verify. */
export interface VerifyRequest {
  readonly bundle: File;
  readonly receipts: readonly File[];
  readonly trustedKids: readonly string[];
}

/** What the thread tells. */
export type VerifyReply =
  | { readonly kind: 'progress'; readonly bytes: number; readonly records: number }
  | {
      readonly kind: 'report';
      readonly report: VerificationReport;
      readonly pages: PagesCheck | null;
      /** Of a report of chosen records: `report` is then about the records in it. */
      readonly chosen: ChosenReportJudgement | null;
    }
  | { readonly kind: 'unreadable'; readonly message: string };

/** What the thread that compares files is asked. */
export interface ForksRequest {
  readonly files: readonly File[];
  readonly trustedKids: readonly string[];
}

/** What it tells; `bytes` of all that it read, some of it twice. */
export type ForksReply =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'forks'; readonly report: ForksReport }
  | { readonly kind: 'unreadable'; readonly message: string };
