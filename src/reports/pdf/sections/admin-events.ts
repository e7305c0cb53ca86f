import { clockCorrectedAt, describeWrongClock, isWholeEvent } from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { digitsInGroups } from '../text/groups.ts';
import { jsonLines } from '../text/json-lines.ts';
import { counted, instant, leftOut, SUMMARY_ROWS } from '../wording.ts';

/** The administrative log, as far as the bundle carries it. */
export async function writeAdminEvents(flow: Flow, { survey, details, report }: Subject): Promise<void> {
  if (survey.adminEvents.length === 0) return;
  flow.open('Sect');
  flow.heading(2, 'Administrative log', { bookmark: 'section', keep: 90 });
  const withheld = survey.adminEvents.filter((event) => !isWholeEvent(event)).length;
  if (withheld > 0) {
    flow.paragraph(
      `${counted(withheld, 'event')} withheld by the service: their times and their places in the chain are here, and only their links were checked.`,
    );
  }
  const { mono } = flow.styles;
  const table = new TableWriter(flow, [
    { title: 'Time and act', share: 0.3, heads: true },
    { title: 'By whom, on what, and its hash (SHA-256)', share: 0.7, style: mono },
  ]);
  const shown = details ? survey.adminEvents : survey.adminEvents.slice(0, SUMMARY_ROWS);
  for (const [index, event] of shown.entries()) {
    const correctedAt = clockCorrectedAt(report.corrected_times, 'events', index + 1);
    const clock = correctedAt === null ? [] : [describeWrongClock('This time', correctedAt)];
    if (!isWholeEvent(event)) {
      table.row([
        { text: ['withheld', instant(event.created_at), ...clock], style: flow.styles.small },
        { text: [digitsInGroups(event.event_hash)] },
      ]);
      continue;
    }
    table.row([
      { text: [event.action, instant(event.created_at), ...clock], style: flow.styles.small },
      {
        text: [
          `by ${event.actor}`,
          `on ${event.target_type} ${event.target_id}`,
          ...jsonLines(event.details, 70),
          digitsInGroups(event.event_hash),
        ],
      },
    ]);
    await flow.rest();
  }
  table.end();
  const rest = leftOut(survey.adminEvents.length - shown.length, 'event');
  if (rest !== null) flow.paragraph(rest);
  flow.close();
}
