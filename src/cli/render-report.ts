import {
  CHECK_TITLES,
  CHECKS,
  type CheckStatus,
  completenessClaims,
  type DamageMap,
  type DamageRun,
  type DamageState,
  describeCorrected,
  describeCounts,
  describeFinding,
  describePlace,
  describeStatement,
  describeVerdict,
  type Finding,
  factsOf,
  fingerprintDigits,
  fingerprintGroups,
  orgFingerprint,
  RECORD_PROOF_TYPE,
  type SignedStatement,
  timeClaims,
  type VerificationReport,
} from '../protocol/index.ts';
import { printable, printableName } from './printable.ts';
import type { Terminal } from './terminal.ts';

const SIGNS: Record<DamageState, { sign: string; word: string; colour: 'green' | 'red' | 'yellow' }> = {
  proven: { sign: '█', word: 'proven', colour: 'green' },
  damaged: { sign: '✗', word: 'damaged', colour: 'red' },
  unproven: { sign: '░', word: 'not proven', colour: 'yellow' },
  missing: { sign: '·', word: 'missing', colour: 'red' },
};

/** What a cell of the map shows where several runs fall into it. */
const GRAVEST: readonly DamageState[] = ['damaged', 'missing', 'unproven', 'proven'];

const WIDTH = 60;
/** More ranges than these are counted, not listed; --json has them all. */
const MAX_LISTED = 20;

/** One line of cells for all runs, each cell in the gravest state that falls into it. */
function cells(runs: readonly DamageRun[]): DamageState[] {
  const first = runs[0]?.first_seq_no ?? 1;
  const last = runs.at(-1)?.last_seq_no ?? first;
  const width = Math.min(WIDTH, last - first + 1);
  const cellOf = (seqNo: number): number =>
    Math.min(width - 1, Math.floor(((seqNo - first) / (last - first + 1)) * width));
  const ranks = new Array<number>(width).fill(GRAVEST.length - 1);
  for (const { first_seq_no, last_seq_no, state } of runs) {
    const rank = GRAVEST.indexOf(state);
    for (let cell = cellOf(first_seq_no); cell <= cellOf(last_seq_no); cell++) {
      ranks[cell] = Math.min(ranks[cell] ?? rank, rank);
    }
  }
  return ranks.map((rank) => GRAVEST[rank] ?? 'proven');
}

/** Which records stay proven, where not all do. */
function renderDamage({ runs, joined }: DamageMap, trusted: boolean, terminal: Terminal): void {
  if (runs.every(({ state }) => state === 'proven')) return;
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return;
  const line = cells(runs).map((state) => terminal.style(SIGNS[state].colour, SIGNS[state].sign));
  terminal.line();
  terminal.line(`  Records ${first.first_seq_no} to ${last.last_seq_no}:`);
  terminal.line(`  ${line.join('')}`);
  for (const { first_seq_no, last_seq_no, state } of runs.slice(0, MAX_LISTED)) {
    const { sign, word, colour } = SIGNS[state];
    const range = first_seq_no === last_seq_no ? `${first_seq_no}` : `${first_seq_no} to ${last_seq_no}`;
    terminal.line(`  ${terminal.style(colour, `${sign} ${word.padEnd(10)}`)}  ${range}`);
  }
  if (runs.length > MAX_LISTED) terminal.line(`       … ${runs.length - MAX_LISTED} more: see --json`);
  if (joined > 0) terminal.line(`  The last range stands for ${joined + 1} that were too many to tell apart.`);
  if (!trusted) terminal.line('  Proven here means: consistent with what this issuer signed, whom you do not trust.');
}

/** The signed statements that prove a finding, each with its signature. */
function renderEvidence(evidence: readonly SignedStatement[], terminal: Terminal): void {
  for (const statement of evidence) {
    const { kid, signature } = factsOf(statement);
    terminal.line(`       signed    ${printable(describeStatement(statement))}, by the key ${printable(kid)}`);
    terminal.line(`                 signature ${signature}`);
  }
}

const STATUS: Record<CheckStatus, { mark: string; word: string; colour: 'green' | 'red' | 'yellow' | 'gray' }> = {
  pass: { mark: '✓', word: 'pass', colour: 'green' },
  fail: { mark: '✗', word: 'FAIL', colour: 'red' },
  not_checked: { mark: '?', word: 'not checked', colour: 'yellow' },
  not_applicable: { mark: '–', word: 'not applicable', colour: 'gray' },
};

const VERDICT_COLOUR = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;

/** More than this many findings are counted, not listed; --json has them all. */
const MAX_SHOWN = 20;

/** One finding: what, where, why, and what follows from what. */
export function renderFinding(finding: Finding, terminal: Terminal): void {
  const colour = finding.severity === 'error' ? 'red' : 'yellow';
  const cause = finding.caused_by === undefined ? '' : `  (follows from ${finding.caused_by})`;
  terminal.line(`  ${String(finding.id).padStart(3)}  ${terminal.style(colour, finding.code)}${cause}`);
  const place = describePlace(finding.where);
  if (place !== '') terminal.wrapped(`       ${printable(place)}`, 7);
  terminal.wrapped(`       ${printable(describeFinding(finding))}`, 7);
  if (finding.expected !== undefined) terminal.wrapped(`       expected  ${printable(finding.expected)}`, 17);
  if (finding.actual !== undefined) terminal.wrapped(`       actual    ${printable(finding.actual)}`, 17);
  if (finding.evidence !== undefined) renderEvidence(finding.evidence, terminal);
}

/** When the clock was set back, and whose times may be wrong for it (protocol V147). */
export function renderCorrectedTimes({ corrected_times: times }: VerificationReport, terminal: Terminal): void {
  for (const one of (times ?? []).slice(0, MAX_SHOWN)) {
    const [at, what] = [printable(one.corrected_at), describeCorrected(one)];
    terminal.wrapped(`  clock         set back at ${at}: the times of ${what} may be wrong`, 16);
  }
}

/** What completeness means here, claim by claim (protocol V186). */
function renderClaims(report: VerificationReport, terminal: Terminal): void {
  const claims = completenessClaims(report);
  if (claims.length === 0) return;
  terminal.line();
  terminal.line('  Completeness');
  for (const { title, status, text } of claims) {
    const { mark, word, colour } = STATUS[status];
    const state = terminal.style(colour, `${mark} ${word.padEnd(14)}`);
    terminal.wrapped(`  ${state}  ${title.padEnd(18)}  ${printable(text)}`, 40);
  }
}

/** What others say about the times (protocol V181). */
function renderTimes(report: VerificationReport, terminal: Terminal): void {
  const claims = timeClaims(report);
  if (claims.length === 0) return;
  terminal.line();
  terminal.line('  Times, as others say');
  for (const { status, text } of claims) {
    const { mark, word, colour } = STATUS[status];
    const said = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    terminal.wrapped(`  ${terminal.style(colour, `${mark} ${word.padEnd(14)}`)}  ${printable(said)}`, 20);
  }
}

/** A report for a person: what it is of, every check, the findings with their causes first, and the verdict last. */
export function renderReport(file: string, report: VerificationReport, terminal: Terminal): void {
  const { bundle, issuer } = report;
  terminal.line(terminal.style('bold', file));
  if (bundle.format === RECORD_PROOF_TYPE) terminal.line('  a proof of records');
  const orgId = printable(bundle.org_id ?? '?');
  terminal.wrapped(
    `  organization  ${bundle.org_name === null ? orgId : `${printableName(bundle.org_name)} (${orgId})`}`,
    16,
  );
  if (bundle.org_id !== null) terminal.line(`    fingerprint ${orgFingerprint(bundle.org_id)}`);
  if (bundle.filter !== null) {
    const agent = bundle.filter.agent_id === null ? 'all agents' : `agent ${printable(bundle.filter.agent_id)}`;
    terminal.wrapped(`  received      ${bundle.filter.start_time} to ${bundle.filter.end_time}, ${agent}`, 16);
  }
  const run = bundle.first_seq_no === null ? '' : `, seq_no ${bundle.first_seq_no} to ${bundle.last_seq_no}`;
  terminal.wrapped(`  records       ${bundle.records}${run}; epochs ${bundle.epochs}; agents ${bundle.agents}`, 16);
  renderCorrectedTimes(report, terminal);
  if (issuer.kid !== null) {
    terminal.wrapped(
      `  issuer        ${fingerprintDigits(issuer.kid).join(' ')}${issuer.pinned ? '  (trusted)' : '  (not trusted)'}`,
      16,
    );
    terminal.wrapped(`    kid         ${printable(fingerprintGroups(issuer.kid).join(' '))}`, 16);
  }
  terminal.line();
  for (const name of CHECKS) {
    const result = report.checks[name];
    const { mark, word, colour } = STATUS[result.status];
    const detail = [describeCounts(result), result.reason].filter((part) => part).join('; ');
    const state = terminal.style(colour, `${mark} ${word.padEnd(14)}`);
    terminal.wrapped(`  ${state}  ${CHECK_TITLES[name].padEnd(18)}  ${printable(detail)}`.trimEnd(), 40);
  }
  renderClaims(report, terminal);
  renderTimes(report, terminal);
  const roots = report.findings.filter(({ caused_by }) => caused_by === undefined);
  const ordered = [...roots, ...report.findings.filter(({ caused_by }) => caused_by !== undefined)];
  if (ordered.length > 0) {
    terminal.line();
    for (const finding of ordered.slice(0, MAX_SHOWN)) renderFinding(finding, terminal);
    if (ordered.length > MAX_SHOWN) terminal.line(`       … ${ordered.length - MAX_SHOWN} more: see --json`);
  }
  renderDamage(report.damage, issuer.pinned, terminal);
  terminal.line();
  terminal.line(`  ${terminal.badge(['bold', VERDICT_COLOUR[report.verdict]], `Verdict: ${describeVerdict(report)}`)}`);
  terminal.wrapped(`  ${printable(report.summary)}`, 2);
}
