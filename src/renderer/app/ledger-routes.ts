import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { SCREENS } from '../../api/index.ts';
import {
  differenceSearch,
  entitiesSearch,
  needsLookSearch,
  sessionsSearch,
  whatLeftSearch,
} from '../lib/investigation-params.ts';
import { agentsSearch, auditSearch, chainSearch, epochSearch, operationSearch } from '../lib/search-params.ts';
import { keepRange, ofRange } from '../lib/workspace-range.ts';

/** The screens that there are of every ledger: the live one, and that of a case. */
const LEDGER_SCREENS = {
  agents: lazyRouteComponent(() => import('../screens/agents/agents-screen.tsx'), 'AgentsScreen'),
  agent: lazyRouteComponent(() => import('../screens/agents/agent-screen.tsx'), 'AgentScreen'),
  chain: lazyRouteComponent(() => import('../screens/chain/chain-screen.tsx'), 'ChainScreen'),
  search: lazyRouteComponent(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  operation: lazyRouteComponent(() => import('../screens/operation/operation-screen.tsx'), 'OperationScreen'),
  sessions: lazyRouteComponent(() => import('../screens/sessions/sessions-screen.tsx'), 'SessionsScreen'),
  entities: lazyRouteComponent(() => import('../screens/entities/entities-screen.tsx'), 'EntitiesScreen'),
  whatLeft: lazyRouteComponent(() => import('../screens/what-left/what-left-screen.tsx'), 'WhatLeftScreen'),
  needsLook: lazyRouteComponent(() => import('../screens/needs-look/needs-look-screen.tsx'), 'NeedsLookScreen'),
  difference: lazyRouteComponent(() => import('../screens/difference/difference-screen.tsx'), 'DifferenceScreen'),
  readingRules: lazyRouteComponent(() => import('../screens/reading-rules/rules-screen.tsx'), 'RulesScreen'),
  epochs: lazyRouteComponent(() => import('../screens/epochs/epochs-screen.tsx'), 'EpochsScreen'),
  epoch: lazyRouteComponent(() => import('../screens/epochs/epoch-screen.tsx'), 'EpochScreen'),
} as const;

/**
 * The addresses of the screens over a ledger: the live one, or below a case that of its file.
 * @param isOfCase whether they are those of a case
 */
export function ledgerRoutes<R extends AnyRoute>(parent: R, isOfCase: boolean) {
  const ofParent = { getParentRoute: () => parent };
  const ranged = { ...ofParent, ...ofRange, search: { middlewares: [keepRange(isOfCase)] } };
  const agents = createRoute({
    ...ofParent,
    path: SCREENS.agents.path,
    validateSearch: agentsSearch,
    component: LEDGER_SCREENS.agents,
  });
  const agent = createRoute({ ...ofParent, path: SCREENS.agent.path, component: LEDGER_SCREENS.agent });
  const chain = createRoute({
    ...ofParent,
    path: SCREENS.chain.path,
    validateSearch: chainSearch,
    component: LEDGER_SCREENS.chain,
  });
  const search = createRoute({
    ...ranged,
    path: SCREENS.search.path,
    validateSearch: auditSearch,
    component: LEDGER_SCREENS.search,
  });
  const operation = createRoute({
    ...ofParent,
    path: SCREENS.operation.path,
    validateSearch: operationSearch,
    component: LEDGER_SCREENS.operation,
  });
  const epochs = createRoute({ ...ofParent, path: SCREENS.epochs.path, component: LEDGER_SCREENS.epochs });
  const epoch = createRoute({
    ...ofParent,
    path: SCREENS.epoch.path,
    validateSearch: epochSearch,
    component: LEDGER_SCREENS.epoch,
  });
  const sessions = createRoute({
    ...ranged,
    path: SCREENS.sessions.path,
    validateSearch: sessionsSearch,
    component: LEDGER_SCREENS.sessions,
  });
  const entities = createRoute({
    ...ranged,
    path: SCREENS.entities.path,
    validateSearch: entitiesSearch,
    component: LEDGER_SCREENS.entities,
  });
  const whatLeft = createRoute({
    ...ranged,
    path: SCREENS.whatLeft.path,
    validateSearch: whatLeftSearch,
    component: LEDGER_SCREENS.whatLeft,
  });
  const needsLook = createRoute({
    ...ranged,
    path: SCREENS.needsLook.path,
    validateSearch: needsLookSearch,
    component: LEDGER_SCREENS.needsLook,
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
    component: LEDGER_SCREENS.readingRules,
  });
  return [
    agents,
    agent,
    chain,
    search,
    operation,
    epochs,
    epoch,
    sessions,
    entities,
    whatLeft,
    needsLook,
    difference,
    rules,
  ] as const;
}
