import type { Query } from '../../../../actions/index.ts';
import type { ContentView } from '../content-view.ts';

/** Equally long stretches of time; times in milliseconds. */
export interface Stretches {
  readonly start: number;
  readonly width: number;
  readonly count: number;
}

/** When the first and the last of the records were issued that a query means; null where it means none. */
export function spanOf(view: ContentView, query: Query): { readonly first: number; readonly last: number } | null {
  const issued = view.columns.number('issued');
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  view.find(query).records.each((n) => {
    const time = issued[n] ?? 0;
    if (time < first) first = time;
    if (time > last) last = time;
  });
  return first > last ? null : { first, last };
}

/** How many of the records were issued in each stretch. */
export function countsOf(view: ContentView, query: Query, { start, width, count }: Stretches): number[] {
  const issued = view.columns.number('issued');
  const counts = new Array<number>(count).fill(0);
  view.find(query).records.each((n) => {
    const at = Math.floor(((issued[n] ?? 0) - start) / width);
    if (at >= 0 && at < count) counts[at] = (counts[at] ?? 0) + 1;
  });
  return counts;
}
