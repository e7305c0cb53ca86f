import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { SCREENS } from '../../contract/index.ts';
import {
  agentsSearch,
  auditSearch,
  casesSearch,
  chainSearch,
  compareSearch,
  epochSearch,
  operationSearch,
} from '../lib/search-params.ts';
import { investigationRoutes } from './investigation-routes.ts';
import { LEDGER_SCREENS } from './ledger-screens.ts';

/** The addresses of the case room; below a case the same screens as over the live ledger. */
export function caseRoutes<R extends AnyRoute>(root: R) {
  const ofRoot = { getParentRoute: () => root };
  const cases = createRoute({
    ...ofRoot,
    path: SCREENS.cases.path,
    validateSearch: casesSearch,
    component: lazyRouteComponent(() => import('../screens/cases/cases-screen.tsx'), 'CasesScreen'),
  });
  const newCase = createRoute({
    ...ofRoot,
    path: SCREENS.importCase.path,
    component: lazyRouteComponent(() => import('../screens/cases/import-screen.tsx'), 'ImportScreen'),
  });
  const frame = createRoute({
    ...ofRoot,
    path: SCREENS.case.path,
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
    path: SCREENS.agents.path,
    validateSearch: agentsSearch,
    component: LEDGER_SCREENS.agents,
  });
  const agent = createRoute({ ...ofCase, path: SCREENS.agent.path, component: LEDGER_SCREENS.agent });
  const chain = createRoute({
    ...ofCase,
    path: SCREENS.chain.path,
    validateSearch: chainSearch,
    component: LEDGER_SCREENS.chain,
  });
  const search = createRoute({
    ...ofCase,
    path: SCREENS.search.path,
    validateSearch: auditSearch,
    component: LEDGER_SCREENS.search,
  });
  const operation = createRoute({
    ...ofCase,
    path: SCREENS.operation.path,
    validateSearch: operationSearch,
    component: LEDGER_SCREENS.operation,
  });
  const epochs = createRoute({ ...ofCase, path: SCREENS.epochs.path, component: LEDGER_SCREENS.epochs });
  const epoch = createRoute({
    ...ofCase,
    path: SCREENS.epoch.path,
    validateSearch: epochSearch,
    component: LEDGER_SCREENS.epoch,
  });
  const overCase = [
    verdict,
    compare,
    agents,
    agent,
    chain,
    search,
    operation,
    epochs,
    epoch,
    ...investigationRoutes(frame),
  ] as const;
  return [cases, newCase, frame.addChildren(overCase)] as const;
}
