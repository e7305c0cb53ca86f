/** Reports of bundles as PDF, and bundles out of such reports. */
export {
  ATTACHED_BUNDLE,
  type ReportAttachment,
  type ReportOptions,
  type WrittenReport,
  writePdfReport,
} from './pdf-report.ts';
export { ExtractError, type ExtractErrorCode, ReportError, type ReportErrorCode } from './report-error.ts';
export type { ReportMaker } from './subject.ts';
export { MAX_REPORT_RECORDS } from './survey.ts';
