import type { DifferingRecord } from '../../api/index.ts';
import {
  type BundleContent,
  canonicalBytes,
  canonicalize,
  changedMembers,
  type Disclosures,
  formatDigest,
  type Json,
  parseBundleRecord,
} from '../../protocol/index.ts';

type BundleRecord = (BundleContent & { readonly kind: 'record' })['value'];

/** A record of an index: its number and its text, byte for byte as the bundle has it. */
export interface RecordText {
  readonly seq_no: number;
  readonly text: Uint8Array;
}

/** What holding the content of two records of one seq_no against each other came to. */
export interface ContentComparison {
  /** null where all that both have is the same. */
  readonly difference: DifferingRecord | null;
  /** Whether one of the two lacks the payload or a member of it, so that there was nothing to compare with it. */
  readonly withheld: boolean;
}

type Digest = (bytes: Uint8Array) => Uint8Array;

/**
 * Compares two records whose receipts agree by what they hold, each part in its canonical form. Receipts, hashes and
 * signatures in a file say nothing of its payloads: whoever alters a payload leaves them as they were.
 */
export function compareContent(one: RecordText, other: RecordText, sha256: Digest): ContentComparison {
  // Byte for byte the same, as it is for most: nothing has to be parsed.
  if (Buffer.compare(one.text, other.text) === 0) return { difference: null, withheld: false };
  const [left, right] = [parseBundleRecord(one.text), parseBundleRecord(other.text)];
  const parts: DifferingRecord['parts'][number][] = [];
  const members = compareMembers(left.disclosures ?? {}, right.disclosures ?? {});
  const withheld = (left.eor.payload === undefined) !== (right.eor.payload === undefined) || members.withheld;
  const [payload, otherPayload] = [payloadDigest(left, sha256), payloadDigest(right, sha256)];
  if (payload !== null && otherPayload !== null && (payload !== otherPayload || members.differ)) parts.push('payload');
  if (!isSame(withoutPayload(left), withoutPayload(right))) parts.push('record');
  if (!isSame(left.ear, right.ear)) parts.push('receipt');
  if (parts.length === 0) return { difference: null, withheld };
  return {
    withheld,
    difference: {
      seq_no: one.seq_no,
      parts,
      this: { operation_id: left.eor.operation_id, payload_digest: payload },
      other: { operation_id: right.eor.operation_id, payload_digest: otherPayload },
      changed: changedIn(left, right, sha256),
    },
  };
}

/** Which of the two is not as it was signed, where the other one is: their receipts agree. */
function changedIn(one: BundleRecord, other: BundleRecord, sha256: Digest): DifferingRecord['changed'] {
  for (const [place, record, copy] of [
    ['this', one, other],
    ['other', other, one],
  ] as const) {
    const members = changedMembers(record, copy, sha256);
    if (members.length > 0) return { in: place, members };
  }
  return null;
}

/** Holds against each other the members of a salted payload that both files show. */
function compareMembers(one: Disclosures, other: Disclosures) {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const common = names.filter((name) => Object.hasOwn(other, name));
  return {
    withheld: common.length < names.length || common.length < others.length,
    differ: common.some((name) => canonicalize(one[name]) !== canonicalize(other[name])),
  };
}

function withoutPayload({ eor: { payload: _, ...members } }: BundleRecord): object {
  return members;
}

/** Computed from the payload itself: the payload_hash of the record is what its file claims. */
function payloadDigest({ eor: { payload } }: BundleRecord, sha256: Digest): string | null {
  return payload === undefined ? null : formatDigest(sha256(canonicalBytes(payload)));
}

function isSame(one: object, other: object): boolean {
  return Buffer.compare(canonicalBytes(one as Json), canonicalBytes(other as Json)) === 0;
}
