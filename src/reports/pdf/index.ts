/** Reports of bundles as PDF, and bundles out of such reports. */
export { ATTACHED_BUNDLE, ExtractError, MAX_BUNDLE_BYTES } from '../reading/index.ts';
export { openAttachedBundle } from './attached-bundle.ts';
export { type ChosenRequest, type ChosenResult, chooseRecords, reportOfProof } from './chosen/choose-records.ts';
export {
  compareChosenPages,
  mayBeChosenReport,
  readChosenFile,
} from './chosen/chosen-file.ts';
export { chosenHtml } from './chosen/html-report.ts';
export { writeChosenPdf } from './chosen/write-chosen-pdf.ts';
export { checkFont, type GivenFont } from './document/given-font.ts';

export { comparePages } from './page-comparison.ts';
export {
  type ReportOptions,
  type WrittenReport,
  writePdfReport,
} from './pdf-report.ts';
export { qrCode } from './qr.ts';
export { ReportError } from './report-error.ts';
export type { CaseStanding, StandingCoherence } from './standing.ts';
export type { ReportAnnotation } from './subject.ts';

export { missingScriptsNote } from './text/text-note.ts';
export { verifierAttachment } from './verifier-file.ts';
export { Witness } from './witness.ts';
