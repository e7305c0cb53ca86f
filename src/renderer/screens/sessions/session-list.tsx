import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentNames } from '../../components/agent-mark.tsx';
import { Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { useStop, Waiting } from '../../components/waiting.tsx';
import { durationText } from '../../lib/duration.ts';
import { SESSION_ORDERS } from '../../lib/investigation-params.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, ShortTime } from '../../ui/time.tsx';
import { QueryBox } from '../audit/bar/query-box.tsx';
import { SESSION_COLUMNS, SESSION_LIST } from './texts.ts';

const route = ledgerScreen('/sessions');

const ORDERS: Readonly<Record<(typeof SESSION_ORDERS)[number], string>> = {
  newest: SESSION_LIST.newestFirst,
  oldest: SESSION_LIST.oldestFirst,
  longest: SESSION_LIST.mostRecordsFirst,
};

const rowsOf = dataOf<WorkSession>;

/** All sessions, or those in which a query finds something. */
export function SessionList() {
  const { query, order = 'newest', startTime, endTime } = route.useSearch();
  const navigate = route.useNavigate();
  const { pages } = useLedger();
  const zone = useTimeZone();
  const asked = pages('sessions', { body: { query, startTime, endTime, zone, order, limit: 100 } });
  const found = useInfiniteQuery(asked);
  const stop = useStop([asked.queryKey], found.isFetching);
  const { rows, more, hasMore } = usePages(found, rowsOf);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const columns = useMemo(() => sessionColumns(chosen, setChosen), [chosen]);
  const [left, right] = chosen.length === 0 && query !== undefined && !hasMore ? onlyTwo(rows) : chosen;
  const [isUnreadable, setUnreadable] = useState(false);
  const coverage = found.data?.pages.at(-1)?.coverage;
  return (
    <Screen
      title={SESSION_LIST.sessions}
      name={SESSION_LIST.sessions}
      flush
      actions={
        <>
          <TimeMenu />
          {left !== undefined && right !== undefined && (
            <LedgerLink to="/sessions" search={{ session: left, with: right }} className="button button-primary">
              {SESSION_LIST.sideBySide}
            </LedgerLink>
          )}
          <LedgerLink to="/reading-rules" search={{}} className="button">
            {SESSION_LIST.readingRules}
          </LedgerLink>
        </>
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
        found.error === null && <Waiting what={SESSION_LIST.what} stop={stop} retry={() => void found.refetch()} />
      ) : rows.length === 0 && !hasMore ? (
        <NoSessions isFiltered={query !== undefined || startTime !== undefined || endTime !== undefined} />
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

/** The sessions of a list that has two, the older one first; none of any other. */
function onlyTwo(rows: readonly WorkSession[]): readonly string[] {
  if (rows.length !== 2) return [];
  return rows.toSorted((a, b) => Date.parse(a.first_at) - Date.parse(b.first_at)).map(({ session }) => session);
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

/** A figure that only stands out where it is not zero. */
function Figure({ value, look }: { readonly value: number; readonly look: 'failed' | 'refused' | 'unfinished' }) {
  if (value === 0) return <span className="muted">–</span>;
  return <span className={`number outcome-${look}`}>{count(value)}</span>;
}

function Names({ names }: { readonly names: readonly string[] }) {
  const text = names.join(', ');
  return <Seen text={text} title={visibleText(text)} isJoined />;
}

/** The columns of the list of sessions. */
function sessionColumns(
  chosen: readonly string[],
  choose: (change: (before: readonly string[]) => readonly string[]) => void,
): GridColumn<WorkSession>[] {
  return [
    {
      id: 'select',
      head: SESSION_LIST.selected,
      width: 34,
      isFixed: true,
      isHeadHidden: true,
      className: 'select-cell',
      cell: ({ session }) => (
        <input
          type="checkbox"
          aria-label={visibleText(SESSION_LIST.select(session))}
          title={SESSION_LIST.chooseTwo}
          checked={chosen.includes(session)}
          // Of a third one the two chosen last are left.
          onChange={() =>
            choose((before) =>
              before.includes(session) ? before.filter((one) => one !== session) : [...before, session].slice(-2),
            )
          }
        />
      ),
    },
    {
      id: 'session',
      head: SESSION_COLUMNS.session,
      width: 150,
      cell: ({ session, parent }) => (
        <LedgerLink
          to="/sessions"
          search={{ session }}
          title={visibleText(session)}
          className="session-name"
          data-row
          tabIndex={-1}
        >
          {parent !== null && <Icon name="right" />}
          <Seen text={session} />
        </LedgerLink>
      ),
    },
    {
      id: 'calls',
      head: SESSION_COLUMNS.calls,
      width: 56,
      right: true,
      cell: ({ calls }) => <span className="number">{count(calls)}</span>,
    },
    {
      id: 'failed',
      head: SESSION_COLUMNS.failed,
      width: 58,
      right: true,
      cell: ({ failed }) => <Figure value={failed} look="failed" />,
    },
    {
      id: 'refused',
      head: SESSION_COLUMNS.refused,
      width: 68,
      right: true,
      cell: ({ refused }) => <Figure value={refused} look="refused" />,
    },
    {
      id: 'unfinished',
      head: SESSION_COLUMNS.noResult,
      width: 78,
      right: true,
      cell: ({ unfinished }) => <Figure value={unfinished} look="unfinished" />,
    },
    {
      id: 'began',
      head: SESSION_COLUMNS.beganUtc,
      width: 140,
      cell: ({ first_at }, above) => <ShortTime value={first_at} above={above?.first_at} />,
    },
    {
      id: 'lasted',
      head: SESSION_COLUMNS.lasted,
      width: 104,
      right: true,
      cell: ({ first_at, last_at }) => (
        <span className="number">{durationText(Math.max(0, Date.parse(last_at) - Date.parse(first_at)))}</span>
      ),
    },
    {
      id: 'begins',
      head: SESSION_COLUMNS.beginsWith,
      width: 146,
      grows: true,
      cell: ({ begins_with: text }) => text !== null && <Seen text={text} title={visibleText(text)} />,
    },
    { id: 'agents', head: SESSION_COLUMNS.agents, width: 124, cell: ({ agents }) => <AgentNames agents={agents} /> },
    {
      id: 'people',
      head: SESSION_COLUMNS.people,
      width: 76,
      grows: true,
      cell: ({ people }) => <Names names={people} />,
    },
  ];
}
