import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { SCREENS, type ScreenEntry } from '../../api/index.ts';
import type { Session } from '../api/answers.ts';
import { askToSignIn, onUnauthorized } from '../api/call.ts';
import { q, sessionQuery } from '../api/query.ts';
import { invalidate } from '../api/query-client.ts';
import { Failure } from '../components/answer.tsx';
import { AskedBefore } from '../components/confirm.tsx';
import { useConnection } from '../components/use-connection.ts';
import { fill } from '../lib/fill.ts';
import { type TimeZone, useTimeZone } from '../lib/time-zone.ts';
import { Icon } from '../ui/icons.tsx';
import { timeWords } from '../ui/time.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Shell } from './shell.tsx';
import { CONNECTION_BAR } from './texts.ts';

/** Whoever is signed in sees neither: they are no part of what every first screen loads. */
const EntryScreen = lazyRouteComponent(() => import('../screens/entry/entry-screen.tsx'), 'EntryScreen');
const OnboardingScreen = lazyRouteComponent(() => import('../screens/entry/onboarding-screen.tsx'), 'OnboardingScreen');

/** Screens that need no account. */
const OPEN: readonly string[] = Object.values<ScreenEntry>(SCREENS)
  .filter(({ access }) => access === 'everybody')
  .map(({ path }) => path);

/** Screens that a workstation session is enough for. */
const isOfCaseRoom = (path: string): boolean =>
  path === SCREENS.cases.path || path.startsWith(`${SCREENS.cases.path}/`);

/**
 * The page: the workspace for a signed-in person, the case room alone for a workstation session, else the doors; what needs
 * neither is there for everybody.
 */
export function Root() {
  const session = useQuery(sessionQuery);
  // A workstation session ends with the service: then the doors are what there is.
  useEffect(() => onUnauthorized(() => void invalidate('workstation')), []);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      <ConnectionBar />
      <Content session={session} isOpen={OPEN.includes(path)} isCaseRoom={isOfCaseRoom(path)} />
      <AskedBefore />
      <Toasts />
    </>
  );
}

interface ContentProps {
  readonly session: UseQueryResult<Session | null>;
  /** Whether the screen is for everybody. */
  readonly isOpen: boolean;
  readonly isCaseRoom: boolean;
}

function Content({ session, isOpen, isCaseRoom }: ContentProps) {
  const isStranger = session.data === null;
  const workstation = useQuery({ ...q('workstation'), enabled: isStranger });
  useEffect(() => {
    // While the service is asked whether this is a workstation session.
    if (isStranger) void EntryScreen.preload?.();
  }, [isStranger]);
  if (session.data) {
    return (
      <Shell session={session.data}>
        {session.data.orgId === null && !isOpen ? (
          <Suspense fallback={null}>
            <OnboardingScreen />
          </Suspense>
        ) : (
          <Outlet />
        )}
      </Shell>
    );
  }
  if (isOpen) {
    return (
      <main className="main scroll-column">
        <Outlet />
      </main>
    );
  }
  if (session.error !== null) return <Failure error={session.error} retry={() => void session.refetch()} />;
  if (session.data === undefined || workstation.isPending) return null;
  const isWorkstation = workstation.data?.active === true;
  if (!isWorkstation || !isCaseRoom) {
    return (
      <Suspense fallback={null}>
        <EntryScreen isWorkstation={isWorkstation} />
      </Suspense>
    );
  }
  return (
    <Shell session={null}>
      <Outlet />
    </Shell>
  );
}

/** The time of day of a moment of today, to the second. */
function clockText(time: number, zone: TimeZone): string {
  return timeWords(Math.floor(time / 1000) * 1000, zone)
    .slice('2026-01-31 '.length)
    .replace('.000', '');
}

/** Says over the whole page since when nothing on it is kept up to date; nothing while it is. */
function ConnectionBar() {
  const { lostSince, endedSince } = useConnection();
  const zone = useTimeZone();
  return (
    <div role="status" className="connection">
      {lostSince !== null ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            {fill(CONNECTION_BAR.retrying, {
              since: <strong>{CONNECTION_BAR.notConnectedSince(clockText(lostSince, zone))}</strong>,
            })}
          </span>
        </p>
      ) : endedSince !== null ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            {fill(CONNECTION_BAR.shownIsOld, {
              since: <strong>{CONNECTION_BAR.endedAt(clockText(endedSince, zone))}</strong>,
            })}
          </span>
          <button type="button" className="button-small" onClick={askToSignIn}>
            {CONNECTION_BAR.signIn}
          </button>
        </p>
      ) : (
        <StandbyBar />
      )}
    </div>
  );
}

/** Says on a standby of a shared log that it changes nothing, and who does. */
function StandbyBar() {
  const { data } = useQuery(q('health'));
  if (data?.node?.role !== 'standby') return null;
  const { active } = data.node;
  return (
    <p className="connection-bar">
      <Icon name="warning" />
      <span>{active === null ? CONNECTION_BAR.noneActive : CONNECTION_BAR.standby}</span>
      {active !== null && (
        <a className="button button-small" href={active}>
          {CONNECTION_BAR.openActive}
        </a>
      )}
    </p>
  );
}
