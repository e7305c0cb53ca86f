import { z } from 'zod';

/** What an item of a case was found to be. `pdf` and `attachment` hold no evidence that can be verified; `collection` and `found` hold what nobody signed. */
export const caseItemKind = z.enum([
  'bundle',
  'bundle-gzip',
  'report-pdf',
  'record-report',
  'record-proof',
  'contradiction-proof',
  'retention-certificate',
  'receipts',
  'checkpoint',
  'time-stamps',
  'collection',
  'found',
  'pdf',
  'attachment',
]);
export type CaseItemKind = z.infer<typeof caseItemKind>;

/** Items that nobody signed, or that are no evidence of a ledger. */
const NO_EVIDENCE: ReadonlySet<CaseItemKind> = new Set([
  'attachment',
  'pdf',
  'collection',
  'found',
  'retention-certificate',
]);

/** Whether an item says something of a ledger that its service signed. @param kind null while it is looked at */
export const isEvidence = (kind: CaseItemKind | null): boolean => kind !== null && !NO_EVIDENCE.has(kind);

export const caseItemVerdict = z.enum(['verified', 'failed', 'incomplete', 'not_verified']);
export type CaseItemVerdict = z.infer<typeof caseItemVerdict>;

/** Why an item is not verified: a closed set. */
export const caseItemCode = z.enum([
  'ATTACHMENT',
  'NOT_SIGNED',
  'EVIDENCE_FAILED',
  'EVIDENCE_INCOMPLETE',
  'CONTRADICTS_BUNDLE',
  'PAGES_DIFFER',
  'PAGES_NOT_COMPARED',
  'BYTES_CHANGED',
  'FILE_DAMAGED',
  'FILE_CUT_OFF',
  'FILE_TOO_LARGE',
  'STORAGE_FULL',
  'UNEXPECTED',
]);
export type CaseItemCode = z.infer<typeof caseItemCode>;
