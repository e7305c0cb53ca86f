import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../../api/ledger/places.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { useSelection } from './selection.ts';
import { ROW_CELLS } from './texts.ts';

const route = ledgerScreen('/search');

/** The row's own link. Who goes along the rows by key has the details go along. */
export function RowLink({ row }: { readonly row: LedgerRow }) {
  const navigate = route.useNavigate();
  const select = (before: AuditSearch): AuditSearch => ({ ...before, selected: row.operation_id });
  return (
    <LedgerLink
      to="/search"
      search={select}
      replace
      data-row
      tabIndex={-1}
      onFocus={() => void navigate({ search: select, replace: true })}
    >
      {row.seq_no}
    </LedgerLink>
  );
}

/** Whether the row is one of those that are worked with together. By key it is Space, on the row. */
export function SelectBox({ row }: { readonly row: LedgerRow }) {
  const { picked, toggle } = useSelection();
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={ROW_CELLS.selectRecord(row.seq_no)}
      checked={picked.has(row.operation_id)}
      onChange={() => toggle(row)}
    />
  );
}
