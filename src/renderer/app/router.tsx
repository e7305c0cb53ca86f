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
  adminEventsSearch,
  agentsSearch,
  auditSearch,
  chainSearch,
  connectSearch,
  dashboardSearch,
  epochSearch,
  exportsSearch,
  joinSearch,
  operationSearch,
  peopleSearch,
  settingsSearch,
  webhooksSearch,
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
const connect = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId/connect',
  validateSearch: connectSearch,
  component: lazyRouteComponent(() => import('../screens/agents/connect-screen.tsx'), 'ConnectScreen'),
});
// Not below /agents: an agent may be called anything.
const register = createRoute({
  getParentRoute: () => root,
  path: '/register-agent',
  component: lazyRouteComponent(() => import('../screens/agents/register-screen.tsx'), 'RegisterScreen'),
});
const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('../screens/people/people-screen.tsx'), 'PeopleScreen'),
});
const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$userId',
  component: lazyRouteComponent(() => import('../screens/people/person-screen.tsx'), 'PersonScreen'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  validateSearch: joinSearch,
  component: lazyRouteComponent(() => import('../screens/entry/join-screen.tsx'), 'JoinScreen'),
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
const exportsList = createRoute({
  getParentRoute: () => root,
  path: '/exports',
  validateSearch: exportsSearch,
  component: lazyRouteComponent(() => import('../screens/exports/exports-screen.tsx'), 'ExportsScreen'),
});
const exportJob = createRoute({
  getParentRoute: () => root,
  path: '/exports/$exportId',
  component: lazyRouteComponent(() => import('../screens/exports/export-screen.tsx'), 'ExportScreen'),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyRouteComponent(() => import('../screens/verify/verify-screen.tsx'), 'VerifyScreen'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});
const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../screens/tokens/tokens-screen.tsx'), 'TokensScreen'),
});
const adminEvents = createRoute({
  getParentRoute: () => root,
  path: '/admin-events',
  validateSearch: adminEventsSearch,
  component: lazyRouteComponent(() => import('../screens/admin-events/admin-events-screen.tsx'), 'AdminEventsScreen'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
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
    ...[home, dashboard, agents, agent, chain, search, operation, epochs, epoch, exportsList, exportJob, verify, setUp],
    ...[register, connect, people, person, join, webhooks, tokens, adminEvents, settings],
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
