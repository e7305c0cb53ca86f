import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Coverage } from '../../../api/index.ts';
import { type AuditFilter, histogramOf, type LedgerRow, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { isReadyForMore } from '../../api/use-pages.ts';
import { Failure } from '../../components/answer.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { fill } from '../../lib/fill.ts';
import { count } from '../../ui/time.tsx';
import { SearchBar } from './bar/search-bar.tsx';
import { Facets } from './facets/facets.tsx';
import { GroupedResult } from './groups/groups.tsx';
import { NothingFound } from './list/nothing-found.tsx';
import { ResultList } from './list/result-list.tsx';
import { useRowAnnotation } from './list/row-annotation.tsx';
import { loadedIn, MAX_PICKED, type Picked, withRows } from './list/selection.ts';
import { SelectionBar } from './list/selection-bar.tsx';
import { COVERAGE_NOTE, RESULT_FOOT } from './list/texts.ts';
import { useResult } from './list/use-result.ts';
import { ActionPreview } from './preview/action-preview.tsx';
import { RowPreview } from './preview/row-preview.tsx';
import { SearchActions } from './search-actions.tsx';
import { hasFilters, withoutFilters } from './search-filter.ts';
import { AUDIT_SCREEN } from './texts.ts';
import { ValueMenuHost } from './value-menu.tsx';

interface ResultFootProps {
  readonly loaded: number;
  /** How many were found; undefined while that is counted. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** Searches again; null while nothing new is known. */
  readonly again: (() => void) | null;
  /** Picks all rows that are loaded; null where they are more than are worked with at once. */
  readonly pickAll: (() => void) | null;
  readonly isOldestFirst: boolean;
  /** Of how many records those actions are that are loaded; null where rows are records. */
  readonly records: number | null;
}

/** How many rows there are, and whether there are newer ones. */
function ResultFoot({ loaded, total, hasMore, isFetching, again, pickAll, isOldestFirst, records }: ResultFootProps) {
  const isOfRecords = records === null;
  const counted = isOfRecords ? RESULT_FOOT.records : RESULT_FOOT.actions;
  const words =
    total === undefined || !hasMore
      ? // What was counted may be older than what is listed.
        counted(hasMore ? loaded : Math.max(loaded, total ?? 0))
      : (isOfRecords ? RESULT_FOOT.recordsOf : RESULT_FOOT.actionsOf)(count(loaded), total);
  return (
    <>
      <span role="status">
        {words}
        {hasMore && ` ${RESULT_FOOT.loaded}`}
        {!isOfRecords && !hasMore && records > loaded && RESULT_FOOT.ofRecords(records)}
      </span>
      {isFetching && <span>{RESULT_FOOT.loading}</span>}
      {again !== null && (
        <button type="button" className="button-small" onClick={again}>
          {RESULT_FOOT.newRecords}
        </button>
      )}
      {pickAll !== null && loaded > 0 && (
        <button type="button" className="button-small" onClick={pickAll}>
          {RESULT_FOOT.selectAll}
        </button>
      )}
      <span className="push">
        {fill(RESULT_FOOT.keys, {
          space: <kbd>{RESULT_FOOT.space}</kbd>,
          arrows: <kbd>m</kbd>,
          order: isOldestFirst ? RESULT_FOOT.oldest : RESULT_FOOT.newest,
        })}
      </span>
    </>
  );
}

interface CoverageNoteProps {
  readonly coverage: Coverage;
  readonly again: () => void;
}

/** Where a search did not mean all records, that and what to do about it. */
function CoverageNote({ coverage: { pending, complete }, again }: CoverageNoteProps) {
  if (pending === 0 && complete) return null;
  return (
    <p className="coverage-note" role="status">
      {complete ? COVERAGE_NOTE.pending(pending) : COVERAGE_NOTE.stopped}
      <button type="button" className="button-small" onClick={again}>
        {COVERAGE_NOTE.searchAgain}
      </button>
    </p>
  );
}

/** Of how many records some actions are. */
function recordsOf(rows: readonly LedgerRow[]): number {
  return rows.reduce((sum, { actionRow }) => sum + (actionRow?.record_count ?? 1), 0);
}

const route = ledgerScreen('/search');
const NONE_PICKED: Picked = new Map();
const CHART_HEIGHT = 76;

/** Search of the operations: a query, counts over time and by value, rows, and what is in one of them. */
export function AuditScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const result = useResult(search);
  const { filter, query, rows, hasMore, isFetching, coverage } = result;
  // Of other filters, such as a stretch drawn in the chart, nothing is known to be wrong.
  const [unreadableOver, setUnreadableOver] = useState<AuditFilter | null>(null);
  const isUnreadable = unreadableOver === filter;
  const [picked, setPicked] = useState(NONE_PICKED);
  const ledger = useLedger();
  const { annotate, bookmark, dialog } = useRowAnnotation();
  const histogram = useQuery(histogramOf(ledger, filter, 120));
  const { isStale, refetch, isPlaceholderData } = query;
  const isOutdated = isStale && isReadyForMore(query);
  const hasNone = query.data !== undefined && rows.length === 0 && !isPlaceholderData;
  useEffect(() => {
    // Nobody reads rows that would move: the first ones appear by themselves.
    if (isOutdated && hasNone) void refetch();
  }, [isOutdated, hasNone, refetch]);
  const again = (): void => {
    void refetch();
    void histogram.refetch();
  };
  return (
    <Screen
      title={AUDIT_SCREEN.search}
      name={AUDIT_SCREEN.search}
      flush
      actions={
        <>
          <TimeMenu />
          <SearchActions search={search} filter={filter} />
        </>
      }
    >
      <ValueMenuHost>
        <SearchBar search={search} onUnreadable={(isWrong) => setUnreadableOver(isWrong ? filter : null)} />
        {isUnreadable && <p className="outdated-note">{AUDIT_SCREEN.resultsOfPreviousQuery}</p>}
        {coverage !== null && filter.query !== undefined && <CoverageNote coverage={coverage} again={again} />}
        <div className={search.selected === undefined ? 'results' : 'results has-preview'}>
          <Facets filter={filter} />
          <div className="results-main scroll-column">
            {histogram.data !== undefined && (
              <Histogram
                counts={histogram.data}
                height={CHART_HEIGHT}
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
            {search.by === undefined && query.error === null && (query.data === undefined || isPlaceholderData) && (
              <Waiting what={AUDIT_SCREEN.what} stop={result.stop} retry={again} hasOther={query.data !== undefined} />
            )}
            {search.by !== undefined ? (
              <GroupedResult search={search} filter={filter} />
            ) : query.data === undefined ? null : hasNone && !hasMore ? (
              <NothingFound
                search={search}
                hasFilters={hasFilters(search)}
                clear={() => void navigate({ search: withoutFilters })}
              />
            ) : (
              <ResultList
                // Turned around it begins at its beginning, wherever somebody was.
                key={`${search.unit} ${search.order ?? 'newest'}`}
                search={search}
                rows={rows}
                isOutdated={isUnreadable || isPlaceholderData}
                onEnd={result.more}
                onRange={result.look}
                picked={picked}
                pick={setPicked}
                annotate={annotate}
                bookmark={bookmark}
                foot={
                  <ResultFoot
                    loaded={rows.length}
                    // While another count is on its way the one before is drawn, and is not said to be of these rows.
                    total={histogram.isPlaceholderData ? undefined : histogram.data?.total}
                    hasMore={hasMore}
                    isFetching={isFetching}
                    again={isOutdated ? again : null}
                    pickAll={
                      rows.length > MAX_PICKED ? null : () => setPicked((before) => withRows(before, loadedIn(rows)))
                    }
                    isOldestFirst={search.order === 'oldest'}
                    records={search.unit === 'records' ? null : recordsOf(loadedIn(rows))}
                  />
                }
              />
            )}
            {picked.size > 0 && (
              <SelectionBar
                picked={picked}
                clear={() => setPicked(NONE_PICKED)}
                annotate={annotate}
                bookmark={bookmark}
              />
            )}
          </div>
          {search.selected !== undefined && (
            <Selected operationId={search.selected} isRecord={search.unit === 'records'} />
          )}
        </div>
      </ValueMenuHost>
      {dialog}
    </Screen>
  );
}

interface SelectedProps {
  readonly operationId: string;
  /** Whether rows are records; else its whole action is shown. */
  readonly isRecord: boolean;
}

function Selected({ operationId, isRecord }: SelectedProps) {
  return (
    <>
      {isRecord ? <RowPreview operationId={operationId} /> : <ActionPreview operationId={operationId} />}
      {/* What the key opens, also while the details of the row are on their way. */}
      <LedgerLink to="/operations/$operationId" params={{ operationId }} tabIndex={-1} isHidden data-open>
        {AUDIT_SCREEN.showProof}
      </LedgerLink>
    </>
  );
}
