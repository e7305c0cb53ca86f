import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { SCREENS } from '../../api/index.ts';
import { casesSearch, compareSearch } from '../lib/search-params.ts';
import { ledgerRoutes } from './ledger-routes.ts';

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
  const overCase = [verdict, compare, ...ledgerRoutes(frame, true)] as const;
  return [cases, newCase, frame.addChildren(overCase)] as const;
}
