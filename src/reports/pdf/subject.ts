import type { BundleSource, PagesCheck, VerificationReport } from '../../protocol/index.ts';
import type { CaseStanding } from './standing.ts';
import type { Survey } from './survey.ts';
import type { BundleDigests } from './witness.ts';

/** Who speaks in a report: somebody who verified a bundle for themselves, or the service that issued it. */
export type ReportMaker = 'reader' | 'issuer';

/** Tags and a note of an investigator about one record. */
export interface ReportAnnotation {
  readonly operation_id: string;
  readonly tags: readonly string[];
  readonly note: string;
}

/** What the sections of a report are written from. */
export interface Subject {
  readonly source: BundleSource;
  readonly digests: BundleDigests;
  readonly report: VerificationReport;
  readonly survey: Survey;
  readonly maker: ReportMaker;
  /** Whether every operation is shown, and every row of the tables; else what stands there in short. */
  readonly details: boolean;
  /** Version of the product that makes the report. */
  readonly version: string;
  /** Under which name the bundle is attached. */
  readonly attachedAs: string;
  /** What was found about the pages of the file that was verified; null where that was no PDF. */
  readonly pages: PagesCheck | null;
  /** What is known of the case that the bundle is in; null where it is in none. */
  readonly standing: CaseStanding | null;
  /** What else is attached: name and description. */
  readonly furtherAttachments: readonly { readonly name: string; readonly description: string }[];
}
