import { z } from 'zod';
import { CHECKS, PAGES_REASONS } from '../protocol/index.ts';
import { tag } from './annotations.ts';
import { archiveState } from './archive.ts';
import { foundSummary } from './case-found.ts';
import { caseCoherence } from './coherence.ts';
import { id, isoTime, name, page, text } from './fields.ts';
import { LIMITS } from './limits.ts';
import { auditQueryAnswer, auditQueryBody, auditQueryRow, histogramQuery, seqNumber } from './operations.ts';
import { resemblesHome } from './trust.ts';
import { checkStatus, correctedTimes, each, reportBundle, reportIssuer, verdict } from './verification-report.ts';

/**
 * What a file showed itself to be by its first bytes; `receipts` are receipts that agents kept, one a line; `collection` and `found`
 * are files as they were found on a disk, many or one, of which nothing was signed.
 */
export const caseFileKind = z.enum([
  'bundle',
  'bundle-gzip',
  'report-pdf',
  'receipts',
  'record-proof',
  'case-file',
  'collection',
  'found',
  'unknown',
]);
export type CaseFileKind = z.infer<typeof caseFileKind>;

/** A service key by its kid or the digits of its fingerprint, for whatever organization or, after an @, for one. */
const trustEntry = z
  .string()
  .max(1024)
  .regex(
    /^(?:[A-Za-z0-9_-]{43}|[0-9](?:[ -]?[0-9]){59})(?:@.+)?$/su,
    'must be a kid (43 characters) or a fingerprint (60 digits), with @ORG_ID for one organization alone',
  );
export const trustedKids = z.array(trustEntry).max(LIMITS.trustedKids).default([]);
const bytes = z.int().min(0).meta({ description: 'in bytes' });
export const fileDigest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** The file's own name, for people only; nothing on the disk is called so. */
export const inspectQuery = z.strictObject({ name: text(1, 255).optional() });

/** What a file says of itself. Nothing of it is verified: whoever made the file wrote it. */
export const caseClaims = z.strictObject({
  org_id: z.string().nullable(),
  org_name: z.string().nullable(),
  issuer_kid: z.string().nullable(),
  created_at: z.string().nullable(),
  records: z.int().nullable(),
  first_seq_no: z.int().nullable(),
  last_seq_no: z.int().nullable(),
});
export type CaseClaims = z.infer<typeof caseClaims>;

/**
 * How the claimed issuer stands here. `trusted`: confirmed for that organization; `unconfirmed`: trusted for others only;
 * `own`: this service's own key; `changed`: others were seen for that organization, never this one.
 */
export const issuerStanding = z.enum(['trusted', 'unconfirmed', 'own', 'known', 'unknown', 'changed']);
export type IssuerStanding = z.infer<typeof issuerStanding>;

export const upload = z.strictObject({
  upload_id: id,
  name: z.string(),
  bytes,
  sha256: fileDigest,
  kind: caseFileKind,
  claims: caseClaims.nullable(),
  issuer: issuerStanding.nullable().meta({ description: 'null where the file names no issuer' }),
  resembles_home: resemblesHome,
});
export type Upload = z.infer<typeof upload>;

export const createCaseBody = z.strictObject({
  upload_id: z.uuid(),
  receipts_upload_ids: z.array(z.uuid()).max(LIMITS.caseReceiptFiles).default([]),
  name: name(LIMITS.caseName).optional(),
  trusted_kids: trustedKids.meta({ description: 'service keys trusted for this case only, besides the trust store' }),
});
export const renameCaseBody = z.strictObject({ name: name(LIMITS.caseName) });
export const verifyCaseBody = z.strictObject({ trusted_kids: trustedKids.optional() });

export const caseState = z.enum(['importing', 'ready', 'failed', 'cancelled']);

/** Why there is no case: a closed set. */
export const caseFailureCode = z.enum([
  'NOT_A_BUNDLE',
  'FILE_DAMAGED',
  'FILE_CUT_OFF',
  'FILE_TOO_LARGE',
  'STORAGE_FULL',
  'UNEXPECTED',
]);
export type CaseFailureCode = z.infer<typeof caseFailureCode>;

const caseProgress = z.strictObject({
  phase: z.enum(['waiting', 'verifying', 'indexing', 'coherence', 'finishing']),
  bytes: bytes.meta({ description: 'of the file as it lies on the disk, read so far in this phase' }),
  total_bytes: bytes,
  records: z.int().min(0),
  records_per_second: z.number().min(0),
  remaining_seconds: z.int().min(0).nullable(),
});
export type CaseProgress = z.infer<typeof caseProgress>;

export const issuerChange = z.strictObject({
  code: z.literal('ISSUER_CHANGED'),
  org_id: z.string(),
  org_name: z.string(),
  kid: z.string(),
  known: z.array(z.strictObject({ kid: z.string(), last_seen: isoTime })),
  message: z.string(),
});

/** What is known of the pages of a PDF report. The pages are no evidence, whatever this says. */
const pagesCheck = z.strictObject({
  status: z.enum(['match', 'differ', 'not_comparable']),
  reason: z.enum(PAGES_REASONS).nullable(),
  version: z.string().nullable(),
});

/** What of the report the list of cases needs. */
const caseReport = z.strictObject({
  verdict,
  summary: z.string(),
  bundle: reportBundle,
  issuer: reportIssuer,
  checks: each(CHECKS, checkStatus),
  findings: z.int().min(0).meta({ description: 'how many there are, of all codes' }),
});
export type CaseReport = z.infer<typeof caseReport>;

/** The case file that a case was opened from. */
const caseOrigin = z.strictObject({
  file_sha256: fileDigest,
  made_at: z.string(),
  made_by: z.string().nullable().meta({ description: 'as its manifest says' }),
  sealed_with: z
    .string()
    .nullable()
    .meta({ description: 'kid of the key that signed its manifest; null where none did' }),
  damage: z.int().min(0).meta({ description: 'what did not hold in its custody log and notes when it was opened' }),
  reproduced: z
    .boolean()
    .nullable()
    .meta({ description: 'whether the keys that it names gave the same report of the first item here; null before' }),
});

/** Why a case is not verified: a closed set. With `ITEMS_UNCHECKED` it has no verdict yet. */
export const caseVerdictCode = z.enum([
  'EVIDENCE_FAILED',
  'EVIDENCE_INCOMPLETE',
  'ITEM_CONTRADICTS',
  'ITEMS_UNCHECKED',
  'PAGES_DIFFER',
  'PAGES_NOT_COMPARED',
  'NOT_SIGNED',
  'RUNS_REFUSED',
  'RUNS_UNDECIDED',
]);

export const caseAnswer = z.strictObject({
  case_id: id,
  name: z.string(),
  scope: z.enum(['workstation', 'organization']).meta({ description: 'who sees it' }),
  file_name: z.string(),
  bytes,
  sha256: fileDigest.meta({ description: 'of the file as it came' }),
  kind: caseFileKind,
  receipts: z.array(z.strictObject({ name: z.string(), bytes, sha256: fileDigest })),
  trusted_kids: z.array(z.string()),
  created_at: isoTime,
  state: caseState,
  verifying: z.boolean().meta({ description: 'a ready case that is being verified again' }),
  progress: caseProgress.nullable().meta({ description: 'while it is imported or verified' }),
  failure: z.strictObject({ code: caseFailureCode, message: z.string() }).nullable(),
  verified_at: isoTime.nullable(),
  verdict: verdict.nullable().meta({
    description:
      'that of the report; failed where an item contradicts the file, however sound that is by itself; null while items ' +
      'are being verified, unless it is failed already',
  }),
  verdict_code: caseVerdictCode.nullable().meta({ description: 'why it is not verified' }),
  contradicting_items: z.array(z.int()).meta({ description: 'numbers of the items that contradict the file' }),
  report: caseReport.nullable(),
  pages: pagesCheck.nullable().meta({
    description: 'of a PDF: whether its pages are those that this version renders from the attached bundle; else null',
  }),
  found: foundSummary.nullable().meta({
    description: 'what was read out of items that nobody signed when it happened; null where there are none',
  }),
  reading_items: z.boolean().meta({ description: 'whether such items are being read, which changes what is listed' }),
  coherence: caseCoherence.nullable().meta({
    description: 'whether the records of the payload profile fit together; null before it was looked at',
  }),
  issuer_change: issuerChange.nullable(),
  created_by: z.string().nullable().meta({ description: 'address of who made it; null where it is not known' }),
  items: z.int().min(1).meta({ description: 'how many there are, the file of the case among them' }),
  checking_items: z.boolean().meta({ description: 'whether items are being verified, which may change the verdict' }),
  unchecked_items: z.int().min(0).meta({ description: 'how many items are not verified yet' }),
  archive: archiveState.nullable().meta({ description: 'null of a case that is no archive' }),
  origin: caseOrigin.nullable().meta({ description: 'null of a case that was not opened from a case file' }),
  own_issuer: z.boolean().meta({ description: 'signed with a key of this service: neither an alarm nor a proof here' }),
  resembles_home: resemblesHome,
});
export type Case = z.infer<typeof caseAnswer>;

/** A part of a case's findings: of one record, of one operation, or all. */
export const findingsQuery = page.extend({
  seq_no: seqNumber(/^[1-9]\d{0,15}$/),
  operation_id: text(1, 256).optional(),
});

/** Which of several records that bear one operation_id, which only a bad bundle has; the first of the file by default. */
export const caseOperationQuery = z.strictObject({ seq_no: seqNumber(/^[1-9]\d{0,15}$/) });

/** A record as the bundle has it, character for character. */
export const caseRecordText = z.strictObject({
  operation_id: id,
  seq_no: z.int(),
  line: z.int().min(1).meta({ description: 'in the bundle, from 1' }),
  text: z.string(),
});

export const caseAuditQueryBody = auditQueryBody.extend({ tag: tag.optional() });
export type CaseAuditQuery = z.infer<typeof caseAuditQueryBody>;
export const caseHistogramQuery = histogramQuery.extend({ tag: tag.optional() });

/** A row of the audit query over a case, with the investigators' tags and how many findings name the record. */
export const caseAuditRow = auditQueryRow.extend({
  tags: z.array(z.string()),
  bookmarked: z.boolean(),
  findings: z.int().min(0),
});
export const caseAuditAnswer = auditQueryAnswer.extend({ data: z.array(caseAuditRow) });
export type CaseAuditRow = z.infer<typeof caseAuditRow>;

/** The ledger of a case in figures, as far as the bundle goes. */
export const caseSummary = z.strictObject({
  org: z.strictObject({ org_id: z.string(), name: z.string() }),
  records: z.int().min(0),
  unsealed: z.strictObject({ count: z.int().min(0), oldest_received_at: isoTime.nullable() }),
  epochs: z.int().min(0),
  agents: z.strictObject({ active: z.int().min(0), frozen: z.int().min(0), deleted: z.int().min(0) }),
  unreadable: z.int().min(0).meta({ description: 'records of the bundle that could not be read' }),
  corrected_times: correctedTimes,
});
export type CaseSummary = z.infer<typeof caseSummary>;
