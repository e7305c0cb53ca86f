import { type KeyboardEvent, useCallback } from 'react';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { aroundOfKey, type PlacedAction, searchAround } from '../../lib/around-action.ts';

const route = ledgerScreen('/search');

/** Takes the keys that lead from a row of the search, or from its details, to what came before and after it. */
export function useAround(): (event: KeyboardEvent, action: PlacedAction) => void {
  const navigate = route.useNavigate();
  return useCallback(
    (event, action) => {
      const around = aroundOfKey(event);
      if (around === null) return;
      event.preventDefault();
      if (around !== 'toldByThen') {
        void navigate({ search: ({ unit }) => ({ ...searchAround(around, action), unit }) });
        return;
      }
      // The list stays as it is. What was told is known of actions, not of single records.
      void navigate({
        search: (before) => ({ ...before, unit: undefined, selected: action.operation_id, part: 'told' }),
      });
    },
    [navigate],
  );
}
