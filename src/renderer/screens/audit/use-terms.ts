import { useCallback, useMemo } from 'react';
import type { Query } from '../../../actions/index.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { useTimeZone } from '../../lib/time-zone.ts';
import { toast } from '../../ui/toasts.tsx';
import { type QueryContext, standingOf, termsOf, toggledTerm, type Want } from './terms.ts';
import { USE_TERMS } from './texts.ts';

const route = ledgerScreen('/search');

/** What times and fields in a query of this screen mean. */
export function useQueryContext(): QueryContext {
  const zone = useTimeZone();
  return useMemo(() => ({ zone }), [zone]);
}

/** Adds terms to the query in the address, or takes them out again. */
export function useTerms() {
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const context = useQueryContext();
  const terms = useMemo(() => termsOf(query, context), [query, context]);
  const toggle = useCallback(
    (term: Query, want: Want): void => {
      const changed = toggledTerm(query, term, want, context);
      if (changed === null) toast(USE_TERMS.unreadable, 'failed');
      else void navigate({ search: (before) => ({ ...before, query: changed === '' ? undefined : changed }) });
    },
    [query, context, navigate],
  );
  return { toggle, standing: (term: Query) => standingOf(terms, term) };
}
