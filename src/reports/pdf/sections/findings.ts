import {
  CHECK_TITLES,
  type DamageRun,
  type DamageState,
  describeFinding,
  describePlace,
  describeStatement,
  type Finding,
  type FindingCode,
  factsOf,
  type SignedStatement,
} from '../../../protocol/index.ts';
import { writeFactBlock } from '../layout/fact-block.ts';
import type { Flow } from '../layout/flow.ts';
import { MARK_COLOURS } from '../layout/marks.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups } from '../text/groups.ts';
import { counted, leftOut, many, SUMMARY_ROWS } from '../wording.ts';

const MEANING: Readonly<Record<DamageState, string>> = {
  proven: 'proven: signatures hold, and an intact epoch seals them',
  damaged: 'damaged: a finding above names them',
  unproven: 'not proven: nothing was found against them, but what would prove them is broken or not there',
  missing: 'missing: no readable record',
};

/** Longer lists help nobody on paper; the report as JSON has them all. */
const MAX_LISTED = 200;

function line({ first_seq_no, last_seq_no, state }: DamageRun): string {
  const numbers =
    first_seq_no === last_seq_no
      ? `Number ${many(first_seq_no)}`
      : `Numbers ${many(first_seq_no)} to ${many(last_seq_no)}`;
  return `${numbers}: ${MEANING[state]}`;
}

/** Which records stay proven beside what was found, where not all do. */
function writeDamage(flow: Flow, { report }: Pick<Subject, 'report'>): void {
  const { runs, joined } = report.damage;
  if (runs.every(({ state }) => state === 'proven')) return;
  flow.open('Sect');
  flow.heading(3, 'What stays proven', { keep: 70 });
  flow.paragraph(
    report.issuer.pinned
      ? 'By sequence numbers of the records:'
      : 'By sequence numbers of the records. Proven is only what this issuer says, whom the reader does not trust.',
    flow.styles.body,
    { after: 2 },
  );
  flow.list(runs.slice(0, MAX_LISTED).map(line));
  if (runs.length > MAX_LISTED) {
    flow.paragraph(
      `${many(runs.length - MAX_LISTED)} more ranges were found and are not listed, the last up to ${many(runs.at(-1)?.last_seq_no ?? 0)}.`,
      flow.styles.bold,
    );
  }
  if (joined > 0) {
    flow.paragraph(`The last range stands for ${many(joined + 1)} that were too many to tell apart.`, flow.styles.bold);
  }
  flow.close();
}

/** Causes first, each in the order of the report; what only follows from others after them. */
function ordered(findings: readonly Finding[]): Finding[] {
  return [
    ...findings.filter(({ caused_by }) => caused_by === undefined),
    ...findings.filter(({ caused_by }) => caused_by !== undefined),
  ];
}

/** Every finding with its place and its evidence. */
export async function writeFindings(flow: Flow, subject: Pick<Subject, 'report' | 'details'>): Promise<void> {
  const { report } = subject;
  flow.open('Sect');
  flow.heading(2, 'Findings', { bookmark: 'section', keep: 70 });
  const { findings, finding_counts } = report;
  if (findings.length === 0) {
    flow.paragraph('None: no check found a problem.');
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
  const all = ordered(findings);
  const shown = subject.details ? all : all.slice(0, SUMMARY_ROWS);
  for (const finding of shown) {
    writeFinding(flow, finding);
    await flow.rest();
  }
  const rest = leftOut(all.length - shown.length, 'finding', 'countersign verify lists');
  if (rest !== null) flow.paragraph(rest);
  const beyond = (Object.entries(finding_counts) as [FindingCode, number][])
    .map(([code, total]) => [code, total - findings.filter((finding) => finding.code === code).length] as const)
    .filter(([, rest]) => rest > 0);
  if (beyond.length > 0) flow.gap(8);
  for (const [code, rest] of beyond) {
    flow.paragraph(`${many(rest)} more of ${code} were counted and are not listed.`, flow.styles.bold);
  }
  writeDamage(flow, subject);
  flow.close();
}

function writeFinding(flow: Flow, finding: Finding): void {
  const { id, code, severity, check, where, expected, actual, caused_by } = finding;
  const isError = severity === 'error';
  const mark = isError ? 'fail' : 'not_checked';
  flow.open('Sect');
  const place = describePlace(where);
  const title = `${id}.  ${code}: ${isError ? 'error' : 'warning'}, ${CHECK_TITLES[check]}`;
  flow.heading(3, title, { colour: MARK_COLOURS[mark], mark, keep: 56 });
  writeFactBlock(flow, [
    ...(place === '' ? [] : [{ name: 'where', value: place }]),
    { name: 'what', value: describeFinding(finding) },
    ...(expected === undefined ? [] : [{ name: 'expected', value: evidence(expected), code: true }]),
    ...(actual === undefined ? [] : [{ name: 'found', value: evidence(actual), code: true }]),
    ...(finding.evidence ?? []).flatMap((statement) => signedBy(statement)),
    ...(caused_by === undefined ? [] : [{ name: 'follows from', value: `finding ${caused_by}` }]),
  ]);
  flow.close();
}

/** A signed statement that proves a finding, with its signature: two lines of evidence. */
function signedBy(statement: SignedStatement): { name: string; value: string; code?: boolean }[] {
  const { kid, signature } = factsOf(statement);
  return [
    { name: 'signed', value: `${describeStatement(statement)}, by the key ${kid}` },
    { name: 'signature', value: signature, code: true },
  ];
}

/** Digests in groups, for comparing by eye; anything else as it is. */
function evidence(text: string): string {
  return /^sha256:[0-9a-f]{64}$/.test(text) ? digestInGroups(text) : text;
}
