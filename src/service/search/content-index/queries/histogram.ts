import { offsetAt, type Query } from '../../../../actions/index.ts';
import type { Coverage, Histogram, Unit } from '../../../../api/index.ts';
import { formatTime, parseTime } from '../../../../protocol/light.ts';
import type { Ids } from '../columns.ts';
import type { ContentView } from '../content-view.ts';
import { actionsOf } from '../indexed-actions.ts';
import { type ContentFilter, queryOf } from '../search-filter.ts';
import { isTold, walkUnindexed } from '../unindexed-records.ts';
import { coverageOf } from './list-records.ts';

const DEFAULT_BUCKETS = 60;

/** Lengths of a stretch that people can name, in milliseconds: the shortest that does is taken. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WIDTHS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((n) => n * DAY),
];

/** Where nothing is found. */
export const NOTHING: Omit<Histogram, 'coverage'> = { start_time: null, bucket_ms: 1, counts: [], total: 0 };

/** What is counted. */
interface Counting {
  readonly query: Query;
  readonly unit: Unit;
}

/** Equally long stretches of time; times in milliseconds. */
interface Stretches {
  readonly start: number;
  readonly width: number;
  readonly count: number;
  /** What began before this counts as if it began then. */
  readonly earliest: number;
}

/** Takes the time at which something was issued, and the number of its agent. */
type Visit = (issuedMs: number, agent: number) => void;

/** The agents of a view by number; those of records that are not in the index yet are numbered behind them. */
class Agents {
  readonly ids: Ids;
  readonly #view: ContentView;
  readonly #known: number;
  readonly #further: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(view: ContentView) {
    const { ids, digests } = view.category('agent');
    this.ids = ids;
    this.#view = view;
    this.#known = digests.length;
  }

  name(agent: number): string {
    return this.#further[agent - this.#known] ?? this.#view.text('agent', agent) ?? '';
  }

  numberOf(name: string): number {
    if (this.#numbers.size === 0) for (let id = 1; id < this.#known; id++) this.#numbers.set(this.name(id), id);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#known + this.#further.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}

/** Calls with the time at which each action began that a query means. @returns how far that reaches @throws RequestStopped */
function eachBegun(view: ContentView, query: Query, agents: Agents, visit: Visit): Coverage {
  const issued = view.columns.number('issued');
  const { records } = actionsOf(view);
  const found = view.find(query, 'newest', 'actions');
  found.records.each((lead) => {
    let first = issued[lead] ?? 0;
    for (const n of records(lead)) first = Math.min(first, issued[n] ?? first);
    visit(first, agents.ids[lead] ?? 0);
  });
  return coverageOf(view, found);
}

/** Calls with the time at which each record was issued that a query means. @returns how far that reaches @throws RequestStopped */
function eachIssued(view: ContentView, { query, unit }: Counting, agents: Agents, visit: Visit): Coverage {
  if (unit === 'actions') return eachBegun(view, query, agents, visit);
  const issued = view.columns.number('issued');
  const { records, complete } = view.find(query);
  records.each((n) => visit(issued[n] ?? 0, agents.ids[n] ?? 0));
  if (!isTold(query, view)) return coverageOf(view, { complete });
  const stopped = walkUnindexed(view, query, { order: 'newest', behind: view.last + 1 }, ({ issuedMs, agentId }) => {
    visit(issuedMs, agents.numberOf(agentId));
    return true;
  });
  return coverageOf(view, { complete: complete && stopped === null, to: view.last });
}

/** How many of the records were issued in each stretch, and how many of them by some of the agents. */
export function countsOf(
  view: ContentView,
  counting: Counting,
  { start, width, count, earliest }: Stretches,
  agents: Agents = new Agents(view),
  shown: readonly number[] = [],
) {
  const none = () => new Array<number>(count).fill(0);
  const counts = none();
  const byAgent = new Map(shown.map((agent) => [agent, none()]));
  const coverage = eachIssued(view, counting, agents, (time, agent) => {
    const at = Math.floor((Math.max(time, earliest) - start) / width);
    if (at < 0 || at >= count) return;
    counts[at] = (counts[at] ?? 0) + 1;
    const own = byAgent.get(agent);
    if (own !== undefined) own[at] = (own[at] ?? 0) + 1;
  });
  return { counts, byAgent, coverage };
}

export interface HistogramAsked extends ContentFilter {
  readonly buckets?: number | undefined;
  readonly agents?: number | undefined;
}

/**
 * Counts what a filter finds over time. Without a start or end in the filter the range is that of what is found. Stretches
 * begin at whole multiples of their length by the clocks of the zone, as they go at the first; what the first and last have beyond the
 * range asked for is not counted.
 * @throws ServiceError VALIDATION_ERROR
 */
export function histogramOf(
  view: ContentView,
  { agents: mostAgents, ...filter }: HistogramAsked,
  now: number,
): Histogram {
  const counting = { query: queryOf(filter, now), unit: filter.unit ?? 'records' };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const agents = new Agents(view);
  const totals = new Map<number, number>();
  const reached = eachIssued(view, counting, agents, (time, agent) => {
    if (time < first) first = time;
    if (time > last) last = time;
    if (mostAgents !== undefined) totals.set(agent, (totals.get(agent) ?? 0) + 1);
  });
  if (first > last) return { ...NOTHING, coverage: reached };
  const stretches = stretchesOf(first, last, filter);
  const most = [...totals].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mostAgents ?? 0);
  const { counts, byAgent, coverage } = countsOf(
    view,
    counting,
    stretches,
    agents,
    most.map(([agent]) => agent),
  );
  const data = Array.from(byAgent, ([agent, own]) => ({ agent_id: agents.name(agent), counts: own }));
  const parts = mostAgents === undefined ? undefined : { data, others: totals.size - data.length };
  return histogramWith(stretches, counts, parts, coverage);
}

/** Where what is found from one time to another is counted. */
export function stretchesOf(
  from: number,
  to: number,
  { buckets = DEFAULT_BUCKETS, startTime, endTime, zone = 'UTC' }: HistogramAsked,
): Stretches {
  const first = startTime === undefined ? from : parseTime(startTime);
  const last = endTime === undefined ? to : parseTime(endTime) - 1;
  // An action that began before the time asked for, and was under way then, stands where that begins.
  const earliest = startTime === undefined ? Number.NEGATIVE_INFINITY : first;
  const ahead = offsetAt(zone, first);
  const width = widthFor(first + ahead, last + ahead, buckets);
  const start = Math.floor((first + ahead) / width) * width - ahead;
  return { start, width, count: Math.floor((last - start) / width) + 1, earliest };
}

/** The answer with what was counted. */
export function histogramWith(
  { start, width }: Stretches,
  counts: number[],
  agents: Histogram['agents'],
  coverage: Coverage,
): Histogram {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total === 0) return { ...NOTHING, coverage };
  const parts = agents === undefined ? {} : { agents };
  return { start_time: formatTime(start), bucket_ms: width, counts, total, ...parts, coverage };
}

/** @param first and `last` as clocks of the zone show them */
function widthFor(first: number, last: number, buckets: number): number {
  const fits = (width: number): boolean => Math.floor(last / width) - Math.floor(first / width) < buckets;
  const named = WIDTHS.find(fits);
  if (named !== undefined) return named;
  let width = 364 * DAY;
  while (!fits(width)) width *= 2;
  return width;
}
