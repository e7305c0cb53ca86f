import { type Handlers, readerOf } from '../http/handler.ts';
import type { Store } from '../store/open.ts';
import type { Writer } from '../store/writer.ts';
import type { LedgerReads } from './queries/ledger-reads.ts';
import { readPair, readPlace } from './queries/places.ts';
import { changeRules, rulesOf } from './reading/stored-rules.ts';
import { deleteSearch, listSearches, saveSearch } from './search/saved-searches.ts';

interface InvestigationDeps {
  readonly content: LedgerReads;
  /** Told that the records of an organization are to be read by other rules. */
  readonly contentIndex: { committed(orgIds: readonly string[]): void };
  readonly store: Store;
  readonly writer: Writer;
  readonly now: () => number;
}

type InvestigationHandlers = Pick<
  Handlers,
  | 'sessions'
  | 'sessionSteps'
  | 'entities'
  | 'entityTouches'
  | 'operationReading'
  | 'activity'
  | 'investigationRules'
  | 'setInvestigationRules'
  | 'savedSearches'
  | 'saveSearch'
  | 'deleteSearch'
>;

/** What agents did: sessions, what they touched, how payloads are read, and searches that were saved. */
export function investigationRoutes(deps: InvestigationDeps): InvestigationHandlers {
  const { content, contentIndex, store, now } = deps;
  return {
    sessions: async ({ body: { cursor, ...asked }, ...call }) => ({
      body: await content.ask(readerOf(call), 'sessions', asked, readPair(cursor), { now: now() }),
    }),
    sessionSteps: async ({ body: { cursor, ...asked }, ...call }) => ({
      body: await content.ask(readerOf(call), 'steps', asked, readPlace(cursor)),
    }),
    entities: async ({ body: { cursor, ...asked }, ...call }) => ({
      body: await content.ask(readerOf(call), 'entities', asked, readPair(cursor), { now: now() }),
    }),
    entityTouches: async ({ body: { cursor, ...asked }, ...call }) => ({
      body: await content.ask(readerOf(call), 'touches', asked, readPlace(cursor)),
    }),
    operationReading: async ({ param, ...call }) => ({
      body: await content.ask(readerOf(call), 'reading', param('operation_id')),
    }),
    activity: async (call) => ({ body: await content.ask(readerOf(call), 'activity') }),
    investigationRules: ({ caller }) => ({ body: rulesOf(store, caller.orgId) }),
    setInvestigationRules: async ({ body, caller }) => {
      const changed = await changeRules(deps, caller.orgId, caller.userId, body.rules);
      contentIndex.committed([caller.orgId]);
      return { body: changed };
    },
    savedSearches: ({ caller }) => ({ body: { searches: listSearches(store, caller.orgId) } }),
    saveSearch: async ({ body, caller }) => ({ body: await saveSearch(deps, caller.orgId, caller.userId, body) }),
    deleteSearch: async ({ param, caller }) => {
      await deleteSearch(deps, caller.orgId, caller.userId, param('search_id'));
      return { body: { success: true } };
    },
  };
}
