import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { SCREENS } from '../../contract/index.ts';
import { differenceSearch, entitiesSearch, rulesSearch, sessionsSearch } from '../lib/investigation-params.ts';
import { LEDGER_SCREENS } from './ledger-screens.ts';

/** The addresses of what is read out of payloads, of the live ledger or below a case. */
export function investigationRoutes<R extends AnyRoute>(parent: R) {
  const ofParent = { getParentRoute: () => parent };
  const sessions = createRoute({
    ...ofParent,
    path: SCREENS.sessions.path,
    validateSearch: sessionsSearch,
    component: LEDGER_SCREENS.sessions,
  });
  const entities = createRoute({
    ...ofParent,
    path: SCREENS.entities.path,
    validateSearch: entitiesSearch,
    component: LEDGER_SCREENS.entities,
  });
  const difference = createRoute({
    ...ofParent,
    path: SCREENS.difference.path,
    validateSearch: differenceSearch,
    component: LEDGER_SCREENS.difference,
  });
  const rules = createRoute({
    ...ofParent,
    path: SCREENS.readingRules.path,
    validateSearch: rulesSearch,
    component: LEDGER_SCREENS.readingRules,
  });
  return [sessions, entities, difference, rules] as const;
}
