import { type GroupedQuery, type Grouping, groupedQueryText, MEASURES } from '../../actions/index.ts';
import type { AuditSearch } from './search-params.ts';

/** How an address groups what is found, which has `sum amount` as its measure; null where it lists that. */
export function groupingOf({ by, measure = 'count' }: AuditSearch): Grouping | null {
  if (by === undefined) return null;
  const [word = '', ...rest] = measure.split(' ');
  const op = MEASURES.find((one) => one === word) ?? 'count';
  const of = rest.join(' ');
  // Without anything to add up there is only their number.
  return op === 'count' || of === '' ? { op: 'count', of: '', by } : { op, of, by };
}

/** The members of an address that say what a typed line says. */
export function addressOfLine({ query, grouping }: GroupedQuery): Pick<AuditSearch, 'query' | 'by' | 'measure'> {
  return {
    query: query === '' ? undefined : query,
    by: grouping === null ? undefined : [...grouping.by],
    measure: grouping === null || grouping.op === 'count' ? undefined : `${grouping.op} ${grouping.of}`,
  };
}

/** An address as the line that somebody would type for it. */
export function lineOf(search: AuditSearch): string {
  return groupedQueryText({ query: search.query ?? '', grouping: groupingOf(search) });
}
