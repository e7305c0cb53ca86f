import { z } from 'zod';
import { textsIn } from '../../actions/index.ts';
import { type DraftReportBody, type LedgerQuestion, LIMITS, nameInCase, type PlacesAnswer } from '../../api/index.ts';
import type { Json, ReportSums } from '../../protocol/index.ts';
import { readCursor } from '../http/cursor.ts';
import type { AnswerTo, Call, Handlers } from '../http/handler.ts';
import type { LedgerView, QuestionCall, RouteIn, Scope } from './ledger-view.ts';
import { readMovingPlace, readPlace } from './queries/places.ts';

type Beside = Pick<PlacesAnswer, 'besides' | 'besides_not_examined'>;
type Place = Beside['besides'][number]['place'];

/** Pages of events and of notes that are looked at, the newest events first. */
const MOST_PAGES = 20;

const textsOf = (value: Json): string[] => Array.from(textsIn(value), ([text]) => text);

/** What may name people besides a record: where it is, what people find it by, and its texts. */
type Placed = readonly [place: Place, what: string, ...texts: string[]];

/** Where a ledger names some people besides its records: agents, organization, administrative log, tags, notes, saved searches. */
async function placesBesides(ledger: LedgerView, names: readonly string[]): Promise<Beside> {
  const [{ org }, agents, searches] = await Promise.all([ledger.summary(), ledger.agents(), ledger.searches()]);
  const found = new Map<Place, Set<string>>();
  let isWhole = true;
  // On the thread that reads records, a page at a time: notes are long, and each has to be read in all its readings.
  const look = async (placed: readonly Placed[]): Promise<void> => {
    const groups = placed.map(([, , ...texts]) => texts);
    const { named, examined } = await ledger.ask('namedTexts', names, groups);
    isWhole &&= examined === groups.length;
    for (const at of named) {
      const [place, what] = placed[at] ?? [];
      if (place !== undefined && what !== undefined) found.set(place, (found.get(place) ?? new Set()).add(what));
    }
  };
  const lookAtPages = async (
    page: (cursor: string) => Promise<{ readonly placed: readonly Placed[]; readonly next: string | null }>,
  ): Promise<void> => {
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < MOST_PAGES; pages++) {
      const { placed, next }: Awaited<ReturnType<typeof page>> = await page(cursor);
      await look(placed);
      cursor = next;
    }
    isWhole &&= cursor === null;
  };
  await look([
    ['organization', org.name, org.name],
    ...agents.flatMap(({ agent_id: id, display_name: name }): Placed[] => [
      ['agent_id', id, id],
      ['agent_name', name, name],
    ]),
    ...searches.map(({ name, search }): Placed => ['saved_search', name, name, ...textsOf(search)]),
  ]);
  await lookAtPages(async (cursor) => {
    const page = await ledger.adminEvents({ limit: LIMITS.adminEvents.max, cursor });
    const placed = page.events.map((event): Placed => {
      const texts = textsOf(event as unknown as Json);
      return ['admin_event', `${event.action} ${event.created_at}`, ...texts];
    });
    return { placed, next: 'nextCursor' in page ? (page.nextCursor ?? null) : null };
  });
  await lookAtPages(async (after) => {
    const { data, hasMore } = await ledger.annotations({ after, limit: LIMITS.page.max, bookmarked: false }, undefined);
    const placed = data.flatMap(({ operation_id: id, tags, note }): Placed[] => [
      ['note', id, note],
      ...tags.map((tag): Placed => ['tag', tag, tag]),
    ]);
    return { placed, next: hasMore ? (data.at(-1)?.operation_id ?? null) : null };
  });
  const besides = [...found].map(([place, texts]) => ({
    place,
    count: texts.size,
    examples: [...texts].slice(0, LIMITS.recordsOfPlace),
  }));
  return { besides, besides_not_examined: !isWhole };
}

/** All but the keys of the service: the live ones everybody may see, of whatever organization. */
type Question = Exclude<LedgerQuestion, 'jwks'>;

/** How each question is put to a ledger, whichever it is. @param now in milliseconds since 1970 */
type Answers = {
  readonly [N in Question]: (
    ledger: LedgerView,
    call: QuestionCall<N>,
    now: number,
  ) => Promise<AnswerTo<N> | AnswerTo<RouteIn<'case', N>>>;
};

const leftPlace = z.tuple([z.number(), z.number(), z.string(), z.int().min(0)]);
const lookPlace = z.tuple([z.number(), z.number(), z.number(), z.string()]);

/** What the records of a report come to, where that is asked. @throws ServiceError VALIDATION_ERROR, CONFLICT */
async function sumsFor(
  ledger: LedgerView,
  { entries, sums }: Pick<DraftReportBody, 'entries' | 'sums'>,
): Promise<ReportSums | undefined> {
  if (sums === undefined) return undefined;
  const numbers = entries.map(({ seq_no }) => seq_no);
  return ledger.ask('sumsOfRecords', numbers, sums);
}

const DONE = { body: { success: true } } as const;

const ANSWERS: Answers = {
  ledgerSummary: async (ledger) => ({ body: await ledger.summary() }),
  listAgents: async (ledger) => ({ body: { agents: await ledger.agents() } }),
  getAgent: async (ledger, { param, query }) => ({ body: await ledger.agent(param('agent_id'), query.operation_id) }),
  agentHead: async (ledger, { param }) => ({ body: await ledger.agentHead(param('agent_id')) }),
  agentChain: async (ledger, { param, query }) => ({ body: await ledger.chain(param('agent_id'), query) }),
  getOperation: async (ledger, { param, query }) => ({
    body: await ledger.operation(param('operation_id'), query.seq_no),
  }),
  operationProof: async (ledger, { param, query }) => ledger.proof(param('operation_id'), query.seq_no),
  auditQuery: async (ledger, { body }) => ({ body: await ledger.search(body) }),
  auditHistogram: async (ledger, { query }) => ({ body: await ledger.histogram(query) }),
  actions: async (ledger, { body: { cursor, ...asked } }, now) => ({
    body: await ledger.ask('actions', asked, readPlace(cursor), { now }),
  }),
  actionContext: async (ledger, { body: { cursor, ...asked } }) => ({
    body: await ledger.ask('actionContext', asked, readPlace(cursor)),
  }),
  compareSessions: async (ledger, { body: { cursor, ...asked } }) => ({
    body: await ledger.ask('compareSessions', asked, readPlace(cursor)),
  }),
  groups: async (ledger, { body }, now) => ({ body: await ledger.ask('groups', body, { now }) }),
  facets: async (ledger, { body: { fields, values, ...filter } }, now) => ({
    body: await ledger.ask('facets', filter, fields, values, now),
  }),
  names: async (ledger, { body }) => ({ body: await ledger.ask('names', body) }),
  sessions: async (ledger, { body: { cursor, ...asked } }, now) => ({
    body: await ledger.ask('sessions', asked, readMovingPlace(cursor), { now }),
  }),
  sessionSteps: async (ledger, { body: { cursor, ...asked } }) => ({
    body: await ledger.ask('steps', asked, readPlace(cursor)),
  }),
  entities: async (ledger, { body: { cursor, ...asked } }, now) => ({
    body: await ledger.ask('entities', asked, readMovingPlace(cursor), { now }),
  }),
  entityTouches: async (ledger, { body: { cursor, ...asked } }) => ({
    body: await ledger.ask('touches', asked, readPlace(cursor)),
  }),
  redactionPlaces: async (ledger, { body: { names, after } }) => {
    const inRecords = await ledger.ask('namedPlaces', names, after);
    const besides = after === 0 ? await placesBesides(ledger, names) : { besides: [], besides_not_examined: false };
    return { body: { ...inRecords, ...besides } };
  },
  operationReading: async (ledger, { param }) => ({ body: await ledger.ask('reading', param('operation_id')) }),
  activity: async (ledger, { query }) => ({ body: await ledger.ask('activity', query) }),
  whatLeft: async (ledger, { body: { cursor, ...asked } }) => ({
    body: await ledger.ask('whatLeft', asked, readCursor(cursor, leftPlace)),
  }),
  needsLook: async (ledger, { body: { cursor, ...asked } }, now) => ({
    body: await ledger.ask('needsLook', asked, readCursor(cursor, lookPlace), { now }),
  }),
  markLooked: async (ledger, { body }, now) => {
    const items = await ledger.ask('itemsLookedAt', body.item_ids, { now });
    return { body: await ledger.markLooked(items, body.seen) };
  },
  investigationRules: async (ledger) => ({ body: await ledger.rules() }),
  setInvestigationRules: async (ledger, { body }) => ({ body: await ledger.setRules(body.rules) }),
  savedSearches: async (ledger) => ({ body: { searches: await ledger.searches() } }),
  saveSearch: async (ledger, { body }) => ({ body: await ledger.saveSearch(body) }),
  deleteSearch: async (ledger, { param }) => {
    await ledger.deleteSearch(param('search_id'));
    return DONE;
  },
  liveAnnotations: async (ledger, { query }) => {
    const { cursor, limit = LIMITS.page.default, operation_id: operationId, bookmarked } = query;
    const asked = { after: readCursor(cursor, z.string()) ?? '', limit, bookmarked: bookmarked === 'true' };
    return { body: await ledger.annotations(asked, operationId) };
  },
  liveAnnotation: async (ledger, { param }) => ({ body: await ledger.annotation(param('operation_id')) }),
  annotateLive: async (ledger, { param, body }) => ({ body: await ledger.annotate(param('operation_id'), body) }),
  annotateManyLive: async (ledger, { body }) => ({ body: await ledger.annotateMany(body) }),
  removeLiveAnnotation: async (ledger, { param }) => {
    await ledger.removeAnnotation(param('operation_id'));
    return DONE;
  },
  draftReport: async (ledger, { body }) =>
    ledger.report({ ...body, format: 'json', sums: await sumsFor(ledger, body) }),
  reportOfRecords: async (ledger, { body }) => ledger.report({ ...body, sums: await sumsFor(ledger, body) }),
  recordFile: async (ledger, { body }) => ledger.recordFile(body),
  listEpochs: async (ledger, { query }) => ({ body: await ledger.epochs(query) }),
  getEpoch: async (ledger, { param }) => ({ body: await ledger.epoch(param('epoch_id')) }),
  listAdminEvents: async (ledger, { query }) => ({ body: await ledger.adminEvents(query) }),
};

/**
 * The handlers of all questions over one kind of ledger.
 * @param ledgerOf the ledger that a request is about
 */
export function questionHandlers<S extends Scope>(
  scope: S,
  ledgerOf: (call: Call<RouteIn<S, Question>>) => LedgerView<S>,
  now: () => number,
): Pick<Handlers, RouteIn<S, Question>> {
  // The table of routes types both ends; between them a call is only data.
  const handlers = (Object.entries(ANSWERS) as [Question, Answers['activity']][]).map(([name, answer]) => [
    scope === 'case' ? nameInCase(name) : name,
    (call: Call<RouteIn<S, Question>>) => answer(ledgerOf(call) as LedgerView, call as QuestionCall<'activity'>, now()),
  ]);
  return Object.fromEntries(handlers) as Pick<Handlers, RouteIn<S, Question>>;
}
