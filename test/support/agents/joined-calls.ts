import type { Json } from '../../../src/protocol/index.ts';
import type { Stored } from '../recorder.ts';
import { record } from './conversation.ts';

const ENDS = ['completed', 'failed', 'refused'];

/** The records of each call, in the order in which they began. */
export function recordsOfCalls(ledger: readonly Stored[]): readonly (readonly Stored[])[] {
  const calls = new Map<Json, Stored[]>();
  for (const one of ledger) {
    const id = one.shown['action_id'];
    if (id !== undefined) calls.set(id, [...(calls.get(id) ?? []), one]);
  }
  return [...calls.values()];
}

/** What the ledger says of each call, in the order in which they began, a line for each: `tool.shell echo | proposed, completed | ok 0`. */
export function joinedCalls(ledger: readonly Stored[]): readonly string[] {
  return recordsOfCalls(ledger).map((records) => {
    const [first] = records;
    // Whoever comes later knows more.
    const end = records.findLast(({ action }) => ENDS.includes(action));
    const { status, exit_code: code } = record(record(end?.shown)['outcome']);
    const subAgent = record(record(first?.shown['actor'])['sub_agent'])['id'];
    // A transcript that completes what a hook said of an end makes a second record of it, unless it is read first.
    const actions = records.filter((one) => !ENDS.includes(one.action) || one === end).map(({ action }) => action);
    return [
      `${first?.operation_type} ${first?.subject}`,
      actions.join(', '),
      ...(status === undefined ? [] : [`${status}${code === undefined ? '' : ` ${code}`}`]),
      ...(subAgent === undefined ? [] : ['in a sub-agent']),
    ].join(' | ');
  });
}

/** How many events the recorder says are missing. */
export function lostIn(ledger: readonly Stored[]): number {
  return ledger.reduce((count, { shown }) => count + Number(record(shown['gap'])['count'] ?? 0), 0);
}

/** How many calls of a subject have an end. */
export function endsOf(ledger: readonly Stored[], subject: string): number {
  return ledger.filter((one) => one.subject === subject && ENDS.includes(one.action)).length;
}
