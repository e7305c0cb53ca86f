import { ledgerScreen } from '../../api/ledger/places.tsx';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';

const route = ledgerScreen('/sessions');

/** The sessions of agents: the list of them, or the story of one. */
export function SessionsScreen() {
  const { session } = route.useSearch();
  return session === undefined ? <SessionList /> : <SessionView key={session} session={session} />;
}
