import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { OTHER, type Tally } from '../survey.ts';
import { counted, many } from '../wording.ts';
import { writeTimeline } from './timeline.ts';

/** More rows than this are added up in the last one: the operations themselves follow. */
const MAX_ROWS = 40;

function writeTallies(flow: Flow, title: string, first: string, tallies: ReadonlyMap<string, Tally>): void {
  const rows = [...tallies].filter(([name]) => name !== OTHER);
  rows.sort(([a, x], [b, y]) => y.records - x.records || (a < b ? -1 : 1));
  const shown = rows.slice(0, MAX_ROWS);
  const rest = [...rows.slice(MAX_ROWS).map(([, tally]) => tally), ...(tallies.has(OTHER) ? [tallies.get(OTHER)] : [])];
  flow.heading(3, title, { keep: 60 });
  const table = new TableWriter(flow, [
    { title: first, share: 0.46, heads: true },
    { title: 'Operations', share: 0.16, align: 'right' },
    { title: 'Withheld', share: 0.14, align: 'right' },
    { title: 'First to last number', share: 0.24, align: 'right' },
  ]);
  for (const [name, { records, withheld, firstSeqNo, lastSeqNo }] of shown) {
    table.row([name, many(records), many(withheld), `${many(firstSeqNo)} – ${many(lastSeqNo)}`]);
  }
  const sum = (pick: (tally: Tally) => number): number =>
    rest.reduce((total, tally) => total + (tally ? pick(tally) : 0), 0);
  if (rest.length > 0) {
    const records = many(sum((tally) => tally.records));
    table.row(['All others', records, many(sum((tally) => tally.withheld)), '']);
  }
  table.end();
}

/** What the operations come to: when, by whom, of what type. */
export function writeSummary(flow: Flow, subject: Subject): void {
  const { survey } = subject;
  flow.open('Sect');
  flow.heading(2, 'Summary of operations', { bookmark: 'section', keep: 120 });
  if (survey.records === 0) {
    flow.paragraph('The bundle holds no operation that could be read.');
    flow.close();
    return;
  }
  flow.paragraph(
    `${counted(survey.records, 'operation')} of ${counted(survey.byAgent.size, 'agent')}, of ${counted(survey.byType.size, 'type')}. ` +
      'Counted as they stand in the bundle; whether they are sound is what the checks say.',
  );
  writeTimeline(flow, subject);
  writeTallies(flow, 'By agent', 'Agent', survey.byAgent);
  writeTallies(flow, 'By type', 'Operation type', survey.byType);
  flow.close();
}
