import {
  type AnyRoute,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { SCREENS } from '../../api/index.ts';
import { sentenceOf } from '../api/call.ts';
import { Screen } from '../components/screen.tsx';
import {
  adminEventsSearch,
  casesSearch,
  compareSearch,
  connectSearch,
  dashboardSearch,
  enterSearch,
  exportsSearch,
  joinSearch,
  peopleSearch,
  recordSearch,
  refusedSearch,
  settingsSearch,
  setUpSearch,
  webhooksSearch,
} from '../lib/search-params.ts';
import { keepRange, keepZone, ofRange, takeZone, zoneSearch } from '../lib/workspace-range.ts';
import { Empty } from '../ui/panel.tsx';
import { ledgerRoutes } from './ledger-routes.ts';
import { Root } from './root.tsx';
import { NOT_FOUND, SCREEN_ERROR } from './texts.ts';

/** The addresses of the case room; below a case the same screens as over the live ledger. */
function caseRoutes<R extends AnyRoute>(root: R) {
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

/**
 * Not known to the router as one to be loaded ahead: everybody comes to the dashboard's address first, and whoever is not signed in yet
 * sees the ways in there, and needs none of it.
 */
const DashboardScreen = lazyRouteComponent(
  () => import('../screens/dashboard/dashboard-screen.tsx'),
  'DashboardScreen',
);
function Dashboard() {
  return (
    <Suspense fallback={null}>
      <DashboardScreen />
    </Suspense>
  );
}

// Before the router makes its first address, in which it would have the zone that was chosen here.
takeZone(Object.fromEntries(new URLSearchParams(window.location.hash.split('?')[1] ?? '')), true);

const root = createRootRoute({
  validateSearch: zoneSearch,
  search: { middlewares: [keepZone] },
  beforeLoad: ({ location }) => takeZone(location.search, false),
  component: Root,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: SCREENS.dashboard.path });
  },
});
const dashboard = createRoute({
  getParentRoute: () => root,
  ...ofRange,
  path: SCREENS.dashboard.path,
  validateSearch: dashboardSearch,
  search: { middlewares: [keepRange(false)] },
  component: Dashboard,
});
const connect = createRoute({
  getParentRoute: () => root,
  path: SCREENS.connect.path,
  validateSearch: connectSearch,
  component: lazyRouteComponent(() => import('../screens/agents/connect-screen.tsx'), 'ConnectScreen'),
});
const register = createRoute({
  getParentRoute: () => root,
  path: SCREENS.registerAgent.path,
  component: lazyRouteComponent(() => import('../screens/agents/register-screen.tsx'), 'RegisterScreen'),
});
const record = createRoute({
  getParentRoute: () => root,
  path: SCREENS.recordProgram.path,
  validateSearch: recordSearch,
  component: lazyRouteComponent(() => import('../screens/agents/record-screen.tsx'), 'RecordScreen'),
});
const people = createRoute({
  getParentRoute: () => root,
  path: SCREENS.people.path,
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('../screens/people/people-screen.tsx'), 'PeopleScreen'),
});
const person = createRoute({
  getParentRoute: () => root,
  path: SCREENS.person.path,
  component: lazyRouteComponent(() => import('../screens/people/person-screen.tsx'), 'PersonScreen'),
});
const account = createRoute({
  getParentRoute: () => root,
  path: SCREENS.account.path,
  component: lazyRouteComponent(() => import('../screens/account/account-screen.tsx'), 'AccountScreen'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: SCREENS.join.path,
  validateSearch: joinSearch,
  component: lazyRouteComponent(() => import('../screens/entry/join-screen.tsx'), 'JoinScreen'),
});
const exportsList = createRoute({
  getParentRoute: () => root,
  path: SCREENS.exports.path,
  validateSearch: exportsSearch,
  component: lazyRouteComponent(() => import('../screens/exports/exports-screen.tsx'), 'ExportsScreen'),
});
const exportJob = createRoute({
  getParentRoute: () => root,
  path: SCREENS.export.path,
  component: lazyRouteComponent(() => import('../screens/exports/export-screen.tsx'), 'ExportScreen'),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: SCREENS.verify.path,
  component: lazyRouteComponent(() => import('../screens/verify/verify-screen.tsx'), 'VerifyScreen'),
});
const forks = createRoute({
  getParentRoute: () => root,
  path: SCREENS.forks.path,
  component: lazyRouteComponent(() => import('../screens/forks/forks-screen.tsx'), 'ForksScreen'),
});
const retention = createRoute({
  getParentRoute: () => root,
  path: SCREENS.retention.path,
  component: lazyRouteComponent(() => import('../screens/retention/retention-screen.tsx'), 'RetentionScreen'),
});
const witnesses = createRoute({
  getParentRoute: () => root,
  path: SCREENS.witnesses.path,
  component: lazyRouteComponent(() => import('../screens/witnesses/witnesses-screen.tsx'), 'WitnessesScreen'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: SCREENS.webhooks.path,
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});
const tokens = createRoute({
  getParentRoute: () => root,
  path: SCREENS.tokens.path,
  component: lazyRouteComponent(() => import('../screens/tokens/tokens-screen.tsx'), 'TokensScreen'),
});
const adminEvents = createRoute({
  getParentRoute: () => root,
  path: SCREENS.adminEvents.path,
  validateSearch: adminEventsSearch,
  component: lazyRouteComponent(() => import('../screens/admin-events/admin-events-screen.tsx'), 'AdminEventsScreen'),
});
const refused = createRoute({
  getParentRoute: () => root,
  path: SCREENS.refused.path,
  validateSearch: refusedSearch,
  component: lazyRouteComponent(() => import('../screens/refused/refused-screen.tsx'), 'RefusedScreen'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: SCREENS.settings.path,
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
});
const sample = createRoute({
  getParentRoute: () => root,
  path: SCREENS.sample.path,
  component: lazyRouteComponent(() => import('../screens/sample/sample-screen.tsx'), 'SampleScreen'),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: SCREENS.setUp.path,
  validateSearch: setUpSearch,
  component: lazyRouteComponent(() => import('../screens/entry/set-up-screen.tsx'), 'SetUpScreen'),
});
const enter = createRoute({
  getParentRoute: () => root,
  path: SCREENS.enter.path,
  validateSearch: enterSearch,
  component: lazyRouteComponent(() => import('../screens/entry/enter-screen.tsx'), 'EnterScreen'),
});

/**
 * Every screen has an address, after the `#`: it can be bookmarked and sent on, and the service has one page to serve.
 */
export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, dashboard, exportsList, exportJob, verify, forks, sample, setUp, enter],
    ...[
      register,
      record,
      connect,
      people,
      person,
      account,
      join,
      retention,
      witnesses,
      webhooks,
      tokens,
      adminEvents,
      refused,
      settings,
    ],
    ...ledgerRoutes(root, false),
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

function NotFound() {
  return (
    <Screen title={NOT_FOUND.title} name={NOT_FOUND.title}>
      <Empty title={NOT_FOUND.nothingHere}>
        <p>{NOT_FOUND.explained}</p>
        <Link to="/dashboard">{NOT_FOUND.goDashboard}</Link>
      </Empty>
    </Screen>
  );
}

/** A screen that broke: the others go on. */
function ScreenError({ error, reset }: ErrorComponentProps) {
  return (
    <Screen title={SCREEN_ERROR.title} name={SCREEN_ERROR.noMessage}>
      <div className="failure" role="alert">
        <p>{sentenceOf(error)}</p>
        <p className="muted">{SCREEN_ERROR.explained}</p>
        <button type="button" onClick={reset}>
          {SCREEN_ERROR.tryAgain}
        </button>
      </div>
    </Screen>
  );
}
