import type { WaitingAnswer } from '../../../api/index.ts';
import { auditRow } from '../content-index/audit-row.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';
import { CLOSING } from './deciding.ts';

const SHOWN = 100;

/**
 * Questions that no person has decided, and that the agent which asked has not settled after that: carried out, given up, or
 * recorded as decided where it runs. Of one asked again the newest. What is derived here is a list to work from and no evidence.
 * Records of other agents do not count, else each of them could take a question off the list.
 * @param operationId the question alone that is asked about, or null
 * @param people names of people's own agents
 */
export function waitingOf(view: ContentView, operationId: string | null, people: readonly string[]): WaitingAnswer {
  const { ids: calls } = view.columns.category('call');
  const { ids: agents } = view.columns.category('agent');
  const deciders = new Set(people.map((agentId) => view.idOf('agent', agentId)));
  const decided = new Set<number>();
  /** Calls that an agent itself has settled, or asked about again. */
  const closed = new Map<number, Set<number>>();
  const ns: number[] = [];
  // From the newest on: what comes after a question is seen before it.
  for (let n = view.indexedTo; n > 0; n--) {
    const [call, agent] = [calls[n] ?? 0, agents[n] ?? 0];
    if (call === 0) continue;
    const phase = view.calls.phase(n);
    if (phase === 'decided' && deciders.has(agent)) decided.add(call);
    if (phase !== 'decided' && !CLOSING.has(phase)) continue;
    const settled = closed.get(agent) ?? new Set();
    if (phase === 'asked' && !settled.has(call) && !decided.has(call)) ns.push(n);
    closed.set(agent, settled.add(call));
  }
  const isMeant = (n: number): boolean => operationId === null || view.record(n).record.operationId === operationId;
  const data = (operationId === null ? ns.slice(0, SHOWN) : ns.filter(isMeant)).map((n) => ({
    ...auditRow(view.record(n).record),
    details: detailsOf(view, n),
  }));
  return { data, total: operationId === null ? ns.length : data.length, coverage: coverageOf(view) };
}
