import { groupedQueryText, parseGroupedQuery } from '../../../../actions/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { addressOfLine, groupingOf, lineOf } from '../../../lib/grouping-address.ts';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { hasFilters, withoutFilters } from '../search-filter.ts';
import { useQueryContext } from '../use-terms.ts';
import { BuildSearch } from './build-search.tsx';
import { FilterChips } from './filter-chips.tsx';
import { QueryBox } from './query-box.tsx';
import { QueryHelp } from './query-help.tsx';
import { GroupButton, UnitSwitch } from './shown-as.tsx';
import { SEARCH_BAR } from './texts.ts';

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
  const context = useQueryContext();
  const apply = (line: string): void => {
    const read = parseGroupedQuery(line, { now: Date.now(), ...context });
    if (!read.ok) return;
    // The same query again means what is there by now.
    void invalidate('auditQuery', 'actions', 'groups', 'auditHistogram', 'facets');
    const selected = read.grouping === null ? {} : { selected: undefined };
    void navigate({ search: (before) => ({ ...before, ...addressOfLine(read), ...selected }) });
  };
  return (
    <search className="search-bar">
      <div className="search-line">
        <QueryBox query={lineOf(search)} mayGroup apply={apply} onUnreadable={onUnreadable} />
        <QueryHelp />
        <BuildSearch
          query={search.query ?? ''}
          apply={(query) => apply(groupedQueryText({ query, grouping: groupingOf(search) }))}
        />
      </div>
      <div className="search-line search-filters">
        <OrderSwitch search={search} />
        <UnitSwitch search={search} />
        <GroupButton search={search} />
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
