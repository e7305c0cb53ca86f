import { expect } from 'vitest';
import type { AgentProgramId } from '../../../scripts/support/agent-programs.ts';
import { CALL_GAPS, type CallKind } from '../../../scripts/support/call-gaps.ts';
import type { Json } from '../../../src/protocol/index.ts';
import type { Stored } from '../recorder.ts';
import { type JsonRecord, type ModelCall, record } from './conversation.ts';
import { recordsOfCalls } from './joined-calls.ts';
import type { PlannedCall } from './plan.ts';

/** How a call of each kind ends that is recorded as it was. */
const ENDS: Readonly<Record<CallKind, RegExp>> = {
  command: /^ok( 0)?$/,
  'file read': /^ok( 0)?$/,
  'file written': /^ok( 0)?$/,
  'file edited': /^ok( 0)?$/,
  'failing command': /^(ok|error) 3$/,
  'missing file': /^error( \d+)?$/,
  'unknown tool': /^error$/,
  'bad input': /^error$/,
  'denied by a rule': /^denied$/,
  'denied by a person': /^denied$/,
  'sub-agent': /^ok( 0)?$/,
  'call of a sub-agent': /^ok( 0)?$/,
  'input of 5 MB': /^ok( 0)?$/,
  'output of 5 MB': /^ok( 0)?$/,
  'command of 20 s': /^ok( 0)?$/,
  'command from a heredoc': /^ok( 0)?$/,
  'typed into a running shell': /^ok( 0)?$/,
  'ended by Ctrl-C': /^cancelled$/,
  'first after a kill': /^ok( 0)?$/,
};

/** What the ledger has of the calls that is not as it was: a line for each kind and form of it. */
export function deviations(
  planned: readonly PlannedCall[],
  notMade: ReadonlySet<CallKind>,
  made: ReadonlyMap<string, ModelCall>,
  ledger: readonly Stored[],
  lost: number,
): string[] {
  const groups = recordsOfCalls(ledger);
  const found = planned.flatMap((call) => {
    const result = resultOf(call, made.get(call.mark), groups);
    // What a hook could not hand in while the recorder started is counted as lost, and so not unseen.
    if (call.kind === 'first after a kill' && lost > 0) return [];
    return ENDS[call.kind].test(result) ? [] : [`${call.kind}: ${result}`];
  });
  return [...new Set([...found, ...[...notMade].map((kind) => `${kind}: not made`)])].sort();
}

function resultOf({ mark }: PlannedCall, made: ModelCall | undefined, groups: readonly (readonly Stored[])[]): string {
  if (made === undefined) return 'never asked for';
  const own = groups.filter((records) =>
    // Not in its salt, which may have any letters.
    records.some(({ shown }) => JSON.stringify(record(shown['input'])['value'] ?? '').includes(mark)),
  );
  const [records, ...more] = own;
  if (records === undefined) return 'nothing';
  if (more.length > 0) return `recorded ${own.length} times`;
  const ends = records.flatMap(({ shown }) => (shown['outcome'] === undefined ? [] : [record(shown['outcome'])]));
  // Whoever comes later knows more.
  const end = ends.at(-1);
  const code = ends.findLast(({ exit_code }) => exit_code !== undefined)?.['exit_code'];
  const told = end === undefined ? 'no end' : `${end['status']}${code === undefined ? '' : ` ${code}`}`;
  return records.some(({ shown }) => isGiven(made, record(shown['input']))) ? told : `${told}, another input`;
}

/**
 * Whether the content of a record has the texts that a call was given. Some hooks tell a command without what else the model said of it,
 * and a long text is cut.
 */
function isGiven({ input, text }: ModelCall, content: JsonRecord): boolean {
  const { value, truncated, bytes } = content;
  if (truncated === true) return typeof bytes === 'number' && bytes >= Buffer.byteLength(JSON.stringify(text ?? input));
  if (text !== undefined) return JSON.stringify(value).includes(JSON.stringify(text).slice(1, -1));
  const shown = new Set(leaves(value));
  return leaves(input).every((leaf) => shown.has(leaf));
}

function leaves(value: Json | undefined): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return typeof value === 'string' ? [value] : [];
}

/** Whether calls have no end only where the program never tells it. */
export function hasNoFurtherOpen(id: AgentProgramId, found: readonly string[]): boolean {
  const known = new Set((CALL_GAPS[id] ?? []).map(({ of, ledger }) => `${of}: ${ledger}`));
  return found.every((one) => !one.includes(': no end') || known.has(one));
}

/** The ledger for whoever looks for the cause: each record in its order, with what its recorder says of it. */
function rowsOf(ledger: readonly Stored[]): string {
  const rows = ledger.map(({ action, subject, shown }) => {
    const { action_id, outcome, input, gap, x_recorder } = shown;
    const parts = { action_id, outcome, gap, x_recorder, input: record(input)['value'] };
    return `${action} ${subject.slice(0, 80)} ${JSON.stringify(parts).slice(0, 900)}`;
  });
  return rows.join('\n');
}

/** Holds the plan's calls against the ledger: what differs has to be a gap of the program, and each of its gaps has to be seen. */
export function expectGapsOf(id: AgentProgramId, found: readonly string[], ledger: readonly Stored[]): void {
  const known = CALL_GAPS[id] ?? [];
  expect(found, rowsOf(ledger)).toEqual([...new Set(known.map(({ of, ledger }) => `${of}: ${ledger}`))].sort());
}
