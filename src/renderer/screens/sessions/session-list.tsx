import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { SESSION_ORDERS } from '../../lib/investigation-params.ts';
import { useTimeZone, zoneName } from '../../lib/time-zone.ts';
import { Empty } from '../../ui/panel.tsx';
import { QueryBox } from '../audit/bar/query-box.tsx';
import { sessionColumns } from './session-columns.tsx';
import { SESSION_LIST } from './texts.ts';

const route = ledgerScreen('/sessions');

const ORDERS: Readonly<Record<(typeof SESSION_ORDERS)[number], string>> = {
  newest: SESSION_LIST.newestFirst,
  oldest: SESSION_LIST.oldestFirst,
  longest: SESSION_LIST.mostRecordsFirst,
};

const rowsOf = dataOf<WorkSession>;

/** All sessions, or those in which a query finds something. */
export function SessionList() {
  const { query, order = 'newest' } = route.useSearch();
  const navigate = route.useNavigate();
  const { pages } = useLedger();
  const zone = zoneName(useTimeZone());
  const found = useInfiniteQuery(pages('sessions', { body: { query, zone, order, limit: 100 } }));
  const { rows, more, hasMore } = usePages(found, rowsOf);
  const columns = useMemo(sessionColumns, []);
  const [isUnreadable, setUnreadable] = useState(false);
  const coverage = found.data?.pages.at(-1)?.coverage;
  return (
    <Screen
      title={SESSION_LIST.sessions}
      name={SESSION_LIST.sessions}
      flush
      actions={
        <LedgerLink to="/reading-rules" search={{}} className="button">
          {SESSION_LIST.readingRules}
        </LedgerLink>
      }
    >
      <div className="search-bar">
        <div className="search-line">
          <QueryBox
            query={query ?? ''}
            apply={(text) => void navigate({ search: (before) => ({ ...before, query: text || undefined }) })}
            onUnreadable={setUnreadable}
          />
          <select
            aria-label={SESSION_LIST.order}
            className="sessions-order"
            value={order}
            onChange={({ currentTarget }) => {
              const chosen = SESSION_ORDERS.find((one) => one === currentTarget.value);
              void navigate({ search: (before) => ({ ...before, order: chosen }), replace: true });
            }}
          >
            {SESSION_ORDERS.map((value) => (
              <option key={value} value={value}>
                {ORDERS[value]}
              </option>
            ))}
          </select>
        </div>
      </div>
      {isUnreadable && <p className="outdated-note">{SESSION_LIST.resultsOfBefore}</p>}
      {found.error !== null && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined ? (
        found.error === null && (
          <p className="loading" role="status">
            {SESSION_LIST.loading}
          </p>
        )
      ) : rows.length === 0 && !hasMore ? (
        <NoSessions isFiltered={query !== undefined} />
      ) : (
        <VirtualGrid
          label={SESSION_LIST.sessions}
          isOutdated={isUnreadable}
          columns={columns}
          rows={rows}
          keyOf={({ session }) => session}
          onEnd={more}
          foot={
            <>
              <span role="status">
                {SESSION_LIST.counted(rows.length)}
                {hasMore ? ` ${SESSION_LIST.loaded}` : SESSION_LIST.all}
              </span>
              {coverage !== undefined && <CoverageMark coverage={coverage} />}
              <span className="push">{ORDERS[order].toLowerCase()}</span>
            </>
          }
        />
      )}
    </Screen>
  );
}

function NoSessions({ isFiltered }: { readonly isFiltered: boolean }) {
  const { caseId } = useLedger();
  if (isFiltered) {
    return (
      <Empty title={SESSION_LIST.noSessionMatches}>
        <p>{SESSION_LIST.noMatchText}</p>
      </Empty>
    );
  }
  return (
    <Empty title={caseId === null ? SESSION_LIST.noSessionsYet : SESSION_LIST.noSessions}>
      <p>{SESSION_LIST.explained}</p>
      <LedgerLink to="/reading-rules" search={{}} className="button">
        {SESSION_LIST.chooseWhere}
      </LedgerLink>
    </Empty>
  );
}
