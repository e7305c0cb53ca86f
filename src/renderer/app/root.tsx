import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Failure } from '../components/answer.tsx';
import { EntryScreen } from '../screens/entry/entry-screen.tsx';
import { OnboardingScreen } from '../screens/entry/onboarding-screen.tsx';
import type { Session } from '../service/answers.ts';
import { sessionQuery } from '../service/queries.ts';
import { Shell } from './shell.tsx';
import { Toasts } from './toasts.tsx';

/** Screens that need no account. */
const OPEN: readonly string[] = ['/verify', '/set-up', '/join'];

/** The page: the workspace for who is signed in, else the doors; what needs no account is there for everybody. */
export function Root() {
  const session = useQuery(sessionQuery);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      <Content session={session} isOpen={OPEN.includes(path)} />
      <Toasts />
    </>
  );
}

interface ContentProps {
  readonly session: UseQueryResult<Session | null>;
  /** Whether the screen is for everybody. */
  readonly isOpen: boolean;
}

function Content({ session, isOpen }: ContentProps) {
  if (session.data) {
    return (
      <Shell session={session.data}>{session.data.orgId === null && !isOpen ? <OnboardingScreen /> : <Outlet />}</Shell>
    );
  }
  if (isOpen) {
    return (
      <main className="main">
        <Outlet />
      </main>
    );
  }
  if (session.error !== null) return <Failure error={session.error} retry={() => void session.refetch()} />;
  return session.data === null ? <EntryScreen /> : null;
}
