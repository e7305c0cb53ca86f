import { END_PHASES, type FactPhase } from '../../../actions/index.ts';
import type { ContextAnswer, ContextBody, ContextItem } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { recordsOfSessions } from '../content-index/joined-values.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { numberOfOperation } from '../reading/read-operation.ts';
import { rowOfAction } from './action-row.ts';
import { contentsOf } from './step-contents.ts';
import { withDecisions } from './step-parts.ts';

/** Sessions that led to one another, at most. */
const MOST_SESSIONS = 16;

/** Phases whose records tell the agent something: what it is told, what came back, and what was decided. */
const TELLS: ReadonlySet<FactPhase> = new Set<FactPhase>([...END_PHASES, 'told', 'decided', 'record']);

/** The session of an action, and those that opened it, the nearest first, by their numbers. */
function sessionsAbove(view: ContentView, lead: number): number[] {
  const sessions = view.category('session');
  const parents = view.category('parent');
  const own = Array.from(actionsOf(view).records(lead), (n) => sessions.ids[n] ?? 0).find((id) => id !== 0);
  const found: number[] = [];
  for (let id = own ?? 0; id !== 0 && !found.includes(id) && found.length < MOST_SESSIONS; ) {
    found.push(id);
    const opened = recordsOfSessions(view)
      .of(id)
      .find((n) => (parents.ids[n] ?? 0) !== 0);
    id = opened === undefined ? 0 : sessions.idOf(parents.digests[parents.ids[opened] ?? 0] ?? 0);
  }
  return found;
}

/** Records before an action that are of its sessions, or of its agent where it has none, and tell something. */
function tellingBefore(view: ContentView, lead: number, sessions: readonly number[]): number[] {
  const { calls } = view;
  const tells = (n: number): boolean => n < lead && TELLS.has(calls.phase(n));
  if (sessions.length > 0) {
    const ns = new Set(sessions.flatMap((id) => Array.from(withDecisions(view, recordsOfSessions(view).of(id)))));
    return [...ns].filter(tells).sort((a, b) => a - b);
  }
  const agents = view.category('agent').ids;
  const agent = agents[lead];
  const ns: number[] = [];
  for (let n = 1; n < lead; n++) if (agents[n] === agent && tells(n)) ns.push(n);
  return ns;
}

function itemOf(view: ContentView, n: number): ContextItem {
  const read = view.record(n);
  const { record, facts } = read;
  const { output, told } = contentsOf(read);
  const isError = facts.outcome === 'failed' || facts.outcome === 'refused';
  const kind = facts.phase === 'told' ? 'told' : facts.phase === 'decided' ? 'decision' : isError ? 'error' : 'output';
  return {
    seq_no: record.seqNo,
    operation_id: record.operationId,
    agent_id: record.agentId,
    session: facts.session,
    issued_at: record.issuedAt,
    server_received_at: formatTime(record.receivedMs),
    kind,
    tool: facts.tool,
    title: facts.summary,
    contents: [...told, ...(output === null ? [] : [{ kind: 'output', content: output }])],
  };
}

/**
 * What an action had been told before its first record: prompts and other inputs, outputs and errors of earlier calls, and decisions, of its
 * session and of those that led to it.
 * @throws ServiceError NOT_FOUND
 */
export function actionContext(
  view: ContentView,
  { operation_id: operationId, order, limit }: Omit<ContextBody, 'cursor'>,
  place: number | null,
): ContextAnswer {
  const lead = actionsOf(view).leadOf(numberOfOperation(view, operationId));
  const sessions = sessionsAbove(view, lead);
  const ns = tellingBefore(view, lead, sessions);
  const inOrder = order === 'oldest' ? ns : ns.toReversed();
  const behind = place === null ? inOrder : inOrder.filter((n) => (order === 'oldest' ? n > place : n < place));
  return {
    action: rowOfAction(view, lead, true),
    of: sessions.length > 0 ? 'session' : 'agent',
    sessions: sessions.map((id) => view.text('session', id) ?? ''),
    total: ns.length,
    ...listPage(
      behind,
      limit,
      (n) => n,
      (n) => itemOf(view, n),
    ),
    coverage: coverageOf(view),
  };
}
