import { identityOf, joinedEntities } from '../../../actions/index.ts';
import type {
  ActionsAnswer,
  ActionsBody,
  EntitiesAnswer,
  EntitiesBody,
  SessionsAnswer,
  SessionsBody,
  TouchesAnswer,
  TouchesBody,
} from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { numbersRead } from '../actions/action-content.ts';
import { actionContext } from '../actions/action-context.ts';
import { rowOfAction } from '../actions/action-row.ts';
import { listActions } from '../actions/list-actions.ts';
import { auditRow } from '../content-index/audit-row.ts';
import { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import type { AnswerOf, ArgumentsOf } from '../content-index/queries/content-queries.ts';
import { histogramOf } from '../content-index/queries/histogram.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';
import { namesOf } from '../content-index/queries/names.ts';
import { facetsOfFilter } from '../content-index/queries/search.ts';
import { entityDigest, type ReadRecord } from '../content-index/record-content.ts';
import { queryOf } from '../content-index/search-filter.ts';
import { entityRows } from '../entities/entity-rows.ts';
import { type EntityPlace, listEntities } from '../entities/list-entities.ts';
import { groupsOf, sumsOfRecords } from '../grouping/groups.ts';
import { whatLeft } from '../left/what-left.ts';
import { itemsLookedAt, needsLook } from '../needs-look/needs-look.ts';
import { namedPlaces, namedTexts } from '../reading/named-places.ts';
import { readOperation } from '../reading/read-operation.ts';
import { activityOf } from '../sessions/activity.ts';
import { compareSessions } from '../sessions/compare-sessions.ts';
import { listSessions, type SessionPlace } from '../sessions/list-sessions.ts';
import { sessionStory } from '../sessions/session-story.ts';
import { handedRecords } from './handed-records.ts';

/** How a question was asked: `now` in milliseconds since 1970. */
export interface Asked {
  readonly now: number;
}

type Paged<Body> = Omit<Body, 'cursor'>;

/** @throws ServiceError VALIDATION_ERROR */
function actions(
  view: ContentView,
  { order, contents, limit, ...filter }: Paged<ActionsBody>,
  place: number | null,
  { now }: Asked,
): ActionsAnswer {
  return listActions(view, queryOf(filter, now), { order, contents, limit, place });
}

/** @throws ServiceError VALIDATION_ERROR */
function sessions(
  view: ContentView,
  { order, limit, ...filter }: Paged<SessionsBody>,
  place: SessionPlace | null,
  { now }: Asked,
): SessionsAnswer {
  return listSessions(view, queryOf(filter, now), { order, place, limit, unit: filter.unit });
}

/** @throws ServiceError VALIDATION_ERROR */
function entities(
  view: ContentView,
  { kind, contains, limit, ...filter }: Paged<EntitiesBody>,
  place: EntityPlace | null,
  { now }: Asked,
): EntitiesAnswer {
  return listEntities(view, queryOf(filter, now), { kind, contains, place, limit, unit: filter.unit });
}

/**
 * What is asked of the records of any ledger, by name: of the live one and of a case. Arguments and answers are copied between
 * threads.
 */
export const RECORD_QUERIES = {
  actions,
  actionContext,
  compareSessions,
  groups: groupsOf,
  sumsOfRecords,
  histogram: histogramOf,
  facets: facetsOfFilter,
  names: namesOf,
  sessions,
  steps: sessionStory,
  entities,
  touches: listTouches,
  namedPlaces,
  namedTexts,
  reading: readOperation,
  activity: activityOf,
  needsLook,
  whatLeft,
  itemsLookedAt,
  handedRecords,
} as const;

type RecordQueries = typeof RECORD_QUERIES;
export type RecordQuery = keyof RecordQueries;
export type RecordQueryArguments<N extends RecordQuery> = ArgumentsOf<RecordQueries[N]>;
export type RecordQueryAnswer<N extends RecordQuery> = AnswerOf<RecordQueries[N]>;

/** A record that touches an entity. */
type Touch = TouchesAnswer['data'][number];

type OfEntity = Pick<Touch, 'access' | 'declared' | 'read_from' | 'access_from' | 'before' | 'after' | 'amount'>;

/** What records of one action do with an entity: its state before and after all of them. */
function touchOf(records: readonly ReadRecord[], kind: string, id: string): OfEntity {
  const one = identityOf(kind, id);
  const joined = joinedEntities(records.map(({ facts }) => facts.entity));
  const entity = joined.find((each) => each.kind === one.kind && each.id === one.id);
  return {
    access: entity?.access ?? 'mentioned',
    declared: entity?.declared ?? false,
    read_from: entity?.at ?? null,
    access_from: entity?.accessFrom ?? null,
    before: entity?.before ?? null,
    after: entity?.after ?? null,
    amount: entity?.amount ?? null,
  };
}

/** A record that touches it. */
function rowOfRecord(view: ContentView, n: number, kind: string, id: string): Touch {
  const read = view.record(n);
  return { ...auditRow(read.record), details: detailsOf(view, n), ...touchOf([read], kind, id) };
}

/** An action that touches it, told by the first of its records that does. */
function rowOfTouching(view: ContentView, lead: number, touching: Bits, kind: string, id: string): Touch {
  const ns = Array.from(actionsOf(view).records(lead)).filter((n) => touching.has(n));
  const [first = lead] = ns;
  const records = numbersRead(view, ns).map((n) => view.record(n));
  return {
    ...auditRow(view.record(first).record),
    details: detailsOf(view, first),
    ...touchOf(records, kind, id),
    of_action: rowOfAction(view, lead),
  };
}

/** All records, or actions, that touch an entity. @throws ServiceError NOT_FOUND */
function listTouches(
  view: ContentView,
  { kind, id, order, limit, unit }: Omit<TouchesBody, 'cursor'>,
  place: number | null,
): TouchesAnswer {
  const { starts, ids, digests } = view.columns.list('entity');
  const number = digests.indexOf(entityDigest(view.reader.names, kind, id));
  const records = new Bits(view.indexedTo + 1);
  if (number > 0) {
    let n = 1;
    for (let at = ids.indexOf(number); at >= 0; at = ids.indexOf(number, at + 1)) {
      while ((starts[n + 1] ?? 0) <= at) n++;
      records.add(n);
    }
  }
  const [entity] = number > 0 ? entityRows(view, records, [number], unit) : [];
  if (entity == null) throw new ServiceError('NOT_FOUND', 'no record touches this');
  const listed = unit === 'actions' ? actionsOf(view).of(records) : records;
  const next = (from: number): number => (order === 'newest' ? listed.before(from) : listed.from(from + 1));
  const page: number[] = [];
  for (let n = next(place ?? (order === 'newest' ? listed.size : -1)); n >= 0 && page.length <= limit; n = next(n)) {
    page.push(n);
  }
  const rowOf = (n: number): Touch =>
    unit === 'actions' ? rowOfTouching(view, n, records, kind, id) : rowOfRecord(view, n, kind, id);
  return { entity, ...listPage(page, limit, (n) => n, rowOf), coverage: coverageOf(view) };
}
