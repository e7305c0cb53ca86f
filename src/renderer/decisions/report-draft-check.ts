import {
  type ChosenEntry,
  type ChosenReport,
  type CorrectedTimes,
  canonicalize,
  chosenReportDigest,
  clockCorrectedAt,
  type Json,
  proofOf,
  sha256,
} from '../../protocol/index.ts';
import type { ReportRequest } from '../lib/report-draft.ts';

/** Whether a table is of what was asked: what it comes to, the service has read out of the records. */
function isTableOf(sums: ChosenReport['sums'], asked: ReportRequest['sums']): boolean {
  if (sums === undefined || asked === undefined) return sums === asked;
  const { op } = asked.measure;
  const wanted = {
    unit: asked.unit,
    by: asked.by,
    zone: asked.zone,
    measure: op,
    of: 'of' in asked.measure ? asked.measure.of : null,
  };
  const { unit, by, zone, measure, of } = sums;
  return canonicalize({ unit, by, zone, measure, of } as unknown as Json) === canonicalize(wanted as unknown as Json);
}

/**
 * Whether a draft of the service is the report that somebody asked for: their words, and the records that they chose, in their
 * order. A service that drafts something else would have it signed.
 * @param operations the operation_id of each record, by its number, as it was shown
 * @param correctedTimes what the ledger has been corrected to: an entry says so of the clock, and nothing else (protocol R45)
 */
export function isDraftOf(
  draft: ChosenReport,
  {
    title,
    question,
    examiner,
    entries,
    sums,
  }: Pick<ReportRequest, 'title' | 'question' | 'examiner' | 'entries' | 'sums'>,
  operations: ReadonlyMap<number, string>,
  correctedTimes: readonly CorrectedTimes[],
): boolean {
  const marked = entries.map((entry): ChosenEntry => {
    const correctedAt = clockCorrectedAt(correctedTimes, 'seq_no', entry.seq_no);
    return correctedAt === null ? entry : { ...entry, clock_corrected_at: correctedAt };
  });
  const asked = { title, question, examiner: examiner ?? null, entries: marked };
  const said = { title: draft.title, question: draft.question, examiner: draft.examiner, entries: draft.entries };
  const records = proofOf(draft)?.records ?? [];
  return (
    isTableOf(draft.sums, sums) &&
    draft.signature === undefined &&
    canonicalize(said as unknown as Json) === canonicalize(asked as unknown as Json) &&
    records.length === entries.length &&
    records.every(({ eor, ear }) => operations.get(ear.seq_no) === eor.operation_id) &&
    chosenReportDigest(draft, sha256) === draft.digest
  );
}
