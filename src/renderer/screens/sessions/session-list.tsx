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
import { plural } from '../../lib/plural.ts';
import { useTimeZone, zoneName } from '../../lib/time-zone.ts';
import { Empty } from '../../ui/panel.tsx';
import { QueryBox } from '../audit/bar/query-box.tsx';
import { sessionColumns } from './session-columns.tsx';

const route = ledgerScreen('/sessions');

const ORDERS: Readonly<Record<(typeof SESSION_ORDERS)[number], string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  longest: 'Most records first',
};

const rowsOf = dataOf<WorkSession>;

/** All sessions, or those in which a query finds something. */
export function SessionList() {
  const { query, order = 'newest' } = route.useSearch();
  const navigate = route.useNavigate();
  const { investigation } = useLedger();
  const zone = zoneName(useTimeZone());
  const found = useInfiniteQuery(investigation.sessions({ query, order, zone }));
  const { rows, more, hasMore } = usePages(found, rowsOf);
  const columns = useMemo(sessionColumns, []);
  const [isUnreadable, setUnreadable] = useState(false);
  const coverage = found.data?.pages.at(-1)?.coverage;
  return (
    <Screen
      title="Sessions"
      name="Sessions"
      flush
      actions={
        <LedgerLink to="/reading-rules" search={{}} className="button">
          Reading rules
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
            aria-label="Order"
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
      {isUnreadable && <p className="outdated-note">These are the sessions of the query before.</p>}
      {found.error !== null && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined ? (
        found.error === null && (
          <p className="loading" role="status">
            Loading the sessions…
          </p>
        )
      ) : rows.length === 0 && !hasMore ? (
        <NoSessions isFiltered={query !== undefined} />
      ) : (
        <VirtualGrid
          label="Sessions"
          isOutdated={isUnreadable}
          columns={columns}
          rows={rows}
          keyOf={({ session }) => session}
          onEnd={more}
          foot={
            <>
              <span role="status">
                {plural(rows.length, 'session')}
                {hasMore ? ' loaded' : ', all'}
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
  if (isFiltered) {
    return (
      <Empty title="No session matches">
        <p>A session is listed when at least one of its records matches. Clear the query to see all sessions.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No sessions yet">
      <p>
        A session groups the records that an agent made for one purpose. Recorded programs name their sessions. For
        other payloads, choose the member that holds the session’s name.
      </p>
      <LedgerLink to="/reading-rules" search={{}} className="button">
        Choose where sessions are named
      </LedgerLink>
    </Empty>
  );
}
