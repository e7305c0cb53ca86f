import type { FindingCode, FindingPlace } from './report.ts';

/** Codes that say something of the very record they name, and not of its neighbours or of what should hold it. */
const ABOUT_RECORD: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'MALFORMED',
  'KEY_UNKNOWN',
  'KEY_NOT_YET_VALID',
  'KEY_USED_AFTER_REVOCATION',
  'AGENT_KEY_NOT_TRUSTED',
  'AGENT_BARRED',
  'SERVICE_KEY_MISUSED',
  'SIGNATURE_INVALID',
  'PAYLOAD_HASH_MISMATCH',
  'DISCLOSURE_INVALID',
  'CHAIN_HASH_MISMATCH',
  'CHAIN_BROKEN',
  'CHAIN_FORK',
  'NONCE_REUSED',
  'OPERATION_ID_REUSED',
  'RECEIPT_ID_REUSED',
  'RECEIPT_SIGNATURE_INVALID',
  'RECEIPT_MISMATCH',
  'SEQUENCE_DUPLICATE',
  'SEQUENCE_ORDER',
  'TIME_ORDER',
  'TTL_VIOLATED',
  'EQUIVOCATION',
  'STATE_MISMATCH',
]);

/**
 * Whether a finding is about the record whose seq_no it names. What is in a file given for comparison says nothing
 * of the bundle's record, unless it is the service's other word on the same number; nor does what stands next to the range.
 */
export function isAboutRecord(code: FindingCode, where: FindingPlace): boolean {
  if (!ABOUT_RECORD.has(code) || where.seq_no === undefined || where.member?.startsWith('edges.') === true)
    return false;
  return where.file === undefined || code === 'EQUIVOCATION';
}
