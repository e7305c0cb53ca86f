import { overCase, overLive } from './ledger-routes.ts';

/** Questions about what agents did: rows of the one table (routes.ts). */
const ASKED = [
  'facets',
  'names',
  'sessions',
  'sessionSteps',
  'entities',
  'entityTouches',
  'operationReading',
  'activity',
  'investigationRules',
  'setInvestigationRules',
  'savedSearches',
  'saveSearch',
  'deleteSearch',
] as const;

export const INVESTIGATION_ROUTES = { ...overLive(...ASKED), ...overCase(...ASKED) } as const;
