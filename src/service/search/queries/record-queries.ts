import type {
  ActionsAnswer,
  ActionsBody,
  CompareSessionsAnswer,
  CompareSessionsBody,
  ContextAnswer,
  ContextBody,
  EntitiesAnswer,
  EntitiesBody,
  SessionsAnswer,
  SessionsBody,
  StepsAnswer,
  StepsBody,
  TouchesAnswer,
  TouchesBody,
} from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
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
import { namedPlaces } from '../reading/named-places.ts';
import { readOperation } from '../reading/read-operation.ts';
import { activityOf } from '../sessions/activity.ts';
import { compareSessions } from '../sessions/compare-sessions.ts';
import { listSessions, type SessionPlace } from '../sessions/list-sessions.ts';
import { sessionStory } from '../sessions/session-story.ts';

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
  const {
    actions: listed,
    total,
    coverage,
  } = listActions(view, queryOf(filter, now), { order, contents, limit, place });
  const page = listPage(listed, limit, (last) => last.n);
  return { ...page, data: page.data.map(({ row }) => row), total, coverage };
}

/** @throws ServiceError NOT_FOUND */
function context(
  view: ContentView,
  { operation_id: operationId, order, limit }: Paged<ContextBody>,
  place: number | null,
): ContextAnswer {
  const { items, sessions: of, ...context } = actionContext(view, { operationId, order, limit, place });
  const page = listPage(items, limit, (last) => last.n);
  return { ...context, sessions: [...of], ...page, data: page.data.map(({ item }) => item) };
}

/** @throws ServiceError NOT_FOUND */
function compared(view: ContentView, asked: Paged<CompareSessionsBody>, place: number | null): CompareSessionsAnswer {
  const { lines, ...both } = compareSessions(view, { ...asked, place });
  const page = listPage(lines, asked.limit, (last) => last.place);
  return { ...both, ...page, data: page.data.map(({ line }) => line) };
}

/** @throws ServiceError VALIDATION_ERROR */
function sessions(
  view: ContentView,
  { order, limit, ...filter }: Paged<SessionsBody>,
  place: SessionPlace | null,
  { now }: Asked,
): SessionsAnswer {
  const listed = listSessions(view, queryOf(filter, now), { order, place, limit, unit: filter.unit });
  const page = listPage(listed.sessions, limit, (last) => last.place);
  return { ...page, data: page.data.map(({ row }) => row), coverage: listed.coverage };
}

/** @throws ServiceError NOT_FOUND */
function steps(view: ContentView, { session, below, limit }: Paged<StepsBody>, place: number | null): StepsAnswer {
  const story = sessionStory(view, { session, below, limit, place });
  const page = listPage(story.steps, limit, (last) => last.n);
  const data = page.data.map(({ step }) => step);
  return { session: story.session, below: [...story.below], ...page, data, coverage: story.coverage };
}

/** @throws ServiceError VALIDATION_ERROR */
function entities(
  view: ContentView,
  { kind, contains, limit, ...filter }: Paged<EntitiesBody>,
  place: EntityPlace | null,
  { now }: Asked,
): EntitiesAnswer {
  const listed = listEntities(view, queryOf(filter, now), { kind, contains, place, limit, unit: filter.unit });
  const page = listPage(listed.entities, limit, (last) => last.place);
  const { kinds, coverage } = listed;
  return { ...page, data: page.data.map(({ row }) => row), kinds: [...kinds], coverage };
}

/** @throws ServiceError NOT_FOUND */
function touches(view: ContentView, asked: Paged<TouchesBody>, place: number | null): TouchesAnswer {
  const listed = listTouches(view, { ...asked, place });
  const page = listPage(listed.touches, asked.limit, (last) => last.n);
  return { entity: listed.entity, ...page, data: page.data.map(({ row }) => row), coverage: listed.coverage };
}

/**
 * What is asked of the records of any ledger, by name: of the live one and of a case. Arguments and answers are copied between
 * threads.
 */
export const RECORD_QUERIES = {
  actions,
  actionContext: context,
  compareSessions: compared,
  groups: groupsOf,
  sumsOfRecords,
  histogram: histogramOf,
  facets: facetsOfFilter,
  names: namesOf,
  sessions,
  steps,
  entities,
  touches,
  namedPlaces,
  reading: readOperation,
  activity: activityOf,
  needsLook,
  whatLeft,
  itemsLookedAt,
} as const;

type RecordQueries = typeof RECORD_QUERIES;
export type RecordQuery = keyof RecordQueries;
export type RecordQueryArguments<N extends RecordQuery> = ArgumentsOf<RecordQueries[N]>;
export type RecordQueryAnswer<N extends RecordQuery> = AnswerOf<RecordQueries[N]>;
