import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import type { AuditFilter } from '../../api/ledger/ledger-queries.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { isReadyForMore } from '../../api/use-pages.ts';
import { Failure } from '../../components/answer.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { Screen } from '../../components/screen.tsx';
import { useConnection } from '../../components/use-connection.ts';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { plural } from '../../lib/plural.ts';
import { count } from '../../ui/time.tsx';
import { columnsFor, DEFAULT_COLUMNS } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NothingFound } from './nothing-found.tsx';
import { RowPreview } from './row-preview.tsx';
import { SearchActions } from './search-actions.tsx';
import { useResult } from './use-result.ts';

const route = ledgerScreen('/search');

/** Search of the operations: counts over time, rows, and the details and bytes of one. */
export function AuditScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { filter, query, rows, more, look, hasMore, isFetching } = useResult(search);
  // Of other filters, such as a stretch drawn in the chart, nothing is known to be wrong.
  const [unreadableOver, setUnreadableOver] = useState<AuditFilter | null>(null);
  const isUnreadable = unreadableOver === filter;
  const { caseId, queries } = useLedger();
  const histogram = useQuery(queries.histogram(filter, 120, search.without));
  const columns = useMemo(
    () => columnsFor(search.columns ?? DEFAULT_COLUMNS, caseId !== null),
    [search.columns, caseId],
  );
  const { isCut } = useConnection();
  // While another count is on its way the one before is drawn, and is not said to be of these rows.
  const total = histogram.isPlaceholderData ? undefined : histogram.data?.total;
  const hasFilters = Object.keys(filter).length > 0 || (search.without?.length ?? 0) > 0;
  const { isStale, refetch } = query;
  const isOutdated = isStale && isReadyForMore(query);
  const hasNone = query.data !== undefined && rows.length === 0;
  useEffect(() => {
    // Nobody reads rows that would move: the first ones appear by themselves.
    if (isOutdated && hasNone) void refetch();
  }, [isOutdated, hasNone, refetch]);
  const isEmpty = query.data !== undefined && rows.length === 0 && !hasMore;
  return (
    <Screen title="Search" name="Search" flush actions={<SearchActions search={search} filter={filter} />}>
      <FilterBar search={search} onUnreadable={(isUnreadable) => setUnreadableOver(isUnreadable ? filter : null)} />
      {isUnreadable && <p className="outdated-note">These are the results of the filters before.</p>}
      {histogram.data !== undefined && (
        <Histogram
          counts={histogram.data}
          height={92}
          onBrush={(from, to) =>
            void navigate({
              search: (before) => ({
                ...before,
                startTime: new Date(from).toISOString(),
                endTime: new Date(to).toISOString(),
              }),
            })
          }
        />
      )}
      {query.error !== null && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data === undefined ? (
        query.error === null && (
          <p className="loading" role="status">
            {isCut ? 'Not searched yet.' : 'Searching…'}
          </p>
        )
      ) : isEmpty ? (
        <NothingFound search={search} hasFilters={hasFilters} clear={() => void navigate({ search: {} })} />
      ) : (
        <VirtualGrid
          label="Operations"
          isOutdated={isUnreadable}
          columns={columns}
          rows={rows}
          keyOf={(row) => row.operation_id}
          selected={search.selected}
          onEnd={more}
          onRange={look}
          foot={
            <>
              <span role="status">
                {total === undefined || !hasMore
                  ? plural(hasMore ? rows.length : (total ?? rows.length), 'result')
                  : `${count(rows.length)} of ${plural(total, 'result')}`}
                {hasMore ? ' loaded' : ''}
              </span>
              {isFetching && <span>Loading…</span>}
              {isOutdated && (
                <button type="button" className="button-small" onClick={() => void refetch()}>
                  New records: search again
                </button>
              )}
              <span className="push">newest first, by seq_no</span>
            </>
          }
        />
      )}
      {search.selected !== undefined && (
        <>
          <RowPreview operationId={search.selected} />
          {/* What the key opens, also while the details of the row are on their way. */}
          <LedgerLink
            to="/operations/$operationId"
            params={{ operationId: search.selected }}
            tabIndex={-1}
            isHidden
            data-open
          >
            Show the proof
          </LedgerLink>
        </>
      )}
    </Screen>
  );
}
