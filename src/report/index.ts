/** Reports of bundles as PDF, and bundles out of such reports. */
export { ATTACHED_BUNDLE, type AttachedBundle, ExtractError, MAX_BUNDLE_BYTES } from '../extract/index.ts';
export { openAttachedBundle } from './attached-bundle.ts';
export type { MadeWith } from './made-with.ts';
export { comparePages, type PageComparisonMeans } from './page-comparison.ts';
export {
  type ReportAttachment,
  type ReportOptions,
  type WrittenReport,
  writePdfReport,
} from './pdf-report.ts';
export { type QrCode, qrCode } from './qr.ts';
export { ReportError, type ReportErrorCode } from './report-error.ts';
export type { ReportAnnotation, ReportMaker } from './subject.ts';
export { MAX_REPORT_ITEMS } from './survey.ts';
export { VERIFIER_FILE, verifierAttachment } from './verifier-file.ts';
export { Witness } from './witness.ts';
