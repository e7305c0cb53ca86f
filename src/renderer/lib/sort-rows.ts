import { z } from 'zod';

/** What rows can be sorted by. */
export interface SortBy<Row> {
  readonly id: string;
  /** What it compares; what is null stands last, whichever way it goes. */
  readonly value: (row: Row) => string | number | null;
}

/** The order of a table in an address: a column, with a minus in front downwards. */
export function sortParam(columns: readonly string[]) {
  return z
    .string()
    .regex(new RegExp(`^-?(${columns.join('|')})$`))
    .optional()
    .catch(undefined);
}

/** Figures in texts count as figures, and no capitals. */
const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows in an order; equal ones stay as they are. @param sort as in an address; without it they all stay as they are */
export function sortRows<Row>(rows: readonly Row[], columns: readonly SortBy<Row>[], sort?: string): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.replace(/^-/, ''));
  if (column === undefined) return rows;
  const turn = sort?.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return turn * (typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b)));
  });
}
