/**
 * The bundle out of a report: a strict reader of the PDFs that are made here, and of no others. Pure: the file, the
 * unpacking and the digest come in from the host, so that the command and the page read reports by the same rules.
 */

export {
  type AttachedBundle,
  DamagedStream,
  findAttachedBundle,
  type PdfHost,
  readAttachedOptions,
} from './attached-bundle.ts';
export { ATTACHED_BUNDLE, ATTACHED_OPTIONS, MAX_BUNDLE_BYTES } from './attached-name.ts';
export { ExtractError } from './extract-error.ts';
