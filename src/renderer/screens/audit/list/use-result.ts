import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerOf } from '../../../../api/index.ts';
import { type AuditFilter, type Ledger, type LedgerRow, useLedger } from '../../../api/ledger/ledger.ts';
import { keyOf } from '../../../api/query.ts';
import { isReadyForMore } from '../../../api/use-pages.ts';
import type { RowSource, Stretch } from '../../../components/row-source.ts';
import { useStop } from '../../../components/waiting.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { filterOf } from '../search-filter.ts';
import { rowOfAction } from './action-rows.ts';
import { LedgerRows, pagesAround, TurnedRows } from './ledger-rows.ts';

/**
 * The rows of a search. Where it is the whole ledger, in either order, each row's place is known, and what is looked at is fetched; else
 * pages are fetched one after the other, as far as somebody goes.
 */
export function useResult(search: AuditSearch) {
  const { caseId, pages, q, routeOf } = useLedger();
  const zone = useTimeZone();
  // Another one only when a filter changes, not with the selected row.
  const key = JSON.stringify(filterOf(search, caseId !== null, zone));
  const filter = useMemo(() => JSON.parse(key) as AuditFilter, [key]);
  // A file may begin anywhere and lack records: there no row's place is known beforehand.
  const isOfActions = filter.unit === 'actions';
  const isOfLedger = caseId === null && !isOfActions && Object.keys(filter).every((member) => member === 'beforeSeq');
  const isTurned = isOfLedger && search.order === 'oldest';
  // The rows of the search before stay until those of this one come, and look it.
  // How long the whole ledger is, its newest rows say, whichever come first.
  const askedRecords = pages('auditQuery', {
    body: { ...filter, order: (isTurned ? undefined : search.order) ?? 'newest', details: true, limit: LEDGER_PAGE },
  });
  const records = useInfiniteQuery({ ...askedRecords, ...UNTIL_GROWN, enabled: !isOfActions });
  const { unit: _, tag: __, ...ofActions } = filter;
  const askedActions = pages('actions', {
    body: { ...ofActions, order: search.order ?? 'newest', limit: LEDGER_PAGE },
  });
  const actions = useInfiniteQuery({
    ...askedActions,
    ...UNTIL_GROWN,
    enabled: isOfActions,
    select: rowsOfActions,
  });
  const query = isOfActions ? actions : records;
  const { data, fetchNextPage, hasNextPage, isFetching, isPlaceholderData } = query;
  const isReady = isReadyForMore(query) && !isPlaceholderData;
  const isWhole = isOfLedger && !isPlaceholderData;
  const rows = useMemo(() => data?.pages.flatMap((page): readonly LedgerRow[] => page.data) ?? NONE, [data]);
  const { data: lowest } = useQuery({ ...pageBelow(q, LEDGER_PAGE + 1), enabled: isTurned });
  const firstRows = useMemo(() => (isTurned ? (lowest?.data.toReversed() ?? NONE) : null), [isTurned, lowest]);
  const ledger = useWholeLedger(isWhole ? rows : NONE, firstRows);
  const more = useCallback(() => {
    if (!isWhole && hasNextPage && isReady) void fetchNextPage();
  }, [isWhole, hasNextPage, isReady, fetchNextPage]);
  const shown: RowSource<LedgerRow> = isWhole ? ledger.rows : rows;
  const { queryKey } = isOfActions ? askedActions : askedRecords;
  return {
    filter,
    query,
    /** Ends the search; what is counted for it is ended with it. */
    stop: useStop([queryKey, ...COUNTED.map((name) => keyOf(routeOf(name)))], isFetching),
    more,
    rows: shown,
    look: ledger.look,
    hasMore: hasNextPage && !isWhole,
    isFetching: isFetching || ledger.isFetching,
    /** What the newest page says about which records it is of; null where nothing was asked of payloads. */
    coverage: data?.pages.at(-1)?.coverage ?? null,
  };
}

/** What is counted next to what a search lists. */
const COUNTED = ['auditHistogram', 'facets'] as const;

/** Until the ledger is known to have grown (useLiveLedger). */
const UNTIL_GROWN = { staleTime: Number.POSITIVE_INFINITY, refetchOnMount: true, placeholderData: keepPreviousData };

/** Pages of actions as pages of rows. */
function rowsOfActions({ pages, ...rest }: InfiniteData<AnswerOf<'actions'>>) {
  return { ...rest, pages: pages.map((page) => ({ ...page, data: page.data.map(rowOfAction) })) };
}

/** Rows in a page of a search. */
const LEDGER_PAGE = 200;

/** The rows of the whole ledger right below a seq_no, newest first. Only what people gave them changes. */
function pageBelow(q: Ledger['q'], beforeSeq: number) {
  const asked = q('auditQuery', { body: { beforeSeq, details: true, limit: LEDGER_PAGE } });
  return { ...asked, staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 };
}

const NONE: readonly LedgerRow[] = [];

interface PageAnswer {
  readonly data: { readonly data: readonly LedgerRow[] } | undefined;
  readonly isFetching: boolean;
}

function combine(answers: readonly PageAnswer[]) {
  return {
    loaded: answers.flatMap(({ data }) => (data === undefined ? [] : [data.data])),
    isFetching: answers.some((answer) => answer.isFetching),
  };
}

/**
 * The ledger below its newest rows, or from its first ones on where these are given, loaded where it is looked at. One place is
 * fetched at a time, then the one that is looked at by then: whoever drags the scroll bar passes more places than can be fetched.
 */
function useWholeLedger(newestRows: readonly LedgerRow[], firstRows: readonly LedgerRow[] | null) {
  const { q } = useLedger();
  const newest = newestRows[0]?.seq_no ?? 0;
  const isTurned = firstRows !== null;
  const [wanted, setWanted] = useState<Stretch>({ first: 0, last: 0 });
  const [fetched, setFetched] = useState(wanted);
  const look = useCallback(
    (first: number, last: number) =>
      setWanted(isTurned ? { first: newest - 1 - last, last: newest - 1 - first } : { first, last }),
    [isTurned, newest],
  );
  const pages = useMemo(
    () => pagesAround(fetched.first, fetched.last, newest, LEDGER_PAGE).filter((page) => page > 0),
    [fetched, newest],
  );
  const { loaded, isFetching } = useQueries({
    queries: pages.map((page) => pageBelow(q, newest - page * LEDGER_PAGE + 1)),
    combine,
  });
  useEffect(() => {
    if (!isFetching) setFetched(wanted);
  }, [isFetching, wanted]);
  // What was there before stays until all of the next is.
  const kept = useRef<readonly (readonly LedgerRow[])[]>([]);
  const rows = useMemo(() => {
    if (!isFetching) kept.current = loaded;
    const whole = new LedgerRows(newest, newestRows, kept.current, isFetching ? loaded : []);
    return firstRows === null ? whole : new TurnedRows(whole, firstRows);
  }, [newest, newestRows, firstRows, loaded, isFetching]);
  return { rows, look, isFetching };
}
