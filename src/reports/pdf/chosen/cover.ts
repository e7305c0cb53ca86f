import {
  aboutSection,
  askedSection,
  sumsSection,
  verdictMeaning,
  verdictTitle,
  writtenBy,
} from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines } from '../layout/lines.ts';
import { TableWriter } from '../layout/table.ts';
import { COLOURS } from '../layout/theme.ts';
import { writeIssuer } from '../sections/issuer.ts';
import { writeVerdictBox } from '../sections/verdict-box.ts';
import { counted, many, VERDICT_MARKS } from '../wording.ts';
import { writeBlocks, writeSection } from './blocks.ts';
import type { ChosenSubject } from './chosen-subject.ts';

/** The first page: what was asked, of which records, and whether all of it holds. */
export function writeChosenCover(flow: Flow, subject: ChosenSubject): void {
  const { report, judgement, proof } = subject;
  const { title } = flow.styles;
  const { signature } = judgement.report;
  flow.open('Sect');
  flow.paragraph(`${writtenBy('Title', signature)}:`, flow.styles.muted);
  const heading = flow.element('H1');
  flow.lines(heading, 'H1', breakLines(report.title, title, flow.width));
  heading.end();
  flow.gap(2);
  flow.paragraph(
    `Report of ${counted(report.entries.length, 'record')} from the ledger of ${proof.org_id}`,
    { ...flow.styles.h2, colour: COLOURS.ink },
    { after: 12 },
  );
  writeVerdictBox(flow, VERDICT_MARKS[judgement.verdict], `When made: ${verdictTitle(judgement)}`, [
    { text: verdictMeaning(judgement, 'maker') },
  ]);
  const asked = askedSection(report, signature);
  if (asked !== null) writeSection(flow, asked);
  writeSection(flow, aboutSection(report, judgement, proof));
  writeIssuer(flow, judgement.proof);
  flow.close();
}

/** What the records come to, where that was asked. */
export function writeSums(flow: Flow, { report, judgement }: ChosenSubject): void {
  const sums = sumsSection(report, judgement.report.signature);
  if (sums === null) return;
  flow.open('Sect');
  flow.heading(2, sums.title, { bookmark: 'section', keep: 100 });
  writeBlocks(flow, sums.blocks);
  flow.close();
}

/** The records in short: what stands on the pages that follow, or instead of them. */
export function writeRecordList(flow: Flow, { records, details }: ChosenSubject): void {
  flow.open('Sect');
  flow.heading(2, 'The records at a glance', { bookmark: 'section', keep: 70 });
  if (!details) {
    flow.paragraph(
      'This report is a summary: it shows a row for each record. Their contents are in the attached data, and ' +
        'in a report that is made with details.',
    );
  }
  const table = new TableWriter(flow, [
    { title: 'No.', share: 0.09, heads: true },
    { title: 'Received (UTC)', share: 0.16 },
    { title: 'What was done, by whom', share: 0.63 },
    { title: 'Outcome', share: 0.12 },
  ]);
  for (const { seqNo, receivedAt, clockNote, agentId, summary, outcome, comment } of records) {
    const whom = { text: agentId, style: flow.styles.muted };
    const own = { text: `Comment: ${comment?.replaceAll('\n', ' ')}`, style: flow.styles.smallBold };
    const clock = clockNote === null ? [] : [{ text: `${clockNote}.`, style: flow.styles.smallBold }];
    const done = { text: [summary, whom, ...clock, ...(comment === null || details ? [] : [own])] };
    const received = receivedAt.slice(0, 19).replace('T', ' ');
    const time = {
      text: clockNote === null ? [received] : [received, { text: 'may be wrong', style: flow.styles.smallBold }],
    };
    table.row([many(seqNo), time, done, outcome]);
  }
  table.end();
  flow.close();
}
