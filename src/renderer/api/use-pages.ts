import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

type Query<Page> = Pick<
  UseInfiniteQueryResult<InfiniteData<Page>>,
  'data' | 'error' | 'fetchNextPage' | 'hasNextPage' | 'fetchStatus'
>;

/** Whether a further page may be fetched by itself: not while one is on its way or held back, nor after one has failed. */
export function isReadyForMore({ error, fetchStatus }: Pick<Query<unknown>, 'error' | 'fetchStatus'>): boolean {
  return fetchStatus === 'idle' && error === null;
}

/**
 * The rows of all pages that are there, as one list, and what a list calls when its end comes near.
 * @param rowsOf the rows of a page; the same function each time
 */
export function usePages<Page, Row>(query: Query<Page>, rowsOf: (page: Page) => readonly Row[]) {
  const { data, fetchNextPage, hasNextPage } = query;
  const isReady = isReadyForMore(query);
  const rows = useMemo(() => data?.pages.flatMap(rowsOf) ?? [], [data, rowsOf]);
  const more = useCallback(() => {
    if (hasNextPage && isReady) void fetchNextPage();
  }, [hasNextPage, isReady, fetchNextPage]);
  return { rows, more, hasMore: hasNextPage };
}

/** The rows of a page as most calls answer it. */
export function dataOf<Row>({ data }: { readonly data: readonly Row[] }): readonly Row[] {
  return data;
}
