import type { Finding, FindingCode } from './report.ts';

/** What a finding about a record says of it, in words that need no knowledge of signatures. Nothing that the evidence does not tell. */
const OF_RECORD: Partial<Record<FindingCode, string>> = {
  PAYLOAD_HASH_MISMATCH: 'is not as it was signed: its payload differs from the one that its agent signed',
  SIGNATURE_INVALID: 'is not as its agent signed it, or its agent never signed it: the signature does not fit',
  RECEIPT_SIGNATURE_INVALID: 'has a receipt that is not as the service signed it, or that the service never signed',
  RECEIPT_MISMATCH: 'has the receipt of another record',
  SEQUENCE_GAP: 'does not follow the one before: records between them are missing',
  SEQUENCE_DUPLICATE: 'has a number that another record has as well',
  SEQUENCE_ORDER: 'does not stand where its number belongs',
  CHAIN_BROKEN: 'does not continue what its agent signed before: a record was removed, added or exchanged',
  RECORD_OMITTED: 'is missing from this file, though the service gave a receipt for it',
};

/** A finding as a headline: whose record has what, and the code for those who look it up. */
export function headlineOfFinding({ code, where: { seq_no: seqNo, line }, message }: Finding): string {
  const plain = OF_RECORD[code];
  if (seqNo !== undefined && plain !== undefined) return `Record ${seqNo} ${plain} (${code}).`;
  const place = seqNo !== undefined ? `Record ${seqNo}: ` : line !== undefined ? `Line ${line}: ` : '';
  return `${place}${message.replace(/[.]$/, '')} (${code}).`;
}

/** Whose clock the times of a verified file are: no statement of the protocol has the time of another one. */
export const TIMES_NOTE = 'Times are those of the service’s own clock: no independent clock confirms them.';
