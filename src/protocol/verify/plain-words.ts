import { namesOfPointer } from '../canonical.ts';
import type { ChangedMember } from './changed-members.ts';
import type { Finding, FindingCode } from './report.ts';
import { counted } from './wording.ts';

/** What a finding about a record says of it, in words that need no knowledge of signatures. Nothing that the evidence does not tell. */
const OF_RECORD: Partial<Record<FindingCode, string>> = {
  PAYLOAD_HASH_MISMATCH: 'is not as it was signed: its payload differs from the one that its agent signed',
  DISCLOSURE_INVALID:
    'is not as it was signed: what the file shows of its payload does not match what its agent signed',
  SIGNATURE_INVALID: 'is not as its agent signed it, or its agent never signed it: the signature does not fit',
  RECEIPT_SIGNATURE_INVALID: 'has a receipt that is not as the service signed it, or that the service never signed',
  RECEIPT_MISMATCH: 'has the receipt of another record',
  SEQUENCE_GAP: 'does not follow the one before: records between them are missing',
  SEQUENCE_DUPLICATE: 'has a number that another record has as well',
  SEQUENCE_ORDER: 'does not stand where its number belongs',
  CHAIN_BROKEN: 'does not continue what its agent signed before: a record was removed, added or exchanged',
  RECORD_OMITTED: 'is missing from this file, though the service gave a receipt for it',
};

/** This much is said of what was changed in one record. */
const MOST_SAID = 3;
const MOST_CHARACTERS = 60;

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

function describeMember({ in: part, pointer, actual, expected }: ChangedMember): string {
  const name = cut(namesOfPointer(pointer).join('.'));
  const what = part === 'payload' ? name || 'the payload' : `${name} of the ${part}`;
  if (actual === undefined) return `${what} is missing, ${cut(expected ?? '')} was signed`;
  return `${what} is ${cut(actual)}, ${expected === undefined ? 'and was not signed' : `${cut(expected)} was signed`}`;
}

/** What was changed in a record, member by member: "was changed after it was signed: amount is 2000, 200 was signed". */
export function describeChanged(changed: readonly ChangedMember[]): string {
  const more = changed.length - MOST_SAID;
  const what = changed[0]?.in === 'receipt' ? 'has a receipt that' : '';
  return `${what} was changed after it was signed: ${[
    ...changed.slice(0, MOST_SAID).map(describeMember),
    ...(more > 0 ? [`${counted(more, 'further member')} changed`] : []),
  ].join('; ')}`.trimStart();
}

/** A finding in plain words, without its code. */
export function plainFinding({ code, where: { seq_no: seqNo, line }, message, changed = [] }: Finding): string {
  const plain = changed.length > 0 ? describeChanged(changed) : OF_RECORD[code];
  if (seqNo !== undefined && plain !== undefined) return `Record ${seqNo} ${plain}`;
  const place = seqNo !== undefined ? `Record ${seqNo}: ` : line !== undefined ? `Line ${line}: ` : '';
  return `${place}${message.replace(/[.]$/, '')}`;
}

/** What a finding says, where its code stands next to it. */
export function describeFinding(finding: Finding): string {
  return finding.changed === undefined ? finding.message : `${plainFinding(finding)}.`;
}

/** A finding as a headline: whose record has what, and the code for those who look it up. */
export function headlineOfFinding(finding: Finding): string {
  return `${plainFinding(finding)} (${finding.code}).`;
}

/** Whose clock the times of a verified file are: no statement of the protocol has the time of another one. */
export const TIMES_NOTE = 'Times are those of the service’s own clock: no independent clock confirms them.';
