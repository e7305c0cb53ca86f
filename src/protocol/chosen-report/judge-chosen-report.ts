import { bundleRecordOf } from '../bundle/bundle-record.ts';
import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import { fromBase64Url } from '../encoding.ts';
import { type ExaminerKey, type ExaminerState, examinerState } from '../examiners.ts';
import { thumbprint } from '../fingerprint.ts';
import { unlessRefused } from '../protocol-error.ts';
import { TIMES_NOTE } from '../verify/plain-words.ts';
import type { Verdict, VerificationReport } from '../verify/report.ts';
import type { CancelSignal } from '../verify/verify-options.ts';
import { verifyRecordProof } from '../verify/verify-record-proof.ts';
import type { DemandedWitnesses } from '../verify/witnessed.ts';
import { type ChosenReport, chosenReportDigest, chosenReportSignedBytes, proofBytesOf } from './chosen-report.ts';

/** What can be wrong with a report besides the records that it shows. */
export type ChosenReportProblemCode =
  /** Title, question, comments, order or anything else is not what the report's own digest is of. */
  | 'REPORT_DIGEST_MISMATCH'
  /** The examiner's signature does not verify. */
  | 'REPORT_SIGNATURE_INVALID'
  /** The report says that somebody made it, and the reader knows the key that signed it as another person's. */
  | 'REPORT_EXAMINER_MISMATCH'
  /** The report shows a record that is not among the proven ones, or one of them twice, or counts one that it does not show. */
  | 'REPORT_ENTRY_UNKNOWN'
  /** A record is proven and not shown. */
  | 'REPORT_RECORD_NOT_SHOWN';

export interface ChosenReportProblem {
  readonly code: ChosenReportProblemCode;
  readonly message: string;
}

/** Whether anybody signed what people wrote in a report. Whose key it is only its fingerprint tells. */
export type ExaminerSignatureState = 'none' | 'valid' | 'invalid';

/** What became of a report of chosen records. */
export interface ChosenReportJudgement {
  readonly type: 'countersign.report-judgement.v1';
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly summary: string;
  readonly report: {
    readonly title: string;
    readonly made_at: string;
    readonly digest: string;
    readonly records: number;
    readonly signature: ExaminerSignatureState;
    readonly examiner_kid: string | null;
    /** Who made it, as the report says. */
    readonly examiner: string | null;
    /** Whose key the reader knows it to be; null where no signature holds. */
    readonly examiner_state: ExaminerState | null;
    /** The entries whose records have a time of receipt that may be wrong, as its maker says (protocol R45). */
    readonly corrected_times: readonly { readonly seq_no: number; readonly clock_corrected_at: string }[];
  };
  readonly problems: readonly ChosenReportProblem[];
  /** What was found about the records themselves. */
  readonly proof: VerificationReport;
}

export interface JudgeOptions {
  readonly crypto?: HostCrypto;
  /** Trust entries, as `verifyBundle` takes them. */
  readonly trustedKids?: readonly string[];
  /** Keys that the reader knows to be agents', as `verifyBundle` takes them. */
  readonly agentKeys?: readonly string[];
  /** Examiners' keys that the reader compared with the persons: then a report that none of them signed is at best incomplete. */
  readonly examiners?: readonly ExaminerKey[];
  /** Witnesses that must stand behind the records, as `verifyBundle` takes them. */
  readonly witnesses?: DemandedWitnesses;
  /** Verifies the proof in the report: another than `verifyRecordProof` where somebody is trusted for the times. */
  readonly verifyProof?: typeof verifyRecordProof;
  readonly signal?: CancelSignal;
}

/** More problems of one kind than these tell nobody anything. */
const MAX_LISTED = 20;

/** Whether a report is signed, and the signature is of all the rest by the key that it names. */
export async function examinerSignatureState(
  report: ChosenReport,
  crypto: HostCrypto,
): Promise<ExaminerSignatureState> {
  const { signature } = report;
  if (signature === undefined) return 'none';
  const key = unlessRefused(() => fromBase64Url(signature.public_key, 32), null);
  const value = unlessRefused(() => fromBase64Url(signature.value, 64), null);
  if (key === null || value === null || thumbprint(key) !== signature.kid) return 'invalid';
  const check = { publicKey: key, message: chosenReportSignedBytes(report), signature: value };
  return (await new StrictVerifier(crypto).holds(check)) ? 'valid' : 'invalid';
}

/** Holds the entries against the records of the proof: each record is shown once, and nothing else. */
function compareEntries(
  { entries, sums, proof }: ChosenReport,
  { finding_counts: found }: VerificationReport,
): ChosenReportProblem[] {
  // Which records a proof has that cannot be read whole, nobody can say: its verification has failed already.
  if (found.MALFORMED !== undefined || found.UNSUPPORTED_VERSION !== undefined) return [];
  const left = new Set((proof['records'] as readonly unknown[]).map((record) => bundleRecordOf(record).ear.seq_no));
  const shown = new Set(entries.map(({ seq_no }) => seq_no));
  const counted = new Set((sums?.groups ?? []).flatMap(({ records }) => records).filter((seqNo) => !shown.has(seqNo)));
  const strangers = entries.filter(({ seq_no }) => !left.delete(seq_no));
  return [
    ...strangers.slice(0, MAX_LISTED).map(({ seq_no }) => ({
      code: 'REPORT_ENTRY_UNKNOWN' as const,
      message: `No. ${seq_no} is not among the proven records, or is shown twice.`,
    })),
    ...[...counted].slice(0, MAX_LISTED).map((seqNo) => ({
      code: 'REPORT_ENTRY_UNKNOWN' as const,
      message: `No. ${seqNo} is counted in the sums of the report and is not shown.`,
    })),
    ...[...left].slice(0, MAX_LISTED).map((seqNo) => ({
      code: 'REPORT_RECORD_NOT_SHOWN' as const,
      message: `No. ${seqNo} is among the proven records and is not shown.`,
    })),
  ];
}

/**
 * Judges a report of chosen records by itself: the proof of its records, and whether it is all that its digest and the
 * examiner's signature are of. Nothing here says that what people wrote in it is right.
 * @param report as `parseChosenReport` gives it
 */
export async function judgeChosenReport(
  report: ChosenReport,
  {
    crypto = nobleCrypto,
    trustedKids = [],
    agentKeys = [],
    examiners = [],
    witnesses,
    verifyProof = verifyRecordProof,
    signal,
  }: JudgeOptions = {},
): Promise<ChosenReportJudgement> {
  const proof = await verifyProof(() => [proofBytesOf(report)], {
    crypto,
    trustedKids,
    agentKeys,
    ...(witnesses && { witnesses }),
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  const problems: ChosenReportProblem[] = [];
  if (chosenReportDigest(report, crypto.sha256) !== report.digest) {
    problems.push({
      code: 'REPORT_DIGEST_MISMATCH',
      message:
        'The report is not what its digest is of: title, question, comments, order or records were changed after it was made.',
    });
  }
  const signature = await examinerSignatureState(report, crypto);
  if (signature === 'invalid') {
    problems.push({ code: 'REPORT_SIGNATURE_INVALID', message: 'The signature of the examiner does not verify.' });
  }
  const kid = report.signature?.kid;
  const state = signature === 'valid' && kid !== undefined ? examinerState(examiners, kid, report.examiner) : null;
  if (state === 'another') {
    problems.push({
      code: 'REPORT_EXAMINER_MISMATCH',
      message: `The report says that ${report.examiner} made it, and the key that signed it is one that you named for another person.`,
    });
  }
  problems.push(...compareEntries(report, proof));
  const isUnknown = examiners.length > 0 && state !== 'named' && proof.verdict === 'verified';
  const verdict = problems.length > 0 ? 'failed' : isUnknown ? 'incomplete' : proof.verdict;
  return {
    type: 'countersign.report-judgement.v1',
    verdict,
    summary:
      problems[0] === undefined && !isUnknown
        ? proof.summary
        : `${problems[0]?.message ?? 'The records are verified; no key that you named for an examiner signed the report.'} ${TIMES_NOTE}`,
    report: {
      title: report.title,
      made_at: report.made_at,
      digest: report.digest,
      records: report.entries.length,
      signature,
      examiner_kid: kid ?? null,
      examiner: report.examiner,
      examiner_state: state,
      corrected_times: report.entries.flatMap(({ seq_no, clock_corrected_at }) =>
        clock_corrected_at === undefined ? [] : [{ seq_no, clock_corrected_at }],
      ),
    },
    problems,
    proof,
  };
}
