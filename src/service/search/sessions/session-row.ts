import type { WorkSession } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { recordsOfSessions } from '../content-index/joined-values.ts';
import { CallTally } from './call-tally.ts';

const MAX_TOOLS = 8;
const MAX_AGENTS = 32;

/** Texts of the numbers of a column, in the order in which they come. */
function textsOf(view: ContentView, name: 'agent' | 'person', ids: Iterable<number>): string[] {
  return Array.from(ids)
    .filter((id) => id !== 0)
    .slice(0, MAX_AGENTS)
    .map((id) => view.text(name, id) ?? '');
}

/** One line of what was asked first, or of the first record. */
function beginning(view: ContentView, ns: Uint32Array): string | null {
  const told = ns.find((n) => view.calls.phase(n) === 'told');
  const first = told ?? ns[0];
  return first === undefined ? null : view.record(first).facts.summary;
}

/** The earliest and the latest of the times at which records say that they were issued, in milliseconds. */
export function timesIn(ns: Uint32Array, issued: Float64Array): readonly [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const n of ns) {
    const time = issued[n] ?? Number.NaN;
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return [first, last];
}

/** A session by its number in the column. */
export function sessionRow(view: ContentView, id: number): WorkSession {
  const ns = recordsOfSessions(view).of(id);
  const { columns } = view;
  const [agents, people] = [view.category('agent').ids, view.category('person').ids];
  const issued = columns.number('issued');
  const parents = columns.category('parent').ids;
  const seen = { agents: new Set<number>(), people: new Set<number>() };
  const counted = new CallTally(view);
  const { leadOf } = actionsOf(view);
  const actions = new Set<number>();
  const [first, last] = timesIn(ns, issued);
  let parent = 0;
  let [begun, ended] = [false, false];
  for (const n of ns) {
    counted.add(n);
    actions.add(leadOf(n));
    seen.agents.add(agents[n] ?? 0);
    seen.people.add(people[n] ?? 0);
    parent ||= parents[n] ?? 0;
    const phase = view.calls.phase(n);
    // A session that is begun again after its end is not at its end.
    if (phase === 'session_started') [begun, ended] = [true, false];
    if (phase === 'session_ended') ended = true;
  }
  const tools = [...counted.tools].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_TOOLS);
  return {
    session: view.text('session', id) ?? '',
    parent: view.text('parent', parent),
    agents: textsOf(view, 'agent', seen.agents),
    people: textsOf(view, 'person', seen.people),
    first_at: formatTime(first),
    last_at: formatTime(last),
    first_seq: view.seqNo(ns[0] ?? 0),
    last_seq: view.seqNo(ns.at(-1) ?? 0),
    actions: actions.size,
    ...counted.tally,
    tools: tools.map(([tool, count]) => ({ value: view.text('tool', tool) ?? '', count })),
    begins_with: beginning(view, ns),
    ended: ended ? true : begun ? false : null,
  };
}
