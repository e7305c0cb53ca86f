import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';
import { ScreenError } from './screen-error.tsx';
import {
  agentsSearch,
  auditSearch,
  chainSearch,
  connectSearch,
  dashboardSearch,
  epochSearch,
  joinSearch,
  peopleSearch,
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
  component: lazyRouteComponent(() => import('../screens/agents/agents-screen.tsx'), 'AgentsScreen'),
});
const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('../screens/agents/agent-screen.tsx'), 'AgentScreen'),
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
  component: lazyRouteComponent(() => import('../screens/chain/chain-screen.tsx'), 'ChainScreen'),
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
});
const operation = createRoute({
  getParentRoute: () => root,
  path: '/operations/$operationId',
  component: lazyRouteComponent(() => import('../screens/operation/operation-screen.tsx'), 'OperationScreen'),
});
const epochs = createRoute({
  getParentRoute: () => root,
  path: '/epochs',
  component: lazyRouteComponent(() => import('../screens/epochs/epochs-screen.tsx'), 'EpochsScreen'),
});
const epoch = createRoute({
  getParentRoute: () => root,
  path: '/epochs/$epochId',
  validateSearch: epochSearch,
  component: lazyRouteComponent(() => import('../screens/epochs/epoch-screen.tsx'), 'EpochScreen'),
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
    home,
    dashboard,
    agents,
    agent,
    chain,
    search,
    operation,
    epochs,
    epoch,
    verify,
    setUp,
    connect,
    register,
    people,
    person,
    join,
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
