import {
  type ChosenReport,
  canonicalize,
  chosenReportDigest,
  type Json,
  proofOf,
  sha256,
} from '../../protocol/index.ts';
import type { ReportRequest } from '../lib/report-draft.ts';

/**
 * Whether a draft of the service is the report that somebody asked for: their words, and the records that they chose, in their
 * order. A service that drafts something else would have it signed.
 * @param operations the operation_id of each record, by its number, as it was shown
 */
export function isDraftOf(
  draft: ChosenReport,
  { title, question, examiner, entries }: Pick<ReportRequest, 'title' | 'question' | 'examiner' | 'entries'>,
  operations: ReadonlyMap<number, string>,
): boolean {
  const asked = { title, question, examiner: examiner ?? null, entries };
  const said = { title: draft.title, question: draft.question, examiner: draft.examiner, entries: draft.entries };
  const records = proofOf(draft)?.records ?? [];
  return (
    draft.signature === undefined &&
    canonicalize(said as unknown as Json) === canonicalize(asked as unknown as Json) &&
    records.length === entries.length &&
    records.every(({ eor, ear }) => operations.get(ear.seq_no) === eor.operation_id) &&
    chosenReportDigest(draft, sha256) === draft.digest
  );
}
