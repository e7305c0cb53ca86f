import type { Handlers } from '../http/handler.ts';
import { readPair, readPlace } from '../search/queries/places.ts';
import { askCase } from './case-ledger-routes.ts';
import type { Cases } from './cases.ts';
import type { Examiners } from './custody/examiner.ts';

interface CaseInvestigationDeps {
  readonly cases: Cases;
  readonly examinerOf: Examiners;
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

/** What agents did, as the file of a case tells it. */
export function caseInvestigationRoutes({ cases, examinerOf, now }: CaseInvestigationDeps): CaseInvestigationHandlers {
  return {
    caseSessions: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'sessions', asked, readPair(cursor), { now: now() }) };
    },
    caseSessionSteps: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'steps', asked, readPlace(cursor)) };
    },
    caseEntities: async (call) => {
      const { cursor, ...asked } = call.body;
      return { body: await askCase(cases, call, 'entities', asked, readPair(cursor), { now: now() }) };
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
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      return { body: await askCase(cases, call, 'setRules', call.body.rules, examiner) };
    },
    caseSavedSearches: async (call) => ({ body: { searches: await askCase(cases, call, 'searches') } }),
    caseSaveSearch: async (call) => {
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      return { body: await askCase(cases, call, 'saveSearch', call.body, examiner) };
    },
    caseDeleteSearch: async (call) => {
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      await askCase(cases, call, 'deleteSearch', call.param('search_id'), examiner);
      return { body: { success: true } };
    },
  };
}
