import { type FormEvent, useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import type { AuditFilter } from '../../api/ledger/ledger-queries.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { SaveRows } from '../../components/save-rows.tsx';
import { plural } from '../../lib/plural.ts';
import { type AuditSearch, COLUMNS } from '../../lib/search-params.ts';
import { Over } from '../../ui/over.tsx';
import { Seen } from '../../ui/seen.tsx';
import { COLUMN_NAMES, DEFAULT_COLUMNS } from './columns.tsx';
import { saveResult } from './save-result.ts';
import { forgetSearch, savedSearches, saveSearch } from './saved-searches.ts';

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
      <Saved search={search} />
      <SaveResult search={search} filter={filter} />
    </>
  );
}

function Columns({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const shown = search.columns ?? DEFAULT_COLUMNS;
  return (
    <Over label="Columns">
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
          {COLUMN_NAMES[column]}
        </label>
      ))}
    </Over>
  );
}

function Saved({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const [searches, setSearches] = useState(savedSearches);
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setSearches(saveSearch(name, search));
    setName('');
  };
  return (
    <Over label="Saved searches">
      {searches.length === 0 && <p className="muted">None yet. They are kept in this browser.</p>}
      {searches.map((saved) => (
        <div key={saved.name} className="cluster">
          <button type="button" className="button-plain" onClick={() => void navigate({ search: saved.search })}>
            <Seen text={saved.name} />
          </button>
          <button
            type="button"
            className="button-small push"
            aria-label={visibleText(`Forget ${saved.name}`)}
            onClick={() => setSearches(forgetSearch(saved.name))}
          >
            ×
          </button>
        </div>
      ))}
      <form className="cluster" onSubmit={save}>
        <input
          aria-label="Name of this search"
          placeholder="Name of this search"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit">Save</button>
      </form>
    </Over>
  );
}

function SaveResult({ search, filter }: SearchActionsProps) {
  const ledger = useLedger();
  return (
    <SaveRows
      label="Save result"
      save={async (format, onProgress) => {
        const { rows, complete } = await saveResult(ledger, format, filter, search.without, onProgress);
        return complete
          ? `${plural(rows, 'row')} saved, with a manifest.`
          : `Only the first ${plural(rows, 'row')} saved; the manifest says so.`;
      }}
    >
      All rows that the filters find, and a manifest with filters, count and SHA-256.
    </SaveRows>
  );
}
