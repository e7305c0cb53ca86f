import type { AuditFilter } from '../../api/ledger/ledger.ts';
import { queryText } from '../../lib/query-text.ts';
import { type AuditSearch, VALUE_FILTERS } from '../../lib/search-params.ts';
import { type TimeZone, UTC } from '../../lib/time-zone.ts';

/**
 * The part of a search that the ledger answers, the same for rows, counts, chart and facets.
 * @param hasTags whether records have tags: only those of a case do
 */
export function filterOf(search: AuditSearch, hasTags: boolean, zone: TimeZone): AuditFilter {
  const { tag, without, ...found } = pick(search);
  const isOfActions = search.unit !== 'records';
  // Questions about actions know tags by the query alone.
  const tagged = hasTags && isOfActions && tag !== undefined ? queryText({ tag }) : undefined;
  const query = [found.query === undefined || tagged === undefined ? found.query : `(${found.query})`, tagged]
    .filter((part) => part !== undefined)
    .join(' ');
  const given: AuditFilter = {
    ...found,
    query: query === '' ? undefined : query,
    tag: hasTags && !isOfActions ? tag : undefined,
    without: without?.map(([member, value]): [typeof member, string] => [member, value]),
    unit: isOfActions ? 'actions' : undefined,
    zone: zone === UTC ? undefined : zone,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Members of a search that say what is found; all others, how it is shown. */
const FILTERS = [
  ...VALUE_FILTERS,
  'query',
  'startTime',
  'endTime',
  'beforeSeq',
  'without',
] as const satisfies readonly (keyof AuditSearch)[];

function pick(search: AuditSearch): Pick<AuditSearch, (typeof FILTERS)[number]> {
  return Object.fromEntries(FILTERS.map((member) => [member, search[member]]));
}

/** A search without any filter, shown as it was. */
export function withoutFilters(search: AuditSearch): AuditSearch {
  return { ...search, ...Object.fromEntries(FILTERS.map((member) => [member, undefined])) };
}

export function hasFilters(search: AuditSearch): boolean {
  return FILTERS.some((member) => search[member] !== undefined);
}
