import {
  CHECK_TITLES,
  CHECKS,
  type CheckStatus,
  describeCorrected,
  describeCounts,
  describePlace,
  describeVerdict,
  type Finding,
  fingerprintDigits,
  fingerprintGroups,
  orgFingerprint,
  RECORD_PROOF_TYPE,
  type VerificationReport,
} from '../protocol/index.ts';
import { printable, printableName } from './printable.ts';
import { renderDamage } from './render-damage.ts';
import { renderEvidence } from './render-evidence.ts';
import type { Terminal } from './terminal.ts';

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
  terminal.wrapped(`       ${printable(finding.message)}`, 7);
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
