import type { ChosenReportJudgement, PagesCheck, VerificationReport } from '../../protocol/index.ts';

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
