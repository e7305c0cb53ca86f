import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { caseRoutes } from './case-routes.ts';
import { LEDGER_SCREENS } from './ledger-screens.ts';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';
import { ScreenError } from './screen-error.tsx';
import {
  agentsSearch,
  auditSearch,
  chainSearch,
  dashboardSearch,
  epochSearch,
  operationSearch,
} from './search-params.ts';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard' });
  },
});
const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  validateSearch: dashboardSearch,
  component: lazyRouteComponent(() => import('../screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
});
const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: agentsSearch,
  component: LEDGER_SCREENS.agents,
});
const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  component: LEDGER_SCREENS.agent,
});
const chain = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId/chain',
  validateSearch: chainSearch,
  component: LEDGER_SCREENS.chain,
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: auditSearch,
  component: LEDGER_SCREENS.search,
});
const operation = createRoute({
  getParentRoute: () => root,
  path: '/operations/$operationId',
  validateSearch: operationSearch,
  component: LEDGER_SCREENS.operation,
});
const epochs = createRoute({
  getParentRoute: () => root,
  path: '/epochs',
  component: LEDGER_SCREENS.epochs,
});
const epoch = createRoute({
  getParentRoute: () => root,
  path: '/epochs/$epochId',
  validateSearch: epochSearch,
  component: LEDGER_SCREENS.epoch,
});
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyRouteComponent(() => import('../screens/verify/verify-screen.tsx'), 'VerifyScreen'),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(() => import('../screens/entry/set-up-screen.tsx'), 'SetUpScreen'),
});

/**
 * Every screen has an address, after the `#`: it can be bookmarked and sent on, and the service has one page to serve.
 */
export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, dashboard, agents, agent, chain, search, operation, epochs, epoch, verify, setUp],
    ...caseRoutes(root),
  ]),
  history: createHashHistory(),
  defaultErrorComponent: ScreenError,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
