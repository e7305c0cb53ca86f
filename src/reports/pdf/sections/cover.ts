import { describeCorrected, describePages, orgFingerprint } from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines } from '../layout/lines.ts';
import { COLOURS } from '../layout/theme.ts';
import { describeCoherence, headlineOf } from '../standing.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups } from '../text/groups.ts';
import { counted, many, SUMMARY_ROWS, sizeInWords } from '../wording.ts';
import { writeFacts } from './facts.ts';
import { writeIssuer } from './issuer.ts';
import { writeVerdictBox } from './verdict-box.ts';

const UNKNOWN = 'could not be read';

const ISSUERS_WORD =
  'This report was made by the service that issued the records, with its own key, which proves nothing to a stranger: it is ' +
  'the issuer’s own word about itself. Verify the ' +
  'attached bundle yourself, with a key you received through a separate channel, before you rely on anything here (see Verify again).';

/** The verdict in a box of its colour, with its sign and its word. */
function writeVerdict(flow: Flow, { report, maker, standing }: Subject): void {
  const { mark, title, texts } = headlineOf(report, standing);
  writeVerdictBox(flow, mark, `Verdict: ${title}`, [
    ...texts.map((text) => ({ text })),
    ...(maker === 'issuer' ? [{ text: ISSUERS_WORD, bold: true }] : []),
  ]);
}

/** The first page: what this is a report of, and the verdict. */
export function writeCover(flow: Flow, subject: Subject): void {
  const { report, survey, digests } = subject;
  const { bundle } = report;
  flow.open('Sect');
  const title = flow.element('H1');
  flow.lines(title, 'H1', breakLines('Verification report', flow.styles.title, flow.width));
  title.end();
  flow.gap(2);
  const org =
    bundle.org_name === null || bundle.org_name === '' ? (bundle.org_id ?? 'Organization unknown') : bundle.org_name;
  flow.paragraph(org, { ...flow.styles.h2, colour: COLOURS.ink }, { after: 12 });
  writeVerdict(flow, subject);
  if (subject.pages !== null) {
    const { title, text } = describePages(subject.pages);
    flow.paragraph(`${title}. The file that this report is about was itself a PDF.`, flow.styles.bold, { after: 2 });
    flow.paragraph(text);
  }
  if (subject.standing !== null && subject.standing.coherence !== null) {
    const { title, text } = describeCoherence(subject.standing.coherence);
    flow.paragraph(title, flow.styles.bold, { after: 2 });
    flow.paragraph(text);
  }
  flow.heading(2, 'Scope');
  const { mono } = flow.styles;
  const run =
    bundle.first_seq_no === null ? '' : `, numbers ${many(bundle.first_seq_no)} to ${many(bundle.last_seq_no ?? 0)}`;
  const withheld = bundle.redacted === 0 ? 'none' : `${many(bundle.redacted)}: bound by their hashes, not seen`;
  writeFacts(flow, [
    ['Organization', `${bundle.org_name ?? UNKNOWN} (${bundle.org_id ?? UNKNOWN})`],
    ['Its fingerprint', bundle.org_id === null ? null : orgFingerprint(bundle.org_id)],
    [
      'Received',
      bundle.filter === null ? UNKNOWN : `from ${bundle.filter.start_time} until before ${bundle.filter.end_time}`,
    ],
    [
      'Agents',
      bundle.filter === null
        ? UNKNOWN
        : bundle.filter.agent_id === null
          ? `all (${many(bundle.agents)})`
          : `only ${bundle.filter.agent_id}`,
    ],
    ['Operations', `${many(bundle.records)}${run}`],
    ...(report.corrected_times ?? [])
      .slice(0, SUMMARY_ROWS)
      .map((times): [string, string] => [
        'Clock set back',
        `${times.corrected_at}: the times of ${describeCorrected(times)} may be wrong, and those of keys made or revoked then`,
      ]),
    ['Unreadable parts', survey.unreadable === 0 ? null : `${many(survey.unreadable)}, see Findings`],
    ['Payloads withheld', withheld],
    ['Epochs, events', `${counted(bundle.epochs, 'epoch')}, ${counted(bundle.admin_events, 'administrative event')}`],
    ['Export', `${bundle.export_id ?? UNKNOWN}, made ${bundle.created_at ?? UNKNOWN}`],
    ['Bundle', `${subject.attachedAs}, attached to this PDF, ${sizeInWords(digests.size)}`],
    ['Its digest', { text: digestInGroups(`sha256:${digests.sha256}`), style: mono }],
  ]);
  writeIssuer(flow, report);
  flow.close();
}
