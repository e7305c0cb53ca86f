import { outlineOf, type RecordView, writtenBy } from '../../chosen/index.ts';
import { type Fact, writeFactBlock } from '../layout/fact-block.ts';
import type { Flow } from '../layout/flow.ts';
import { many } from '../wording.ts';
import type { ChosenSubject } from './chosen-subject.ts';
import { writeOutline } from './outline-block.ts';
import { BOUNDS, sharedRows } from './shares.ts';
import { writeWords } from './words-of-people.ts';

/** Heading, facts and the first lines of the payload stay on one page, in points. */
const KEPT_TOGETHER = 140;

function writeRecord(flow: Flow, view: RecordView, { label, rows }: { label: string; rows: number }): void {
  flow.open('Sect');
  flow.heading(3, `No. ${many(view.seqNo)}   ${view.summary}`, { bookmark: 'part', keep: KEPT_TOGETHER });
  if (view.comment !== null) writeWords(flow, view.comment, label);
  const optional = (name: string, value: string | null): Fact[] => (value === null ? [] : [{ name, value }]);
  writeFactBlock(flow, [
    { name: 'time', value: `issued ${view.issuedAt}, received ${view.receivedAt}` },
    ...optional('clock', view.clockNote),
    { name: 'agent', value: view.agentId },
    ...optional('on behalf of', view.person),
    { name: 'action', value: `${view.action} (${view.operationType}), subject ${view.subject}` },
    { name: 'outcome', value: view.error === null ? view.outcome : `${view.outcome}: ${view.error}` },
    ...optional('session', view.session),
  ]);
  flow.gap(4);
  if (view.payload === null) {
    flow.paragraph('The contents are withheld: they are bound by their hash, and not shown.', flow.styles.smallBold);
  } else {
    const outline = outlineOf(view.payload, { ...BOUNDS, rows });
    writeOutline(flow, outline);
    flow.gap(3);
    if (outline.cut) {
      const note =
        `${many(outline.leftOut)} characters of the contents are left out here. The attached data have them whole: ` +
        `payload_hash ${view.record.eor.payload_hash}`;
      flow.paragraph(note, flow.styles.smallBold);
    }
    if (view.withheldMembers.length > 0) {
      const note = `Members of the contents withheld, each as a salted digest: ${view.withheldMembers.join(', ')}`;
      flow.paragraph(note, flow.styles.smallBold);
    }
  }
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
  flow.heading(2, 'The records', { bookmark: 'section', keep: KEPT_TOGETHER + 60 });
  flow.paragraph(
    'In the order that the maker of this report chose. Contents are laid out for reading; headings and outcomes are read out of ' +
      'them. Byte for byte they are in the attached data.',
  );
  const label = writtenBy('Comment', judgement.report.signature);
  const rows = shortened ? sharedRows(records) : Number.POSITIVE_INFINITY;
  for (const [index, view] of records.entries()) {
    writeRecord(flow, view, { label, rows });
    onRecords(index + 1, records.length);
    await flow.rest();
  }
  flow.close();
}
