import {
  CHECK_TITLES,
  CHECKS,
  type CheckName,
  completenessClaims,
  describeCounts,
  timeClaims,
} from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { MARK_COLOURS } from '../layout/marks.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { STATUS_WORDS, sentence } from '../wording.ts';

/** What each check asks, in a sentence (protocol V20 to V127 have the whole of it). */
const QUESTIONS: Readonly<Record<CheckName, string>> = {
  issuer: 'Are the service keys sound, and does the reader trust the issuer?',
  agent_signatures: 'Did each agent sign each of its records, with a key that was its own at the time?',
  payloads: 'Is every payload that is shown the one that was signed?',
  chains: 'Does each record continue its agent’s chain, with nothing taken out or put in?',
  receipts: 'Did the service countersign each record?',
  epochs: 'Do the records give the roots under which they were sealed?',
  completeness: 'Is anything missing within the range, and does the signed manifest say the same?',
  admin_log: 'Is the log of administrative acts whole and unchanged?',
  time: 'Are the times in a possible order?',
  reconciliation: 'Does the bundle agree with receipts that agents kept, and with other bundles?',
};

/** What no verification of a bundle can say. */
const BEYOND = [
  'Whether what the agents recorded is true. Checked is that they signed it and that it was not changed since.',
  'What agents did and never submitted. Receipts that agents kept show records that the issuer took and left out, where they were given for reconciliation.',
  'Records outside the range of this bundle.',
  'The pages of this PDF. They are not signed; what counts is the attached bundle, whose digest stands on the first page.',
];

/** The state of every check, and explicitly what was not checked. */
export function writeChecks(flow: Flow, { report }: Subject): void {
  flow.open('Sect');
  flow.heading(2, 'Checks', { bookmark: 'section', keep: 90 });
  writeCheckTable(flow, report);
  writeUnchecked(flow, report.checks);
  flow.close();
}

/** The state of every check, with what it asks and what was looked at. */
export function writeCheckTable(flow: Flow, report: Subject['report']): void {
  const table = new TableWriter(flow, [
    { title: 'Check', share: 0.44, heads: true },
    { title: 'State', share: 0.2 },
    { title: 'What was looked at', share: 0.36 },
  ]);
  for (const name of CHECKS) {
    const result = report.checks[name];
    const counts = describeCounts(result);
    const failures = report.findings.filter(({ check, severity }) => check === name && severity === 'error').length;
    const detail = [
      ...(counts === '' ? [] : [sentence(counts)]),
      ...(result.status === 'fail' ? [`${failures} listed under Findings.`] : []),
      ...(result.reason === null ? [] : [sentence(result.reason)]),
    ];
    const style = { ...flow.styles.smallBold, colour: MARK_COLOURS[result.status] };
    table.row([
      { text: [CHECK_TITLES[name], { text: QUESTIONS[name], style: flow.styles.small }] },
      { text: STATUS_WORDS[result.status], style, mark: result.status },
      { text: detail.length === 0 ? ['–'] : detail },
    ]);
  }
  table.end();
  writeClaims(flow, report);
  writeTimes(flow, report);
}

/** Completeness, claim by claim (protocol V186). */
function writeClaims(flow: Flow, report: Subject['report']): void {
  const claims = completenessClaims(report);
  if (claims.length === 0) return;
  flow.paragraph('What completeness means here:', flow.styles.body, { after: 2 });
  flow.list(claims.map(({ title, status, text }) => `${title} (${STATUS_WORDS[status]}): ${sentence(text)}`));
}

/** What others say about the times (protocol V181). */
function writeTimes(flow: Flow, report: Subject['report']): void {
  const claims = timeClaims(report);
  if (claims.length === 0) return;
  flow.paragraph('What others than the service say about the times:', flow.styles.body, { after: 2 });
  flow.list(claims.map(({ status, text }) => (status === 'fail' ? `Failed: ${text}.` : sentence(text))));
}

function writeUnchecked(flow: Flow, checks: Subject['report']['checks']): void {
  flow.heading(2, 'What was not checked', { bookmark: 'section', keep: 60 });
  const open = CHECKS.filter(
    (name) => checks[name].status === 'not_checked' || checks[name].status === 'not_applicable',
  );
  const left = CHECKS.filter((name) => checks[name].status === 'pass' && checks[name].reason !== null);
  const items = [
    ...open.map(
      (name) => `${CHECK_TITLES[name]}: ${sentence(checks[name].reason ?? STATUS_WORDS[checks[name].status])}`,
    ),
    ...left.map((name) => `${CHECK_TITLES[name]} passed, and leaves open: ${sentence(checks[name].reason ?? '')}`),
  ];
  flow.list(items);
  flow.paragraph('And what no verification of a bundle can say:', flow.styles.body, { after: 2 });
  flow.list(BEYOND);
}
