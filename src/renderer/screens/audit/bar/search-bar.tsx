import { Popover } from '@base-ui/react/popover';
import { RECORD_FIELD_NAMES } from '../../../../actions/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { fill } from '../../../lib/fill.ts';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { Icon } from '../../../ui/icons.tsx';
import { hasFilters, withoutFilters } from '../search-filter.ts';
import { BuildSearch } from './build-search.tsx';
import { FilterChips } from './filter-chips.tsx';
import { QueryBox } from './query-box.tsx';
import { GroupButton, UnitSwitch } from './shown-as.tsx';
import { QUERY_HELP, SEARCH_BAR } from './texts.ts';
import { TimeMenu } from './time-menu.tsx';

const FORMS: readonly (readonly [string, string])[] = [
  ['credit_card', QUERY_HELP.word],
  [QUERY_HELP.phraseExample, QUERY_HELP.phrase],
  ['cred*', QUERY_HELP.prefix],
  ['*card*', QUERY_HELP.part],
  ['/error \\d+/i', QUERY_HELP.expression],
  [QUERY_HELP.memberExample, QUERY_HELP.member],
  ['tool = book_reservation', QUERY_HELP.exactly],
  ['amount > 100', QUERY_HELP.compare],
  ['issued > -15m', QUERY_HELP.times],
  ['error: *', QUERY_HELP.present],
  [QUERY_HELP.logicExample, QUERY_HELP.logic],
];

/** The query language on one card. */
function QueryHelp() {
  return (
    <Popover.Root>
      <Popover.Trigger
        className="button-plain search-build query-help-button"
        aria-label={QUERY_HELP.title}
        title={QUERY_HELP.title}
      >
        <Icon name="question" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menu-place" align="end" sideOffset={6}>
          <Popover.Popup className="menu panel-body query-help" aria-label={QUERY_HELP.title}>
            <dl>
              {FORMS.map(([form, meaning]) => (
                <div key={form} className="query-help-form">
                  <dt className="code">{form}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <p className="muted">
              {fill(QUERY_HELP.fields, {
                fields: <span className="code">{RECORD_FIELD_NAMES.join(', ')}</span>,
                example: <span className="code">arguments.user_id</span>,
              })}
            </p>
            <p className="muted">
              {fill(QUERY_HELP.keys, {
                arrows: <kbd>↓</kbd>,
                tab: <kbd>{QUERY_HELP.tab}</kbd>,
                enter: <kbd>{QUERY_HELP.enter}</kbd>,
                escape: <kbd>{QUERY_HELP.escape}</kbd>,
              })}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

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
    void invalidate('auditQuery', 'actions', 'groups', 'auditHistogram', 'facets');
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
