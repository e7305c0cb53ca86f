import { ledgerScreen } from '../../../api/ledger/places.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { SHOWN_AS } from './texts.ts';

const route = ledgerScreen('/search');

/** Whether rows are actions or the signed records that they are made of. */
export function UnitSwitch({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const choose = (unit: AuditSearch['unit']): void =>
    void navigate({ search: (before) => ({ ...before, unit, columns: undefined }) });
  return (
    <fieldset className="segments" aria-label={SHOWN_AS.unit}>
      <button
        type="button"
        className="bar-button"
        aria-pressed={search.unit === undefined}
        onClick={() => choose(undefined)}
      >
        {SHOWN_AS.actions}
      </button>
      <button
        type="button"
        className="bar-button"
        aria-pressed={search.unit === 'records'}
        onClick={() => choose('records')}
      >
        {SHOWN_AS.records}
      </button>
    </fieldset>
  );
}

/** Between the rows that are found and what they add up to. */
export function GroupButton({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const isGrouped = search.by !== undefined;
  const by = isGrouped ? undefined : ['agent'];
  return (
    <button
      type="button"
      className="bar-button"
      aria-pressed={isGrouped}
      onClick={() =>
        void navigate({ search: (before) => ({ ...before, by, measure: undefined, selected: undefined }) })
      }
    >
      {SHOWN_AS.group}
    </button>
  );
}
