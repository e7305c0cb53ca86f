import {
  AGENT_ACTION_PROFILE,
  type CoherenceFinding,
  type CoherenceReport,
  type CoherenceSeverity,
} from '../actions/profile/light.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

const WORDS = {
  coherent: 'coherent',
  incoherent: 'incoherent',
  not_checked: 'not wholly checked',
  not_applicable: 'not applicable',
} as const;

function colourOf({ status, counts }: CoherenceReport): 'green' | 'red' | 'yellow' {
  if (status === 'incoherent') return 'red';
  return status === 'coherent' && counts.open === 0 ? 'green' : 'yellow';
}

/** Contradictions first: in this order findings are listed, those of one severity as the ledger has them. */
const SEVERITIES = {
  contradiction: { colour: 'red', word: '' },
  open: { colour: 'yellow', word: '  (open)' },
  note: { colour: 'dim', word: '  (note)' },
} as const satisfies Record<CoherenceSeverity, unknown>;

/** More than this many findings are counted, not listed; --json has more of them. */
const MAX_SHOWN = 20;

function renderFinding({ code, severity, where, message }: CoherenceFinding, terminal: Terminal): void {
  const other = where.other_seq_no === undefined ? '' : `, with seq_no ${where.other_seq_no}`;
  const pointer = where.pointer === undefined || where.pointer === '' ? '' : `, ${where.pointer}`;
  const { colour, word } = SEVERITIES[severity];
  terminal.line(`  ${terminal.style(colour, code)}${word}`);
  terminal.wrapped(
    `       seq_no ${where.seq_no}, operation ${printable(where.operation_id)}${other}${printable(pointer)}`,
    7,
  );
  terminal.wrapped(`       ${printable(message)}`, 7);
}

function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Coherence for a person, below the verdict and apart from it. */
export function renderCoherence(report: CoherenceReport, terminal: Terminal): void {
  const { status, counts, not_checked, findings } = report;
  terminal.line();
  const order = Object.keys(SEVERITIES);
  const ordered = findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  for (const finding of ordered.slice(0, MAX_SHOWN)) renderFinding(finding, terminal);
  const total = counts.contradictions + counts.open + counts.notes;
  if (total > MAX_SHOWN) terminal.line(`       … ${total - MAX_SHOWN} more: see --json`);
  if (total > 0) terminal.line();
  const results = [counted(counts.contradictions, 'contradiction'), counted(counts.open, 'open question')];
  const word = terminal.style(['bold', colourOf(report)], `${WORDS[status]} (${results.join(', ')})`);
  terminal.line(`  Coherence of agent actions: ${word}`);
  const seen = [
    counted(counts.records, 'record'),
    counted(counts.calls, 'action'),
    counted(counts.sessions, 'session'),
  ];
  terminal.wrapped(
    `  ${seen.join(', ')} of the profile ${AGENT_ACTION_PROFILE}; coherence does not change the verdict.`,
    2,
  );
  const gaps = [
    [not_checked.withheld, 'with withheld members'],
    [not_checked.not_comparable, 'decisions that could not be compared'],
    [not_checked.forgotten, 'beyond what is kept in memory'],
    [not_checked.unreadable, 'unreadable or out of order'],
  ] as const;
  const named = gaps.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  if (named.length > 0) terminal.wrapped(`  Not checked: ${named.join('; ')}.`, 2);
}
