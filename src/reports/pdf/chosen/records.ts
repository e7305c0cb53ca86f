import type { ExaminerSignatureState } from '../../../protocol/index.ts';
import {
  type Outline,
  outlineOf,
  RECORDS_SECTION,
  type RecordView,
  recordContent,
  rowsOf,
  shownContents,
} from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines, widthOf } from '../layout/lines.ts';
import { type Row, writeRows } from '../layout/rows.ts';
import { writeBlocks } from './blocks.ts';
import type { ChosenSubject } from './chosen-subject.ts';

/** How much of one payload is printed at most: what is beyond is in the attached data. */
const BOUNDS = { lines: 400, characters: 24_000 };

/** Lines for the contents of a few records together, and for each of many. */
const FEW_ROWS = 120;
const EACH_ROWS = 24;

/** About how many lines of a page the contents of a record take. */
function wantedRows({ payload }: RecordView): number {
  if (payload === null) return 0;
  const rows = outlineOf(payload, BOUNDS).lines.map(({ name, value }) =>
    rowsOf(value === null ? name : `${name} ${value}`),
  );
  return rows.reduce((sum, each) => sum + each, 0);
}

/**
 * How many lines each record of a report may take, so that large contents do not make a report of a few records a book: as many as it
 * wants where all fit together, else what small ones leave is shared by the large ones alike.
 */
function sharedRows(records: readonly RecordView[]): number {
  const wanted = records.map(wantedRows).sort((a, b) => a - b);
  let left = Math.max(FEW_ROWS, EACH_ROWS * records.length);
  for (const [index, rows] of wanted.entries()) {
    const share = Math.floor(left / (wanted.length - index));
    if (rows > share) return share;
    left -= rows;
  }
  return Number.POSITIVE_INFINITY;
}

/** How far a level is set in, and the space between a name and its value, in points. */
const STEP = 12;
const GAP = 5;

/** The least room for a value, as a share of the width: a name that leaves less has its value below it. */
const LEAST_ROOM = 0.45;

/** A value laid out for reading: names in grey, what stands there behind them, what is in it below. */
function writeOutline(flow: Flow, { lines }: Outline): void {
  const { small, muted } = flow.styles;
  const rows: Row[] = [];
  for (const { depth, name, value } of lines) {
    const left = 8 + depth * STEP;
    const names = breakLines(name, muted, flow.width - left).map((line) => ({ line, x: left }));
    const last = names.at(-1);
    if (value === null) {
      for (const piece of names) rows.push([piece]);
      continue;
    }
    const width = last === undefined ? 0 : widthOf(last.line.glyphs, muted.size) + GAP;
    const isBeside = names.length <= 1 && flow.width - left - width > flow.width * LEAST_ROOM;
    const x = isBeside ? left + width : left + STEP;
    const texts = value.split('\n').flatMap((text) => {
      const set = breakLines(text, small, flow.width - x);
      return set.length > 0 ? set : breakLines(' ', small, flow.width - x);
    });
    if (!isBeside) for (const piece of names) rows.push([piece]);
    texts.forEach((line, index) => {
      rows.push([...(isBeside && index === 0 ? names : []), { line, x }]);
    });
  }
  writeRows(flow, rows, small);
}

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
