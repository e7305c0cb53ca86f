import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Failure } from '../../components/answer.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { Empty } from '../../components/panel.tsx';
import { Screen } from '../../components/screen.tsx';
import { count } from '../../components/time.tsx';
import { useConnection } from '../../components/use-connection.ts';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { useLedger } from '../../ledger/ledger.ts';
import { ledgerScreen } from '../../ledger/places.tsx';
import { isReadyForMore } from '../../service/use-pages.ts';
import { columnsFor, DEFAULT_COLUMNS } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RowPreview } from './row-preview.tsx';
import { SearchActions } from './search-actions.tsx';
import { useResult } from './use-result.ts';

const route = ledgerScreen('/search');

/** Search of the operations: counts over time, rows, and the details and bytes of one. */
export function AuditScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { filter, query, rows, leftOut, more, look, hasMore, isFetching } = useResult(search);
  const { caseId, queries } = useLedger();
  const histogram = useQuery(queries.histogram(filter, 120));
  const columns = useMemo(
    () => columnsFor(search.columns ?? DEFAULT_COLUMNS, caseId !== null),
    [search.columns, caseId],
  );
  const { isCut } = useConnection();
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
      <FilterBar search={search} />
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
        <NothingFound hasFilters={hasFilters} isCase={caseId !== null} clear={() => void navigate({ search: {} })} />
      ) : (
        <VirtualGrid
          label="Operations"
          columns={columns}
          rows={rows}
          keyOf={(row) => row.operation_id}
          selected={search.selected}
          onEnd={more}
          onRange={look}
          foot={
            <>
              <span role="status">
                {count(rows.length)} {hasMore ? 'loaded' : rows.length === 1 ? 'row, all' : 'rows, all'}
                {histogram.data !== undefined &&
                  search.beforeSeq === undefined &&
                  ` of ${count(histogram.data.total)} found`}
                {leftOut > 0 && `; ${count(leftOut)} left out`}
              </span>
              {isFetching && <span>Loading…</span>}
              {isOutdated && (
                <button type="button" className="button-small" onClick={() => void refetch()}>
                  The ledger has grown: search again
                </button>
              )}
              <span className="push">newest first, by seq_no</span>
            </>
          }
        />
      )}
      {search.selected !== undefined && <RowPreview operationId={search.selected} />}
    </Screen>
  );
}

interface NothingFoundProps {
  readonly hasFilters: boolean;
  readonly isCase: boolean;
  readonly clear: () => void;
}

function NothingFound({ hasFilters, isCase, clear }: NothingFoundProps) {
  return hasFilters ? (
    <Empty title="Nothing found">
      <p>Filters are exact and apply together: capital letters count, and a type is not found by its beginning.</p>
      <button type="button" onClick={clear}>
        Clear all filters
      </button>
    </Empty>
  ) : (
    <Empty title={isCase ? 'No operation' : 'No operation yet'}>
      <p>
        {isCase
          ? 'No record of the imported file could be read.'
          : 'What agents submit appears here as soon as the service has countersigned it.'}
      </p>
    </Empty>
  );
}
