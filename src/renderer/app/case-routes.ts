import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LEDGER_SCREENS } from './ledger-screens.ts';
import {
  agentsSearch,
  auditSearch,
  casesSearch,
  chainSearch,
  compareSearch,
  epochSearch,
  operationSearch,
} from './search-params.ts';

/** The addresses of the case room; below a case the same screens as over the live ledger. */
export function caseRoutes<R extends AnyRoute>(root: R) {
  const ofRoot = { getParentRoute: () => root };
  const cases = createRoute({
    ...ofRoot,
    path: '/cases',
    validateSearch: casesSearch,
    component: lazyRouteComponent(() => import('../screens/cases/cases-screen.tsx'), 'CasesScreen'),
  });
  const newCase = createRoute({
    ...ofRoot,
    path: '/cases/new',
    component: lazyRouteComponent(() => import('../screens/cases/import-screen.tsx'), 'ImportScreen'),
  });
  const frame = createRoute({
    ...ofRoot,
    path: '/cases/$caseId',
    component: lazyRouteComponent(() => import('../screens/cases/case-frame.tsx'), 'CaseFrame'),
  });
  const ofCase = { getParentRoute: () => frame };
  const verdict = createRoute({
    ...ofCase,
    path: '/',
    component: lazyRouteComponent(() => import('../screens/cases/case-screen.tsx'), 'CaseScreen'),
  });
  const compare = createRoute({
    ...ofCase,
    path: '/compare',
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => import('../screens/cases/compare-screen.tsx'), 'CompareScreen'),
  });
  const agents = createRoute({
    ...ofCase,
    path: '/agents',
    validateSearch: agentsSearch,
    component: LEDGER_SCREENS.agents,
  });
  const agent = createRoute({ ...ofCase, path: '/agents/$agentId', component: LEDGER_SCREENS.agent });
  const chain = createRoute({
    ...ofCase,
    path: '/agents/$agentId/chain',
    validateSearch: chainSearch,
    component: LEDGER_SCREENS.chain,
  });
  const search = createRoute({
    ...ofCase,
    path: '/search',
    validateSearch: auditSearch,
    component: LEDGER_SCREENS.search,
  });
  const operation = createRoute({
    ...ofCase,
    path: '/operations/$operationId',
    validateSearch: operationSearch,
    component: LEDGER_SCREENS.operation,
  });
  const epochs = createRoute({ ...ofCase, path: '/epochs', component: LEDGER_SCREENS.epochs });
  const epoch = createRoute({
    ...ofCase,
    path: '/epochs/$epochId',
    validateSearch: epochSearch,
    component: LEDGER_SCREENS.epoch,
  });
  const overCase = [verdict, compare, agents, agent, chain, search, operation, epochs, epoch] as const;
  return [cases, newCase, frame.addChildren(overCase)] as const;
}
