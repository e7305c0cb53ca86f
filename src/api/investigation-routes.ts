import { ledgerCoherence } from './coherence.ts';
import { overCase, overLive } from './ledger-routes.ts';
import { rowsOf } from './route.ts';

/** Questions about what agents did: rows of the one table (routes.ts). */
const ASKED = [
  'actions',
  'actionContext',
  'compareSessions',
  'groups',
  'facets',
  'names',
  'sessions',
  'sessionSteps',
  'entities',
  'entityTouches',
  'redactionPlaces',
  'operationReading',
  'activity',
  'needsLook',
  'whatLeft',
  'markLooked',
  'investigationRules',
  'setInvestigationRules',
  'savedSearches',
  'saveSearch',
  'deleteSearch',
] as const;

export const INVESTIGATION_ROUTES = {
  ...overLive(...ASKED),
  /** A case has its report whole: its records never become more. */
  coherence: {
    ...rowsOf({ tag: 'Audit', access: 'compliance_auditor' }).get,
    path: '/v1/audit/coherence',
    answer: ledgerCoherence,
    summary: 'Whether the recorded actions of agents fit together',
  },
  ...overCase(...ASKED),
} as const;
