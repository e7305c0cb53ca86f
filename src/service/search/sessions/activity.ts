import { ALARMS, type Mark } from '../../../actions/index.ts';
import type { Activity, ActivityQuery } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import { rowOfAction } from '../actions/action-row.ts';
import { auditRow } from '../content-index/audit-row.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';
import { queryOf } from '../content-index/search-filter.ts';
import { CallTally } from './call-tally.ts';
import { listSessions } from './list-sessions.ts';

const DAY_MS = 86_400_000;
const SHOWN = 8;
const MAX_AGENTS = 50;
/** An agent that has done nothing for so long is not listed as silent any more. */
const FORGOTTEN_MS = 30 * DAY_MS;
/** Active days from which on an agent's usual day is known. */
const USUAL_DAYS = 7;
/** An agent is busy with more than twice its usual records, and quiet with fewer than a quarter. */
const BUSY = 2;
const QUIET = 0.25;
const STATES = ['busy', 'silent', 'quiet', 'usual'] as const;

type AgentActivity = Activity['agents'][number];

/** When an agent was active: records by days before the last one, and since. */
interface AgentDays {
  records: number;
  last: number;
  readonly days: Map<number, number>;
}

function newest(issued: Float64Array): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let n = 1; n < issued.length; n++) if ((issued[n] ?? 0) > last) last = issued[n] ?? last;
  return last;
}

function daysOfAgents(view: ContentView, since: number): Map<number, AgentDays> {
  const issued = view.columns.number('issued');
  const agents = view.columns.category('agent').ids;
  const found = new Map<number, AgentDays>();
  for (let n = 1; n < issued.length; n++) {
    const [time, agent] = [issued[n] ?? 0, agents[n] ?? 0];
    let of = found.get(agent);
    if (of === undefined) {
      of = { records: 0, last: time, days: new Map() };
      found.set(agent, of);
    }
    of.last = Math.max(of.last, time);
    if (time >= since) of.records++;
    else {
      // Days end where the last one begins, so that each is as long as it.
      const day = Math.floor((since - 1 - time) / DAY_MS);
      of.days.set(day, (of.days.get(day) ?? 0) + 1);
    }
  }
  found.delete(0);
  return found;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

function agentActivity(view: ContentView, agent: number, { records, last, days }: AgentDays): AgentActivity {
  const usual = days.size < USUAL_DAYS ? null : median([...days.values()]);
  const state =
    records === 0
      ? 'silent'
      : usual === null
        ? 'usual'
        : records > BUSY * usual
          ? 'busy'
          : records < QUIET * usual
            ? 'quiet'
            : 'usual';
  return { agent_id: view.text('agent', agent) ?? '', records, usual, state, last_at: formatTime(last) };
}

/** Numbers of the newest records that failed or were refused: of a call the newest alone, whoever else recorded that too. */
function troublesOf(view: ContentView, isWithin: (n: number) => boolean): number[] {
  const calls = view.columns.category('call').ids;
  const seen = new Set<number>();
  const found: number[] = [];
  for (let n = view.indexedTo; n > 0 && found.length < SHOWN; n--) {
    const outcome = view.calls.ownOutcome(n);
    if (!isWithin(n)) continue;
    if (outcome !== 'failed' && outcome !== 'refused') continue;
    const call = calls[n] ?? 0;
    if (call !== 0 && seen.has(call)) continue;
    seen.add(call);
    found.push(n);
  }
  return found;
}

/** Agents that did something within a range, without what is usual: a day of theirs says nothing of another length. */
function agentsWithin(view: ContentView, isWithin: (n: number) => boolean): AgentActivity[] {
  const issued = view.columns.number('issued');
  const agents = view.columns.category('agent').ids;
  const found = new Map<number, { records: number; last: number }>();
  for (let n = 1; n < issued.length; n++) {
    if (!isWithin(n)) continue;
    const [agent, time] = [agents[n] ?? 0, issued[n] ?? 0];
    const of = found.get(agent) ?? { records: 0, last: time };
    found.set(agent, { records: of.records + 1, last: Math.max(of.last, time) });
  }
  return Array.from(found, ([agent, { records, last }]): AgentActivity => {
    return {
      agent_id: view.text('agent', agent) ?? '',
      records,
      usual: null,
      state: 'usual',
      last_at: formatTime(last),
    };
  });
}

function agentsLately(view: ContentView, since: number): AgentActivity[] {
  return Array.from(daysOfAgents(view, since), ([agent, days]) => ({ agent, days }))
    .filter(({ days }) => days.last >= since - FORGOTTEN_MS)
    .map(({ agent, days }) => agentActivity(view, agent, days));
}

/** What agents did in the 24 hours before the newest record, or in a range. */
export function activityOf(view: ContentView, { startTime, endTime }: ActivityQuery = {}): Activity {
  const issued = view.columns.number('issued');
  const isBounded = startTime !== undefined || endTime !== undefined;
  const end = endTime === undefined ? Number.POSITIVE_INFINITY : parseTime(endTime);
  const last = endTime === undefined ? newest(issued) : end;
  const since = startTime === undefined ? (Number.isFinite(last) ? last - DAY_MS : 0) : parseTime(startTime);
  const isWithin = (n: number): boolean => (issued[n] ?? 0) >= since && (issued[n] ?? 0) < end;
  const counted = new CallTally(view);
  const marks = new Map<Mark, number>();
  for (let n = 1; n < issued.length; n++) {
    if (!isWithin(n)) continue;
    counted.add(n);
    for (const mark of view.marks(n)) marks.set(mark, (marks.get(mark) ?? 0) + 1);
  }
  const agents = (isBounded ? agentsWithin(view, isWithin) : agentsLately(view, since)).sort(
    (a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || b.records - a.records,
  );
  const asked = isBounded ? queryOf({ startTime: formatTime(since), endTime }, 0) : ({ kind: 'all' } as const);
  const { data: sessions } = listSessions(view, asked, { order: 'newest', place: null, limit: SHOWN });
  return {
    coverage: coverageOf(view),
    since: formatTime(since),
    until: endTime ?? null,
    ...counted.tally,
    sessions,
    troubles: troublesOf(view, isBounded ? isWithin : () => true).map((n) => ({
      ...auditRow(view.record(n).record),
      // An end alone does not say what was called with what.
      details: { ...detailsOf(view, n), summary: rowOfAction(view, actionsOf(view).leadOf(n)).title },
    })),
    marks: Array.from(marks, ([value, count]) => ({ value, count })).sort(
      (a, b) => Number(ALARMS.has(b.value)) - Number(ALARMS.has(a.value)) || b.count - a.count,
    ),
    agents: agents.slice(0, MAX_AGENTS),
    further_agents: Math.max(0, agents.length - MAX_AGENTS),
  };
}
