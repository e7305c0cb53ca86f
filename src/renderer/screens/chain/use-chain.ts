import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import type { ChainPlace } from '../../api/ledger/ledger-queries.ts';
import { isReadyForMore } from '../../api/use-pages.ts';

const PAGE = 200;

/** This many pages stay in memory around what is looked at; those beyond are fetched again when they are gone back to. */
const MAX_PAGES = 20;

/**
 * An agent's chain around a place, a page at a time in both directions, however long it is.
 * @param seq the record to begin at, or the newest
 * @param at a time to begin at instead: the newest record that was issued until then
 */
export function useChain(agentId: string, seq: number | undefined, at: string | undefined) {
  const begin: ChainPlace = at !== undefined ? { at } : seq !== undefined ? { before: seq + 1 } : {};
  const query = useInfiniteQuery(useLedger().queries.chain(agentId, begin, PAGE, MAX_PAGES));
  const { data, fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage, isFetching } = query;
  const isReady = isReadyForMore(query);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const older = useCallback(() => {
    if (hasNextPage && isReady) void fetchNextPage();
  }, [hasNextPage, isReady, fetchNextPage]);
  const newer = useCallback(() => {
    if (hasPreviousPage && isReady) void fetchPreviousPage();
  }, [hasPreviousPage, isReady, fetchPreviousPage]);
  return { query, rows, older, newer, hasOlder: hasNextPage, hasNewer: hasPreviousPage, isFetching };
}
