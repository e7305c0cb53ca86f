import type { Query } from '../../../../actions/index.ts';
import type { Coverage, Histogram, Unit } from '../../../../api/index.ts';
import { formatTime, parseTime } from '../../../../protocol/light.ts';
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

const NOTHING: Omit<Histogram, 'coverage'> = { start_time: null, bucket_ms: 1, counts: [], total: 0 };

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

/** Calls with the time at which each action began that a query means. @returns how far that reaches @throws RequestStopped */
function eachBegun(view: ContentView, query: Query, visit: (issuedMs: number) => void): Coverage {
  const issued = view.columns.number('issued');
  const { records } = actionsOf(view);
  const found = view.find(query, 'newest', 'actions');
  found.records.each((lead) => {
    let first = issued[lead] ?? 0;
    for (const n of records(lead)) first = Math.min(first, issued[n] ?? first);
    visit(first);
  });
  return coverageOf(view, found);
}

/** Calls with the time at which each record was issued that a query means. @returns how far that reaches @throws RequestStopped */
function eachIssued(view: ContentView, { query, unit }: Counting, visit: (issuedMs: number) => void): Coverage {
  if (unit === 'actions') return eachBegun(view, query, visit);
  const issued = view.columns.number('issued');
  const { records, complete } = view.find(query);
  records.each((n) => visit(issued[n] ?? 0));
  if (!isTold(query, view)) return coverageOf(view, { complete });
  const stopped = walkUnindexed(view, query, { order: 'newest', behind: view.last + 1 }, ({ issuedMs }) => {
    visit(issuedMs);
    return true;
  });
  return coverageOf(view, { complete: complete && stopped === null, to: view.last });
}

/** How many of the records were issued in each stretch. */
export function countsOf(view: ContentView, counting: Counting, { start, width, count, earliest }: Stretches) {
  const counts = new Array<number>(count).fill(0);
  const coverage = eachIssued(view, counting, (time) => {
    const at = Math.floor((Math.max(time, earliest) - start) / width);
    if (at >= 0 && at < count) counts[at] = (counts[at] ?? 0) + 1;
  });
  return { counts, coverage };
}

/**
 * Counts what a filter finds over time. Without a start or end in the filter the range is that of what is found. Stretches
 * begin at whole multiples of their length; what the first and last have beyond the range asked for is not counted.
 * @throws ServiceError VALIDATION_ERROR
 */
export function histogramOf(
  view: ContentView,
  { buckets = DEFAULT_BUCKETS, ...filter }: ContentFilter & { readonly buckets?: number | undefined },
  now: number,
): Histogram {
  const counting = { query: queryOf(filter, now), unit: filter.unit ?? 'records' };
  // An action that began before the time asked for, and was under way then, stands where that begins.
  const earliest = filter.startTime === undefined ? Number.NEGATIVE_INFINITY : parseTime(filter.startTime);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const reached = eachIssued(view, counting, (time) => {
    if (time < first) first = time;
    if (time > last) last = time;
  });
  if (first > last) return { ...NOTHING, coverage: reached };
  if (filter.startTime !== undefined) first = parseTime(filter.startTime);
  if (filter.endTime !== undefined) last = parseTime(filter.endTime) - 1;
  const width = widthFor(first, last, buckets);
  const start = Math.floor(first / width) * width;
  const { counts, coverage } = countsOf(view, counting, {
    start,
    width,
    count: Math.floor((last - start) / width) + 1,
    earliest,
  });
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total === 0) return { ...NOTHING, coverage };
  return { start_time: formatTime(start), bucket_ms: width, counts, total, coverage };
}

function widthFor(first: number, last: number, buckets: number): number {
  const fits = (width: number): boolean => Math.floor(last / width) - Math.floor(first / width) < buckets;
  const named = WIDTHS.find(fits);
  if (named !== undefined) return named;
  let width = 364 * DAY;
  while (!fits(width)) width *= 2;
  return width;
}
