import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { AuditSearch } from '../../app/search-params.ts';
import { useLedger } from '../../ledger/ledger.ts';
import type { LedgerRow } from '../../ledger/ledger-call.ts';
import type { AuditFilter } from '../../ledger/ledger-queries.ts';

/** The part of a search that the ledger answers; only the records of a case have tags. */
export function filterOf(search: AuditSearch, hasTags: boolean): AuditFilter {
  const { agentId, operationType, subject, startTime, endTime, beforeSeq, tag } = search;
  const given = { agentId, operationType, subject, startTime, endTime, beforeSeq, tag: hasTags ? tag : undefined };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Whether a row has none of the values that the search leaves out. */
export function isLeftIn(row: LedgerRow, without: AuditSearch['without']): boolean {
  return (without ?? []).every(([member, value]) => row[member] !== value);
}

/** The rows of a search as far as they are loaded. */
export function useResult(search: AuditSearch) {
  const { caseId, queries } = useLedger();
  // Anew only when a filter changes, not with the selected row.
  const key = JSON.stringify(filterOf(search, caseId !== null));
  const filter = useMemo(() => JSON.parse(key) as AuditFilter, [key]);
  const query = useInfiniteQuery(queries.audit(filter));
  const { data, fetchNextPage, hasNextPage, isFetching } = query;
  const without = search.without;
  const { rows, leftOut } = useMemo(() => {
    const loaded = data?.pages.flatMap((page) => page.data) ?? [];
    const kept = loaded.filter((row) => isLeftIn(row, without));
    return { rows: kept, leftOut: loaded.length - kept.length };
  }, [data, without]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { filter, query, rows, leftOut, more, hasMore: hasNextPage, isFetching };
}
