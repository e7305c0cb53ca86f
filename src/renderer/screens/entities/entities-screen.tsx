import { ledgerScreen } from '../../api/ledger/places.tsx';
import { EntityList } from './entity-list.tsx';
import { EntityView } from './entity-view.tsx';

const route = ledgerScreen('/entities');

/** What agents touched: the list of it, or the page of one entity. */
export function EntitiesScreen() {
  const { kind, id } = route.useSearch();
  if (kind === undefined || id === undefined) return <EntityList />;
  return <EntityView key={`${kind} ${id}`} kind={kind} id={id} />;
}
