/** Of the file that a case is moved as what builds no schema: how it begins, its headers, and why one is refused. */
export { CaseFileRefused } from './case-file-error.ts';
export { MAX_FOLDER_DEPTH, PASSED_OVER } from './collecting.ts';
export { BLOCK, isCaseFile, padding, TAR_END, tarHeader } from './tar.ts';
