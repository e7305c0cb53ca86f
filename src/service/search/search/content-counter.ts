import type { ContentQuestions } from '../content-index/queries/content-queries.ts';
import type { ContentFilter } from '../content-index/search-filter.ts';
import type { Counter } from './excluding.ts';

/** Counts what a filter with a query means, as the index of contents finds it. @param now milliseconds since 1970 */
export function counterOfQuery(
  content: ContentQuestions,
  filter: ContentFilter,
  now: number,
  signal: AbortSignal,
): Counter {
  return {
    issueSpan: (orgId) => content.ask({ orgId, signal }, 'span', filter, now),
    histogram: (orgId, _, stretches) => content.ask({ orgId, signal }, 'counts', filter, stretches, now),
  };
}
