import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { keyBelow } from '../../api/query.ts';
import { isReadyForMore } from '../../api/use-pages.ts';

const PAGE = 200;

/** Where a page of a chain is. */
interface ChainPlace {
  readonly before?: number;
  readonly after?: number;
  readonly at?: string;
}

/** This many pages stay in memory around what is looked at; those beyond are fetched again when they are gone back to. */
const MAX_PAGES = 20;

/**
 * An agent's chain around a place, a page at a time in both directions, however long it is.
 * @param seq the record to begin at, or the newest
 * @param at a time to begin at instead: the newest record that was issued until then
 */
export function useChain(agentId: string, seq: number | undefined, at: string | undefined) {
  const begin: ChainPlace = at !== undefined ? { at } : seq !== undefined ? { before: seq + 1 } : {};
  const { q, call } = useLedger();
  const params = { agent_id: agentId };
  const query = useInfiniteQuery({
    queryKey: keyBelow(q('agentChain', { params }), agentId, begin),
    initialPageParam: begin,
    maxPages: MAX_PAGES,
    queryFn: async ({ pageParam, signal }) => {
      const page = await call('agentChain', { params, query: { ...pageParam, limit: PAGE }, signal });
      // Before the first record there is nothing: the oldest ones are shown instead.
      const isBeforeAll = page.data.length === 0 && page.newer;
      return isBeforeAll ? call('agentChain', { params, query: { after: 0, limit: PAGE }, signal }) : page;
    },
    // While another place is fetched, the list stays as it was.
    placeholderData: (before, earlier) => (earlier?.queryKey.at(-2) === agentId ? before : undefined),
    getNextPageParam: ({ data, older }): ChainPlace | null => {
      const oldest = data.at(-1)?.seq_no;
      return older && oldest !== undefined ? { before: oldest } : null;
    },
    getPreviousPageParam: ({ data, newer }): ChainPlace | null => (newer ? { after: data[0]?.seq_no ?? 0 } : null),
    // Records never change; what is new comes by going up.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
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
