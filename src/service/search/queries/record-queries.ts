import type {
  ActionsAnswer,
  ActionsBody,
  EntitiesAnswer,
  EntitiesBody,
  SessionsAnswer,
  SessionsBody,
} from '../../../api/index.ts';
import { actionContext } from '../actions/action-context.ts';
import { listActions } from '../actions/list-actions.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { AnswerOf, ArgumentsOf } from '../content-index/queries/content-queries.ts';
import { histogramOf } from '../content-index/queries/histogram.ts';
import { namesOf } from '../content-index/queries/names.ts';
import { facetsOfFilter } from '../content-index/queries/search.ts';
import { queryOf } from '../content-index/search-filter.ts';
import { type EntityPlace, listEntities } from '../entities/list-entities.ts';
import { listTouches } from '../entities/touches.ts';
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
