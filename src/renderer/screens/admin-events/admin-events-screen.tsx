import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { adminEventHash, sha256, visibleText } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/answers.ts';
import { pages, q } from '../../api/query.ts';
import { usePages } from '../../api/use-pages.ts';
import { Answer, Failure } from '../../components/answer.tsx';
import { type FilterDraft, type FilterField, FilterForm } from '../../components/filter-form.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Mark } from '../../components/mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import type { AdminEventsSearch } from '../../lib/search-params.ts';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count, Time } from '../../ui/time.tsx';
import { EventDetails } from './event-details.tsx';
import { EventTarget } from './event-target.tsx';
import { ADMIN_EVENTS_SCREEN, CHAIN_STATE, EVENT_FILTERS } from './texts.ts';

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
  const { selected, zone: _, ...filter } = route.useSearch();
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

/** What this window finds of an event: whether its hash is that of its content. */
function isIntact({ event_hash: hash, ...event }: AdminEvent): boolean {
  return adminEventHash(event, sha256) === hash;
}

/**
 * Identifiers of the events that do not hold: whose hash is not that of their content, or that do not follow on the one
 * before them.
 * @param events newest first
 * @param isWhole whether the list has every event between the first and the last, so that links can be followed
 */
function brokenEvents(events: readonly AdminEvent[], isWhole: boolean): ReadonlySet<string> {
  const broken = events.filter((event, n) => {
    const before = events[n + 1];
    const isLinked = !isWhole || before === undefined || event.prev_event_hash === before.event_hash;
    return !isLinked || !isIntact(event);
  });
  return new Set(broken.map(({ event_id: id }) => id));
}

/** How far the whole log verifies, as the service finds it, and how far an epoch has sealed it. */
function ChainState() {
  const chain = useQuery(q('adminChain'));
  const navigate = route.useNavigate();
  if (chain.error !== null) return <Failure error={chain.error} retry={() => void chain.refetch()} />;
  if (chain.data === undefined) {
    return (
      <p className="cluster log-strip muted" role="status">
        {CHAIN_STATE.verifyingLog}
      </p>
    );
  }
  const { events, verified, broken_event_id: broken, sealed, sealed_by_epoch_no: epochNo } = chain.data;
  return (
    <div className="cluster log-strip" role="status">
      {broken === null ? (
        <Mark outcome="pass" word={CHAIN_STATE.verified(CHAIN_STATE.events(events))} />
      ) : (
        <Mark outcome="fail" word={CHAIN_STATE.verifiedUpTo(count(verified), count(events))} />
      )}
      {broken !== null && (
        <button
          type="button"
          className="button-small"
          onClick={() => void navigate({ search: { selected: broken }, replace: true })}
        >
          {CHAIN_STATE.showFirstBroken}
        </button>
      )}
      <span className="muted">
        {sealed === 0
          ? CHAIN_STATE.notSealed
          : sealed === events
            ? CHAIN_STATE.sealedBy(count(epochNo ?? 0))
            : CHAIN_STATE.someSealed(count(sealed), count(epochNo ?? 0))}
      </span>
      <button
        type="button"
        className="button-small push"
        disabled={chain.isFetching}
        onClick={() => void chain.refetch()}
      >
        {CHAIN_STATE.verifyAgain}
      </button>
    </div>
  );
}

type AdminEventsFilter = Omit<AdminEventsSearch, 'selected'>;

const FIELDS: readonly FilterField<keyof AdminEventsFilter>[] = [
  { member: 'action', label: EVENT_FILTERS.action, hint: 'agent.freeze', kind: 'word' },
  { member: 'targetType', label: EVENT_FILTERS.kindTarget, hint: EVENT_FILTERS.kindExample, kind: 'word' },
  { member: 'targetId', label: EVENT_FILTERS.target, hint: '', kind: 'word' },
  { member: 'startTime', label: EVENT_FILTERS.from, hint: '2026-01-31 00:00', kind: 'time' },
  { member: 'endTime', label: EVENT_FILTERS.before, hint: '2026-02-01 00:00', kind: 'time' },
];

function draftOf(filter: AdminEventsFilter): FilterDraft {
  const { action = '', actor = '', targetType = '', targetId = '', startTime = '', endTime = '' } = filter;
  return { action, actor, targetType, targetId, startTime, endTime };
}

interface EventFiltersProps {
  readonly filter: AdminEventsFilter;
  readonly members: AnswerOf<'listMembers'>['members'];
}

/** The filters of the log. */
function EventFilters({ filter, members }: EventFiltersProps) {
  const navigate = route.useNavigate();
  const known = [
    { value: '', label: EVENT_FILTERS.anybody },
    ...members.map(({ user_id: id, email }) => ({ value: id, label: email })),
    { value: 'operator', label: EVENT_FILTERS.operator },
  ];
  return (
    <FilterForm
      fields={FIELDS}
      applied={draftOf(filter)}
      verb={EVENT_FILTERS.filter}
      apply={(filters) => void navigate({ search: filters })}
      clear={() => void navigate({ search: {} })}
      choices={({ actor = '' }, change) => (
        <SelectField
          label={EVENT_FILTERS.actor}
          value={actor}
          // Who has left the organization stays an actor of what they did.
          options={known.some(({ value }) => value === actor) ? known : [...known, { value: actor, label: actor }]}
          onChange={(value) => change('actor', value)}
        />
      )}
    />
  );
}
