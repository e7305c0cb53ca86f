/** Reports of bundles as PDF, and bundles out of such reports. */
export { ATTACHED_BUNDLE, MAX_BUNDLE_BYTES } from './attached-name.ts';
export { type AttachedBundle, openAttachedBundle } from './extract/attached-bundle.ts';
export {
  type ReportAttachment,
  type ReportOptions,
  type WrittenReport,
  writePdfReport,
} from './pdf-report.ts';
export { type QrCode, qrCode } from './qr.ts';
export { ExtractError, type ExtractErrorCode, ReportError, type ReportErrorCode } from './report-error.ts';
export type { ReportAnnotation, ReportMaker } from './subject.ts';
export { MAX_REPORT_ITEMS } from './survey.ts';
export { VERIFIER_FILE, verifierAttachment } from './verifier-file.ts';
export { Witness } from './witness.ts';
