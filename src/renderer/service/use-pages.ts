import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

type Query<Page> = Pick<
  UseInfiniteQueryResult<InfiniteData<Page>>,
  'data' | 'fetchNextPage' | 'hasNextPage' | 'isFetching'
>;

/**
 * The rows of all pages that are there, as one list, and what a list calls when its end comes near.
 * @param rowsOf the rows of a page; the same function each time
 */
export function usePages<Page, Row>(query: Query<Page>, rowsOf: (page: Page) => readonly Row[]) {
  const { data, fetchNextPage, hasNextPage, isFetching } = query;
  const rows = useMemo(() => data?.pages.flatMap(rowsOf) ?? [], [data, rowsOf]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { rows, more, hasMore: hasNextPage };
}

/** The rows of a page as most calls answer it. */
export function dataOf<Row>({ data }: { readonly data: readonly Row[] }): readonly Row[] {
  return data;
}
