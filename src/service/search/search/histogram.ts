import type { Histogram } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import type { Counter } from './excluding.ts';
import type { OperationFilter } from './search-queries.ts';

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

const NOTHING: Histogram = { start_time: null, bucket_ms: 1, counts: [], total: 0 };

/**
 * Counts what a filter finds over time. Without a start or end in the filter the range is that of what is found. Stretches
 * begin at whole multiples of their length; what the first and last have beyond the range asked for is not counted.
 */
export async function countOverTime(
  index: Counter,
  orgId: string,
  {
    startTime,
    endTime,
    beforeSeq: before,
    buckets = DEFAULT_BUCKETS,
    ...terms
  }: OperationFilter & { readonly beforeSeq?: number | undefined; readonly buckets?: number | undefined },
): Promise<Histogram> {
  const from = startTime === undefined ? undefined : parseTime(startTime);
  const to = endTime === undefined ? undefined : parseTime(endTime);
  const query = { ...terms, from, to, before };
  const found = await index.issueSpan(orgId, query);
  if (found === null) return NOTHING;
  const first = from ?? found.first;
  const last = (to === undefined ? found.last : to - 1) ?? found.last;
  const width = widthFor(first, last, buckets);
  const start = Math.floor(first / width) * width;
  const count = Math.floor((last - start) / width) + 1;
  const counts = await index.histogram(orgId, query, { start, width, count });
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total === 0) return NOTHING;
  return { start_time: formatTime(start), bucket_ms: width, counts, total };
}

function widthFor(first: number, last: number, buckets: number): number {
  const fits = (width: number): boolean => Math.floor(last / width) - Math.floor(first / width) < buckets;
  const named = WIDTHS.find(fits);
  if (named !== undefined) return named;
  let width = 364 * DAY;
  while (!fits(width)) width *= 2;
  return width;
}
