import { createContext, useContext } from 'react';
import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import type { RowSource } from '../../../components/row-source.ts';

/** The rows that somebody has picked, by operation_id, in the order in which they did. */
export type Picked = ReadonlyMap<string, LedgerRow>;

/** More rows are worked with as an export; a report shows no more either. */
export const MAX_PICKED = 1000;

/** With a row, or without it where it was there; as they were where no more fit. */
export function toggled(picked: Picked, row: LedgerRow): Picked {
  const next = new Map(picked);
  if (!next.delete(row.operation_id) && picked.size < MAX_PICKED) next.set(row.operation_id, row);
  return next;
}

/** With rows besides. */
export function withRows(picked: Picked, rows: readonly LedgerRow[]): Picked {
  const next = new Map(picked);
  for (const row of rows) if (next.size < MAX_PICKED) next.set(row.operation_id, row);
  return next;
}

/** The rows that are there, of those that a list has or will have. */
export function loadedIn(rows: RowSource<LedgerRow>): LedgerRow[] {
  return Array.from({ length: rows.length }, (_, index) => rows.at(index)).filter((row) => row !== undefined);
}

export interface Selection {
  readonly picked: Picked;
  readonly toggle: (row: LedgerRow) => void;
}

export const SelectionContext = createContext<Selection>({ picked: new Map(), toggle: () => undefined });

export function useSelection(): Selection {
  return useContext(SelectionContext);
}
