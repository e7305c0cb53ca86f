import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { hasFilters, withoutFilters } from '../search-filter.ts';
import { BuildSearch } from './build-search.tsx';
import { FilterChips } from './filter-chips.tsx';
import { QueryBox } from './query-box.tsx';
import { QueryHelp } from './query-help.tsx';
import { SEARCH_BAR } from './texts.ts';
import { TimeMenu } from './time-menu.tsx';

const route = ledgerScreen('/search');

interface SearchBarProps {
  readonly search: AuditSearch;
  /** Told whether the query cannot be read: what is shown is of the one before. */
  readonly onUnreadable: (isUnreadable: boolean) => void;
}

/** What is searched for: the query, and below it the filters of the address, times and order. */
export function SearchBar({ search, onUnreadable }: SearchBarProps) {
  const navigate = route.useNavigate();
  const { invalidate } = useLedger();
  const apply = (query: string): void => {
    // The same query again means what is there by now.
    void invalidate('auditQuery', 'auditHistogram', 'facets');
    void navigate({ search: (before) => ({ ...before, query: query === '' ? undefined : query }) });
  };
  return (
    <search className="search-bar">
      <div className="search-line">
        <QueryBox query={search.query ?? ''} apply={apply} onUnreadable={onUnreadable} />
        <QueryHelp />
        <BuildSearch query={search.query ?? ''} apply={apply} />
      </div>
      <div className="search-line search-filters">
        <TimeMenu search={search} />
        <OrderSwitch search={search} />
        <FilterChips search={search} />
        {hasFilters(search) && (
          <button
            type="button"
            className="button-plain button-small"
            onClick={() => {
              onUnreadable(false);
              void navigate({ search: withoutFilters });
            }}
          >
            {SEARCH_BAR.clearAll}
          </button>
        )}
      </div>
    </search>
  );
}

function OrderSwitch({ search: { order } }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const isOldest = order === 'oldest';
  return (
    <button
      type="button"
      className="bar-button"
      title={isOldest ? SEARCH_BAR.showNewestFirst : SEARCH_BAR.showOldestFirst}
      onClick={() =>
        void navigate({ search: (before) => ({ ...before, order: isOldest ? undefined : 'oldest' }), replace: true })
      }
    >
      {isOldest ? SEARCH_BAR.oldestFirst : SEARCH_BAR.newestFirst}
    </button>
  );
}
