/**
 * The bundle out of a report: a strict reader of the PDFs that are made here, and of no others. Pure: the file, the
 * unpacking and the digest come in from the host, so that the command and the page read reports by the same rules.
 */

export {
  type AttachedBundle,
  type AttachedData,
  type AttachedOptions,
  DamagedStream,
  findAttachedBundle,
  findAttachedData,
  findWholeBundle,
  type PdfHost,
  readAttachedOptions,
} from './attached-bundle.ts';
export {
  ATTACHED_BUNDLE,
  ATTACHED_OPTIONS,
  ATTACHED_REPORT,
  ATTACHED_WHOLE_BUNDLE,
  MAX_BUNDLE_BYTES,
} from './attached-name.ts';
export { ExtractError } from './extract-error.ts';
export {
  beginHtmlReport,
  looksLikeHtml,
  MAX_HTML_BYTES,
  readHtmlReport,
} from './html-report.ts';
