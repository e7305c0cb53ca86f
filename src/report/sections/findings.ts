import { CHECK_TITLES, describePlace, type Finding, type FindingCode } from '../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { MARK_COLOURS } from '../layout/marks.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { counted, many, sentence } from '../wording.ts';

/** Causes first, each in the order of the report; what only follows from others after them. */
function ordered(findings: readonly Finding[]): Finding[] {
  return [
    ...findings.filter(({ caused_by }) => caused_by === undefined),
    ...findings.filter(({ caused_by }) => caused_by !== undefined),
  ];
}

/** Every finding with its place and its evidence. */
export function writeFindings(flow: Flow, { report }: Subject): void {
  flow.open('Sect');
  flow.heading(2, 'Findings', { bookmark: 'section', keep: 70 });
  const { findings, finding_counts } = report;
  if (findings.length === 0) {
    flow.paragraph('None: no check found anything that is not as it should be.');
    flow.close();
    return;
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const following = findings.filter(({ caused_by }) => caused_by !== undefined).length;
  const follow =
    following === 0 ? '' : ` ${counted(following, 'finding')} only follow from others and stand after them.`;
  flow.paragraph(
    `${counted(errors, 'error')} and ${counted(findings.length - errors, 'warning')}. An error fails its check; a warning says what could not be checked.${follow}`,
  );
  const table = new TableWriter(flow, [
    { title: 'No.', share: 0.08, heads: true },
    { title: 'Code and check', share: 0.3 },
    { title: 'Where, what, and the evidence', share: 0.62 },
  ]);
  for (const finding of ordered(findings)) table.row(rowOf(finding, flow));
  table.end();
  const beyond = (Object.entries(finding_counts) as [FindingCode, number][])
    .map(([code, total]) => [code, total - findings.filter((finding) => finding.code === code).length] as const)
    .filter(([, rest]) => rest > 0);
  for (const [code, rest] of beyond) {
    flow.paragraph(`${many(rest)} more of ${code} were counted and are not listed.`, flow.styles.bold);
  }
  flow.close();
}

function rowOf(finding: Finding, flow: Flow): Parameters<TableWriter['row']>[0] {
  const isError = finding.severity === 'error';
  const mark = isError ? 'fail' : 'not_checked';
  const place = describePlace(finding.where);
  const details = [
    ...(place === '' ? [] : [sentence(place)]),
    sentence(finding.message),
    ...(finding.expected === undefined ? [] : [`Expected: ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`Found: ${finding.actual}`]),
    ...(finding.caused_by === undefined ? [] : [`Follows from finding ${finding.caused_by}.`]),
  ];
  const style = { ...flow.styles.smallBold, colour: MARK_COLOURS[mark] };
  return [
    String(finding.id),
    { text: [finding.code, `${isError ? 'Error' : 'Warning'}, ${CHECK_TITLES[finding.check]}`], style, mark },
    { text: details },
  ];
}
