import type { ReportSums } from '../../protocol/index.ts';

/** A record that somebody chose for a report, with what they say about it. */
export interface ChosenRecord {
  readonly seqNo: number;
  readonly operationId: string;
  /** What the record is, on one line. */
  readonly text: string;
  readonly comment: string;
}

/** The most records of one report. */
export const MAX_CHOSEN = 1000;

/** Records as they begin: each once, in the order of the ledger. */
export function chosenFrom(records: readonly Omit<ChosenRecord, 'comment'>[]): ChosenRecord[] {
  const each = new Map(records.map((record) => [record.seqNo, { ...record, comment: '' }]));
  return [...each.values()].sort((a, b) => a.seqNo - b.seqNo);
}

/** With a record one place further up or down; as they were where it stands at that end. */
export function moved(records: readonly ChosenRecord[], seqNo: number, by: -1 | 1): readonly ChosenRecord[] {
  const from = records.findIndex((record) => record.seqNo === seqNo);
  const record = records[from];
  const to = from + by;
  if (record === undefined || to < 0 || to >= records.length) return records;
  return records.toSpliced(from, 1).toSpliced(to, 0, record);
}

export function commented(records: readonly ChosenRecord[], seqNo: number, comment: string): ChosenRecord[] {
  return records.map((record) => (record.seqNo === seqNo ? { ...record, comment } : record));
}

/** With the notes of records as their comments, where nothing is said of them yet. @param notes by operation_id */
export function withNotes(records: readonly ChosenRecord[], notes: ReadonlyMap<string, string>): ChosenRecord[] {
  return records.map((record) => {
    const note = notes.get(record.operationId);
    return note === undefined || record.comment.trim() !== '' ? record : { ...record, comment: note };
  });
}

/** What the service is asked for: each member as `chosenReportBody` has it. */
export interface ReportRequest {
  readonly format: 'pdf' | 'html';
  readonly title: string;
  readonly question: string;
  readonly examiner?: string;
  readonly details?: boolean;
  readonly entries: readonly { readonly seq_no: number; readonly comment?: string }[];
  /** How the records are grouped and added up in it. */
  readonly sums?: AskedSums;
}

/** As `reportSumsBody` has it. */
export interface AskedSums {
  readonly unit: ReportSums['unit'];
  readonly by: readonly string[];
  readonly measure:
    | { readonly op: 'count' }
    | { readonly op: Exclude<ReportSums['measure'], 'count'>; readonly of: string };
  readonly zone: string;
}

export function reportRequest(
  { title, question, examiner, format, details }: ReportWords,
  records: readonly ChosenRecord[],
  sums?: AskedSums,
): ReportRequest {
  return {
    format,
    title: title.trim(),
    question: question.trim(),
    ...(examiner.trim() === '' ? {} : { examiner: examiner.trim() }),
    ...(details && format === 'pdf' ? { details } : {}),
    ...(sums === undefined ? {} : { sums }),
    entries: records.map(({ seqNo, comment }) =>
      comment.trim() === '' ? { seq_no: seqNo } : { seq_no: seqNo, comment: comment.trim() },
    ),
  };
}

export interface ReportWords {
  readonly title: string;
  readonly question: string;
  readonly examiner: string;
  readonly format: 'pdf' | 'html';
  /** Whether a PDF shows every record with all of its contents. */
  readonly details: boolean;
}
