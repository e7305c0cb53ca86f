import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ChainPage } from '../../service/answers.ts';
import { call } from '../../service/call.ts';

/** Where a page of a chain is. */
interface Place {
  readonly before?: number;
  readonly after?: number;
  readonly at?: string;
}

const PAGE = 200;

/** So many pages stay in memory around what is looked at; those beyond are fetched again when they are gone back to. */
const MAX_PAGES = 20;

function newerThan(page: ChainPage): Place | null {
  const newest = page.data[0]?.seq_no ?? 0;
  return page.newer ? { after: newest } : null;
}

function olderThan(page: ChainPage): Place | null {
  const oldest = page.data.at(-1)?.seq_no;
  return page.older && oldest !== undefined ? { before: oldest } : null;
}

/**
 * An agent's chain around a place, a page at a time in both directions, however long it is.
 * @param seq the record to begin at, or the newest
 * @param at a time to begin at instead: the newest record that was issued until then
 */
export function useChain(agentId: string, seq: number | undefined, at: string | undefined) {
  const begin: Place = at !== undefined ? { at } : seq !== undefined ? { before: seq + 1 } : {};
  const query = useInfiniteQuery({
    queryKey: ['chain', agentId, begin],
    initialPageParam: begin,
    maxPages: MAX_PAGES,
    queryFn: async ({ pageParam, signal }) => {
      const params = { agent_id: agentId };
      const page = await call('agentChain', { params, query: { ...pageParam, limit: PAGE }, signal });
      // Before the first record there is nothing: the oldest ones are shown instead.
      const isBeforeAll = page.data.length === 0 && page.newer;
      return isBeforeAll ? call('agentChain', { params, query: { after: 0, limit: PAGE }, signal }) : page;
    },
    // While another place is fetched, the list stays as it was.
    placeholderData: (before, query) => (query?.queryKey[1] === agentId ? before : undefined),
    getNextPageParam: olderThan,
    getPreviousPageParam: newerThan,
    // Records never change; what is new comes by going up.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  const { data, fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage, isFetching } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const older = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const newer = useCallback(() => {
    if (hasPreviousPage && !isFetching) void fetchPreviousPage();
  }, [hasPreviousPage, isFetching, fetchPreviousPage]);
  return { query, rows, older, newer, hasOlder: hasNextPage, hasNewer: hasPreviousPage, isFetching };
}
