import type { ExaminerSignatureState } from '../../../protocol/index.ts';
import { RECORDS_SECTION, type RecordView, recordContent, shownContents } from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import { writeBlocks } from './blocks.ts';
import type { ChosenSubject } from './chosen-subject.ts';
import { writeOutline } from './outline-block.ts';
import { BOUNDS, sharedRows } from './shares.ts';

/** Heading, facts and the first lines of the payload stay on one page, in points. */
const KEPT_TOGETHER = 140;

function writeRecord(flow: Flow, view: RecordView, signature: ExaminerSignatureState, rows: number): void {
  const { number, summary, blocks } = recordContent(view, signature);
  flow.open('Sect');
  flow.heading(3, `${number}   ${summary}`, { bookmark: 'part', keep: KEPT_TOGETHER });
  writeBlocks(flow, blocks, { isDense: true });
  flow.gap(4);
  const { outline, notes } = shownContents(view, { ...BOUNDS, rows });
  if (outline !== null) {
    writeOutline(flow, outline);
    flow.gap(3);
  }
  for (const note of notes) flow.paragraph(note, flow.styles.smallBold);
  flow.gap(6);
  flow.close();
}

/**
 * The records in the order of the report, readable, each with its comment.
 * @param onRecords receives how many were written, and how many there are
 */
export async function writeChosenRecords(
  flow: Flow,
  { records, judgement, shortened }: ChosenSubject,
  onRecords: (done: number, total: number) => void = () => {},
): Promise<void> {
  flow.open('Sect');
  flow.heading(2, RECORDS_SECTION.title, { bookmark: 'section', keep: KEPT_TOGETHER + 60 });
  writeBlocks(flow, RECORDS_SECTION.blocks);
  const rows = shortened ? sharedRows(records) : Number.POSITIVE_INFINITY;
  for (const [index, view] of records.entries()) {
    writeRecord(flow, view, judgement.report.signature, rows);
    onRecords(index + 1, records.length);
    await flow.rest();
  }
  flow.close();
}
