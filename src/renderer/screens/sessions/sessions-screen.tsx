import { ledgerScreen } from '../../api/ledger/places.tsx';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';
import { SideBySide } from './side-by-side.tsx';

const route = ledgerScreen('/sessions');

/** The sessions of agents: the list of them, the story of one, or two side by side. */
export function SessionsScreen() {
  const { session, with: other } = route.useSearch();
  if (session === undefined) return <SessionList />;
  if (other !== undefined) return <SideBySide key={`${session} ${other}`} left={session} right={other} />;
  return <SessionView key={session} session={session} />;
}
