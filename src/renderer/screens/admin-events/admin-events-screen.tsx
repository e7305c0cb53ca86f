import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/answers.ts';
import { pages, q } from '../../api/query.ts';
import { usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Mark } from '../../components/mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { ChainState } from './chain-state.tsx';
import { brokenEvents } from './check-events.ts';
import { EventDetails } from './event-details.tsx';
import { type AdminEventsFilter, EventFilters } from './event-filters.tsx';
import { EventTarget } from './event-target.tsx';
import { ADMIN_EVENTS_SCREEN } from './texts.ts';

const route = getRouteApi('/admin-events');

/** The details of an event in one line. */
function summary({ details }: AdminEvent): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}

function columnsFor(
  nameOf: (actor: string) => string,
  broken: ReadonlySet<string>,
  filter: AdminEventsFilter,
): readonly GridColumn<AdminEvent>[] {
  return [
    { id: 'when', head: ADMIN_EVENTS_SCREEN.when, width: 174, cell: (event) => <Time value={event.created_at} /> },
    {
      id: 'hash',
      head: ADMIN_EVENTS_SCREEN.hash,
      width: 76,
      cell: (event) =>
        broken.has(event.event_id) ? (
          <Mark outcome="fail" word={ADMIN_EVENTS_SCREEN.broken} />
        ) : (
          <Mark outcome="pass" word={ADMIN_EVENTS_SCREEN.valid} />
        ),
    },
    {
      id: 'action',
      head: ADMIN_EVENTS_SCREEN.action,
      width: 140,
      cell: (event) => (
        <Link to="/admin-events" search={{ ...filter, selected: event.event_id }} replace data-row tabIndex={-1}>
          <Seen text={event.action} />
        </Link>
      ),
    },
    {
      id: 'actor',
      head: ADMIN_EVENTS_SCREEN.actor,
      width: 170,
      cell: (event) => (
        <span title={visibleText(event.actor)}>
          <Seen text={nameOf(event.actor)} />
        </span>
      ),
    },
    {
      id: 'type',
      head: ADMIN_EVENTS_SCREEN.kindOfTarget,
      width: 108,
      cell: (event) => event.target_type.replaceAll('_', ' '),
    },
    { id: 'target', head: ADMIN_EVENTS_SCREEN.target, width: 170, cell: (event) => <EventTarget event={event} /> },
    {
      id: 'details',
      head: ADMIN_EVENTS_SCREEN.details,
      width: 200,
      grows: true,
      cell: (event) => (
        <span title={visibleText(summary(event))}>
          <Seen text={summary(event)} />
        </span>
      ),
    },
  ];
}

function eventsOf({ events }: { readonly events: readonly AdminEvent[] }): readonly AdminEvent[] {
  return events;
}

/** The administrative log: what was done to the organization, by whom; every hash computed again in this window. */
export function AdminEventsScreen() {
  const { selected, ...filter } = route.useSearch();
  const query = useInfiniteQuery(pages('listAdminEvents', { query: { ...filter, limit: 100, cursor: '' } }));
  const members = useQuery(q('listMembers'));
  const { rows, more, hasMore } = usePages(query, eventsOf);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const broken = useMemo(() => brokenEvents(rows, !isFiltered), [rows, isFiltered]);
  const key = JSON.stringify(filter);
  const columns = useMemo(() => {
    const names = new Map(members.data?.members.map(({ user_id: id, email }) => [id, email]));
    return columnsFor((actor) => names.get(actor) ?? actor, broken, JSON.parse(key) as AdminEventsFilter);
  }, [members.data, broken, key]);
  const shown = rows.find(({ event_id: id }) => id === selected);
  return (
    <Screen title={ADMIN_EVENTS_SCREEN.adminEvents} name={ADMIN_EVENTS_SCREEN.adminEvents} flush>
      <ChainState />
      <EventFilters filter={filter} members={members.data?.members ?? []} />
      <Answer query={query} what={ADMIN_EVENTS_SCREEN.log}>
        {() =>
          rows.length === 0 ? (
            <Empty title={ADMIN_EVENTS_SCREEN.nothingFound}>
              <p>{ADMIN_EVENTS_SCREEN.noMatch}</p>
            </Empty>
          ) : (
            <VirtualGrid
              label={ADMIN_EVENTS_SCREEN.adminEvents}
              columns={columns}
              rows={rows}
              keyOf={(event) => event.event_id}
              selected={selected}
              onEnd={more}
              foot={
                <>
                  <span role="status">
                    {ADMIN_EVENTS_SCREEN.events(rows.length)}
                    {hasMore ? ADMIN_EVENTS_SCREEN.loaded : ADMIN_EVENTS_SCREEN.all}
                  </span>
                  <span className="push">
                    {broken.size === 0
                      ? ADMIN_EVENTS_SCREEN.rehashed(isFiltered ? '' : ADMIN_EVENTS_SCREEN.linksFollowed)
                      : ADMIN_EVENTS_SCREEN.notValid(count(broken.size))}
                  </span>
                </>
              }
            />
          )
        }
      </Answer>
      {shown !== undefined && <EventDetails event={shown} isBroken={broken.has(shown.event_id)} />}
    </Screen>
  );
}
