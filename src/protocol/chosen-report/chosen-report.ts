import { MAX_RECORD_BYTES, MAX_VALUES } from '../bundle/sizes.ts';
import { decodeUtf8 } from '../bytes.ts';
import { canonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 as sha256Here } from '../digest.ts';
import { toBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import { mayHoldMore, parseJsonBytes } from '../json.ts';
import { ProtocolError, unlessRefused } from '../protocol-error.ts';
import { type RecordProof, recordProofOf } from '../record-proof/record-proof.ts';
import * as shape from '../shape.ts';
import type { JsonObject } from '../statements/disclosures.ts';
import { type ReportSums, reportSumsOf } from './report-sums.ts';

export const CHOSEN_REPORT_TYPE = 'countersign.report.v1';

/** The most records that one report shows. */
export const MAX_CHOSEN_RECORDS = 1000;

/** The most bytes that the data of a report have, as one record of a bundle: they are parsed in one piece. */
export const MAX_CHOSEN_REPORT_BYTES = MAX_RECORD_BYTES;

/** What the examiner's signature adds, at most: bytes, and values. */
const SIGNATURE_ROOM = 1024;
const SIGNATURE_VALUES = 8;

/** How long what people write may be, in Unicode characters. */
export const CHOSEN_REPORT_TEXT = { title: 200, question: 4000, examiner: 200, comment: 10_000 } as const;

/** More trust entries than these nobody names for one report. */
const MAX_TRUSTED_KEYS = 1000;

/** One record of a report, in the order that its maker chose. */
export interface ChosenEntry {
  readonly seq_no: number;
  /** When the clock was set back that the record was received by, as the log says that the report is made with (protocol R45). */
  readonly clock_corrected_at?: string;
  readonly comment?: string;
}

/** The bundle that the records were taken from, as its plain bytes. What a report says of it is its maker's word. */
export interface TakenFrom {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** The examiner's signature over the canonical form of all the rest, its digest included. */
export interface ExaminerSignature {
  readonly algorithm: 'ed25519';
  /** RFC 7638 thumbprint of the key. */
  readonly kid: string;
  readonly public_key: string;
  readonly value: string;
}

/** What a report of chosen records says (protocol R40): words of its maker, and the proof of the records themselves. */
export interface ChosenReportContent {
  readonly type: typeof CHOSEN_REPORT_TYPE;
  readonly title: string;
  /** What was asked; may be empty. */
  readonly question: string;
  /** Who made the report; null where it does not say. */
  readonly examiner: string | null;
  readonly made_at: string;
  readonly taken_from: TakenFrom | null;
  /** Trust entries that its maker verified the records with: the maker's word, which no reader has to share. */
  readonly trusted_keys: readonly string[];
  /** Each record of the proof once, in the order of the report. */
  readonly entries: readonly ChosenEntry[];
  /** What they come to, where that was asked. */
  readonly sums?: ReportSums;
  /** The proof of records (protocol R1), as it stands there: whether it is sound only its verification says. */
  readonly proof: JsonObject;
}

export interface ChosenReport extends ChosenReportContent {
  /** Over the canonical form of everything but itself and the signature. */
  readonly digest: string;
  readonly signature?: ExaminerSignature;
}

interface RawReport extends Omit<ChosenReport, 'entries' | 'trusted_keys'> {
  readonly entries: readonly unknown[];
  readonly trusted_keys: readonly unknown[];
}

const REPORT_SHAPE: shape.Shape<RawReport> = {
  type: shape.constant(CHOSEN_REPORT_TYPE),
  title: shape.text(1, CHOSEN_REPORT_TEXT.title),
  question: shape.text(0, CHOSEN_REPORT_TEXT.question),
  examiner: shape.nullable(shape.text(1, CHOSEN_REPORT_TEXT.examiner)),
  made_at: shape.time,
  taken_from: shape.nullable(shape.object),
  trusted_keys: shape.listOf(0, MAX_TRUSTED_KEYS),
  entries: shape.listOf(1, MAX_CHOSEN_RECORDS),
  sums: shape.object,
  proof: shape.object,
  digest: shape.digest,
  signature: shape.object,
};

const ENTRY_SHAPE: shape.Shape<ChosenEntry> = {
  seq_no: shape.integer(1),
  clock_corrected_at: shape.time,
  comment: shape.text(1, CHOSEN_REPORT_TEXT.comment),
};

const TAKEN_FROM_SHAPE: shape.Shape<TakenFrom> = { sha256: shape.digest, size: shape.integer(1) };

const SIGNATURE_SHAPE: shape.Shape<ExaminerSignature> = {
  algorithm: shape.constant('ed25519'),
  kid: shape.text(43, 43),
  public_key: shape.text(43, 43),
  value: shape.signature,
};

const TRUST_ENTRY = shape.text(1, 400);

function trustEntry(value: unknown, index: number): string {
  const expected = TRUST_ENTRY(value);
  if (expected === null) return value as string;
  const member = `report.trusted_keys[${index}]`;
  throw new ProtocolError('SHAPE_INVALID', `${member}: expected ${expected}`, member);
}

/**
 * Reads the data of a report, in any spelling that a bundle may have. Whoever sent the file wrote all of it.
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID
 */
export function parseChosenReport(bytes: Uint8Array): ChosenReport {
  if (bytes.length > MAX_CHOSEN_REPORT_BYTES) {
    throw new ProtocolError('SHAPE_INVALID', `a report has at most ${MAX_CHOSEN_REPORT_BYTES} bytes`);
  }
  return chosenReportOf(parseJsonBytes(bytes, { oneSpelling: true }));
}

/** parseChosenReport for data that are a value already. @throws ProtocolError SHAPE_INVALID */
export function chosenReportOf(value: unknown): ChosenReport {
  const raw = shape.parseShape<RawReport>(value, REPORT_SHAPE, 'report', ['sums', 'signature']);
  const { signature, sums, taken_from: takenFrom } = raw;
  return {
    ...raw,
    taken_from: takenFrom === null ? null : shape.parseShape(takenFrom, TAKEN_FROM_SHAPE, 'report.taken_from'),
    trusted_keys: raw.trusted_keys.map(trustEntry),
    entries: raw.entries.map((entry, index) =>
      shape.parseShape(entry, ENTRY_SHAPE, `report.entries[${index}]`, ['clock_corrected_at', 'comment']),
    ),
    ...(sums === undefined ? {} : { sums: reportSumsOf(sums, 'report.sums') }),
    ...(signature === undefined ? {} : { signature: shape.parseShape(signature, SIGNATURE_SHAPE, 'report.signature') }),
  };
}

/** The bytes of the data: canonical JSON, no line break at the end. */
export function chosenReportBytes(report: ChosenReport): Uint8Array {
  return canonicalBytes(report as unknown as Json);
}

/** What `digest` must be. */
export function chosenReportDigest(report: ChosenReportContent & Partial<ChosenReport>, hash: Sha256): string {
  const { digest: _, signature: __, ...content } = report;
  return formatDigest(hash(canonicalBytes(content as unknown as Json)));
}

/** What the examiner signs: everything but the signature. */
export function chosenReportSignedBytes({ signature: _, ...rest }: ChosenReport): Uint8Array {
  return canonicalBytes(rest as unknown as Json);
}

/** Somebody who signs a report: an Ed25519 key of their own. */
export interface Examiner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/**
 * Makes a report: checks its content as a reader does, and adds its digest, and the signature where there is a key.
 * @throws ProtocolError SHAPE_INVALID where a text is too long, or the whole too large
 */
export function makeChosenReport(
  content: Omit<ChosenReportContent, 'type'>,
  { examiner, hash = sha256Here }: { readonly examiner?: Examiner | undefined; readonly hash?: Sha256 } = {},
): ChosenReport {
  const typed: ChosenReportContent = { type: CHOSEN_REPORT_TYPE, ...content };
  const report = chosenReportOf({ ...typed, digest: chosenReportDigest(typed, hash) });
  const bytes = chosenReportBytes(report);
  if (bytes.length > MAX_CHOSEN_REPORT_BYTES - SIGNATURE_ROOM) {
    throw new ProtocolError(
      'SHAPE_INVALID',
      `a report has at most ${MAX_CHOSEN_REPORT_BYTES} bytes: choose fewer records`,
    );
  }
  if (mayHoldMore(decodeUtf8(bytes), MAX_VALUES - SIGNATURE_VALUES)) {
    throw new ProtocolError('SHAPE_INVALID', `a report has at most ${MAX_VALUES} values: choose fewer records`);
  }
  if (examiner === undefined) return report;
  const signature = examinerSignature(examiner.publicKey, examiner.sign(chosenReportSignedBytes(report)));
  return { ...report, signature };
}

/** Puts a signature over `chosenReportSignedBytes` together. @param publicKey 32 bytes @param value 64 bytes */
export function examinerSignature(publicKey: Uint8Array, value: Uint8Array): ExaminerSignature {
  const kid = thumbprint(publicKey);
  return { algorithm: 'ed25519', kid, public_key: toBase64Url(publicKey), value: toBase64Url(value) };
}

/** The bytes of the proof in a report, as a separate file. */
export function proofBytesOf({ proof }: Pick<ChosenReportContent, 'proof'>): Uint8Array {
  return canonicalBytes(proof);
}

/** The proof in a report, for showing it; null where it is damaged so that it cannot be read. */
export function proofOf(report: Pick<ChosenReportContent, 'proof'>): RecordProof | null {
  // With members in the order of the canonical form, in which every reader of a file finds them: the pages follow it.
  return unlessRefused(() => recordProofOf(parseJsonBytes(proofBytesOf(report))), null);
}
