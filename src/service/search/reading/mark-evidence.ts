import { type FoundMark, type Mark, type MarkMemory, rateBefore } from '../../../actions/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls, recordsOfSessions } from '../content-index/groups.ts';

/** The earlier call of the same tool in the session that had not succeeded. */
function triedBefore(view: ContentView, n: number): number[] {
  const { columns, calls } = view;
  const [agents, tools] = [columns.category('agent').ids, columns.category('tool').ids];
  const session = columns.category('session').ids[n] ?? 0;
  const before = recordsOfSessions(view)
    .of(session)
    .filter((each) => each < n);
  const failed = before.findLast((each) => {
    const outcome = calls.ownOutcome(each);
    return agents[each] === agents[n] && tools[each] === tools[n] && (outcome === 'failed' || outcome === 'refused');
  });
  return failed === undefined ? [] : [failed];
}

/** How many calls the agent had begun before, and which of the record's hosts none of them named. */
function usesBefore(view: ContentView, n: number): { readonly calls: number; readonly newHosts: number[] } {
  const { columns } = view;
  const agents = columns.category('agent').ids;
  const [tools, calls] = [columns.category('tool').ids, columns.category('call').ids];
  const hosts = columns.list('host');
  const own = hosts.ids.subarray(hosts.starts[n] ?? 0, hosts.starts[n + 1] ?? 0);
  const unseen = new Set(own);
  const seenCalls = new Set<number>();
  let count = 0;
  for (let each = 1; each < n; each++) {
    if (agents[each] !== agents[n]) continue;
    for (let at = hosts.starts[each] ?? 0; at < (hosts.starts[each + 1] ?? 0); at++) unseen.delete(hosts.ids[at] ?? 0);
    const call = calls[each] ?? 0;
    if ((tools[each] ?? 0) === 0 || (call !== 0 && seenCalls.has(call))) continue;
    seenCalls.add(call);
    count++;
  }
  return { calls: count, newHosts: Array.from(own.keys()).filter((at) => unseen.has(own[at] ?? 0)) };
}

/** The figures of an unusual rate: the agent's records are counted once more. */
function rateFigures(view: ContentView, n: number): readonly number[] {
  const agents = view.columns.category('agent').ids;
  const issued = view.columns.number('issued');
  const memory: MarkMemory = new Map<string, string>();
  let figures: readonly number[] | null = null;
  for (let each = 1; each <= n; each++) {
    if (agents[each] === agents[n]) figures = rateBefore('', issued[each] ?? 0, memory);
  }
  return figures ?? [];
}

/** The other records of a call. */
function othersOfCall(view: ContentView, n: number): number[] {
  const call = view.columns.category('call').ids[n] ?? 0;
  return call === 0 ? [] : Array.from(recordsOfCalls(view).of(call)).filter((each) => each !== n);
}

/** A mark of a record with what it comes from. Evidence holds numbers of records. */
export function evidenceOf(view: ContentView, n: number, code: Mark): FoundMark {
  switch (code) {
    case 'RETRIED':
      return { code, evidence: triedBefore(view, n), figures: [] };
    case 'FIRST_TOOL':
      return { code, evidence: [], figures: [usesBefore(view, n).calls] };
    case 'FIRST_HOST': {
      const { calls, newHosts } = usesBefore(view, n);
      return { code, evidence: [], figures: [calls, ...newHosts] };
    }
    case 'RATE_UNUSUAL':
      return { code, evidence: [], figures: rateFigures(view, n) };
    case 'UNFINISHED':
    case 'APPROVAL_MISSING':
      return { code, evidence: othersOfCall(view, n), figures: [] };
    default:
      return { code, evidence: [], figures: [] };
  }
}
