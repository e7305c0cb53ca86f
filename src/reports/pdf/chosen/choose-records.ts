import {
  type BundleSource,
  type ChosenEntry,
  type ChosenReport,
  type ChosenReportJudgement,
  clockCorrectedAt,
  type Examiner,
  type HostCrypto,
  type JsonObject,
  judgeChosenReport,
  makeChosenReport,
  type ProvenRecords,
  proveRecords,
  type ReportSums,
  recordProofBytes,
  type TakenFrom,
  verifyRecordProof,
} from '../../../protocol/index.ts';
import { keysThatMatter } from '../made-with.ts';
import { Witness } from '../witness.ts';

/** What people say in a report of chosen records, and whom its maker trusts. */
export interface ChosenRequest {
  readonly title: string;
  readonly question: string;
  readonly examiner: string | null;
  /** RFC 3339. */
  readonly madeAt: string;
  /** 1 to 1000, each number once, in the order of the report. */
  readonly entries: readonly ChosenEntry[];
  /** What the records come to. */
  readonly sums?: ReportSums;
  /** Trust entries. The report names those of them that it depends on. */
  readonly trustedKids: readonly string[];
  /** The examiner's own key, with which the report is signed. */
  readonly signer?: Examiner | undefined;
}

export interface ChosenResult {
  readonly report: ChosenReport;
  /** With the keys that its maker trusts. */
  readonly judgement: ChosenReportJudgement;
}

/**
 * Makes a report of records out of a bundle. It is made whatever the verdict on the records is: the verdict goes with it.
 * @param source the bundle as plain JSON, read three times
 * @throws RecordProofError, ProtocolError SHAPE_INVALID where a text is too long; ReportError BUNDLE_CHANGED; and what reading
 *   the source fails with
 */
export async function chooseRecords(
  source: BundleSource,
  request: ChosenRequest,
  crypto: HostCrypto,
): Promise<ChosenResult> {
  const witness = new Witness(source);
  const { sha256, size } = await witness.digests();
  const numbers = request.entries.map(({ seq_no }) => seq_no);
  const proven = await proveRecords(witness.source, numbers, crypto.sha256);
  return reportOfProof(proven, { sha256: `sha256:${sha256}`, size }, request, crypto);
}

/** An entry with what the log says of the clock that its record was received by (protocol R45). */
function withClock({ seq_no, comment }: ChosenEntry, correctedTimes: ProvenRecords['correctedTimes']): ChosenEntry {
  const correctedAt = clockCorrectedAt(correctedTimes, 'seq_no', seq_no);
  return {
    seq_no,
    ...(correctedAt === null ? {} : { clock_corrected_at: correctedAt }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/**
 * Makes a report of records whose proof there is already, such as those of a ledger.
 * @throws ProtocolError SHAPE_INVALID
 */
export async function reportOfProof(
  { proof, correctedTimes }: ProvenRecords,
  takenFrom: TakenFrom | null,
  { title, question, examiner, madeAt, entries, sums, trustedKids, signer }: ChosenRequest,
  crypto: HostCrypto,
): Promise<ChosenResult> {
  const verified = await verifyRecordProof(() => [recordProofBytes(proof)], { crypto, trustedKids });
  const trusted = verified.issuer.pinned ? keysThatMatter(verified, trustedKids) : [];
  const report = makeChosenReport(
    {
      title,
      question,
      examiner,
      made_at: madeAt,
      taken_from: takenFrom,
      trusted_keys: trusted,
      entries: entries.map((entry) => withClock(entry, correctedTimes)),
      ...(sums === undefined ? {} : { sums }),
      proof: proof as unknown as JsonObject,
    },
    { examiner: signer, hash: crypto.sha256 },
  );
  return { report, judgement: await judgeChosenReport(report, { crypto, trustedKids: trusted }) };
}
