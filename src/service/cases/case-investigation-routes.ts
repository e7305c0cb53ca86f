import type { Caller } from '../http/caller.ts';
import type { Handlers } from '../http/handler.ts';
import { readPair, readPlace } from '../investigation/places.ts';
import { eq } from '../store/drizzle.ts';
import type { Store } from '../store/open.ts';
import { users } from '../store/schema.ts';
import { askCase } from './case-ledger-routes.ts';
import type { Cases } from './cases.ts';

interface CaseInvestigationDeps {
  readonly cases: Cases;
  readonly store: Store;
  readonly now: () => number;
}

type CaseInvestigationHandlers = Pick<
  Handlers,
  | 'caseSessions'
  | 'caseSessionSteps'
  | 'caseEntities'
  | 'caseEntityTouches'
  | 'caseOperationReading'
  | 'caseActivity'
  | 'caseInvestigationRules'
  | 'caseSetInvestigationRules'
  | 'caseSavedSearches'
  | 'caseSaveSearch'
  | 'caseDeleteSearch'
>;

/** The address of who is signed in; null at a workstation without anybody. */
function nameOf({ db }: Store, caller: Caller | null): string | null {
  if (caller === null) return null;
  return db.select({ email: users.email }).from(users).where(eq(users.userId, caller.userId)).get()?.email ?? null;
}

/** What agents did, as the file of a case tells it. */
export function caseInvestigationRoutes({ cases, store, now }: CaseInvestigationDeps): CaseInvestigationHandlers {
  return {
    caseSessions: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'sessions', asked, readPair(cursor), { now: now(), inCase: true }) };
    },
    caseSessionSteps: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'steps', asked, readPlace(cursor)) };
    },
    caseEntities: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'entities', asked, readPair(cursor), { now: now(), inCase: true }) };
    },
    caseEntityTouches: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'touches', asked, readPlace(cursor)) };
    },
    caseOperationReading: async (call) => ({
      body: await askCase(cases, call, 'reading', call.param('operation_id')),
    }),
    caseActivity: async (call) => ({ body: await askCase(cases, call, 'activity') }),
    caseInvestigationRules: async (call) => ({ body: await askCase(cases, call, 'rules') }),
    caseSetInvestigationRules: async (call) => {
      cases.store.findToChange(call, call.param('case_id'));
      const by = nameOf(store, call.caller);
      return { body: await askCase(cases, call, 'setRules', call.body.rules, by, now()) };
    },
    caseSavedSearches: async (call) => ({ body: { searches: await askCase(cases, call, 'searches') } }),
    caseSaveSearch: async (call) => {
      cases.store.findToChange(call, call.param('case_id'));
      return { body: await askCase(cases, call, 'saveSearch', call.body, nameOf(store, call.caller), now()) };
    },
    caseDeleteSearch: async (call) => {
      cases.store.findToChange(call, call.param('case_id'));
      await askCase(cases, call, 'deleteSearch', call.param('search_id'));
      return { body: { success: true } };
    },
  };
}
