import { type AuditFilter, useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { SaveRows } from '../../components/save-rows.tsx';
import { type AuditSearch, COLUMNS } from '../../lib/search-params.ts';
import { headInZone, useTimeZone } from '../../lib/time-zone.ts';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { COLUMN_NAMES, DEFAULT_COLUMNS } from './list/columns.tsx';
import { saveResult } from './save-result.ts';
import { SavedSearches } from './saved-searches.tsx';
import { SEARCH_ACTIONS } from './texts.ts';

const route = ledgerScreen('/search');

interface SearchActionsProps {
  readonly search: AuditSearch;
  readonly filter: AuditFilter;
}

/** Columns, saved searches, and the result as a file. */
export function SearchActions({ search, filter }: SearchActionsProps) {
  return (
    <>
      <Columns search={search} />
      <SavedSearches search={search} />
      <SaveResult search={search} filter={filter} />
    </>
  );
}

function Columns({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const zone = useTimeZone();
  const shown = search.columns ?? DEFAULT_COLUMNS;
  return (
    <PopoverMenu label={SEARCH_ACTIONS.columns}>
      {COLUMNS.map((column) => (
        <label key={column} className="cluster">
          <input
            type="checkbox"
            checked={shown.includes(column)}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              const columns = COLUMNS.filter((other) => (other === column ? isOn : shown.includes(other)));
              void navigate({ search: (before) => ({ ...before, columns }), replace: true });
            }}
          />
          {headInZone(COLUMN_NAMES[column], zone)}
        </label>
      ))}
    </PopoverMenu>
  );
}

function SaveResult({ search, filter }: SearchActionsProps) {
  const ledger = useLedger();
  return (
    <SaveRows
      label={SEARCH_ACTIONS.saveResult}
      save={async (format, onProgress) => {
        const { rows, complete } = await saveResult(ledger, format, filter, search.order ?? 'newest', onProgress);
        return complete ? SEARCH_ACTIONS.saved(rows) : SEARCH_ACTIONS.firstSaved(rows);
      }}
    >
      {SEARCH_ACTIONS.saveHint}
    </SaveRows>
  );
}
