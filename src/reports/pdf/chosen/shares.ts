import { outlineOf, type RecordView, rowsOf } from '../../chosen/index.ts';

/** How much of one payload is printed at most: what is beyond is in the attached data. */
export const BOUNDS = { lines: 400, characters: 24_000 };

/** Lines for the contents of a few records together, and for each of many. */
const FEW_ROWS = 120;
const EACH_ROWS = 24;

/** About how many lines of a page the contents of a record take. */
function wantedRows({ payload }: RecordView): number {
  if (payload === null) return 0;
  const rows = outlineOf(payload, BOUNDS).lines.map(({ name, value }) =>
    rowsOf(value === null ? name : `${name} ${value}`),
  );
  return rows.reduce((sum, each) => sum + each, 0);
}

/**
 * How many lines each record of a report may take, so that large contents do not make a report of a few records a book: as many as it
 * wants where all fit together, else what small ones leave is shared by the large ones alike.
 */
export function sharedRows(records: readonly RecordView[]): number {
  const wanted = records.map(wantedRows).sort((a, b) => a - b);
  let left = Math.max(FEW_ROWS, EACH_ROWS * records.length);
  for (const [index, rows] of wanted.entries()) {
    const share = Math.floor(left / (wanted.length - index));
    if (rows > share) return share;
    left -= rows;
  }
  return Number.POSITIVE_INFINITY;
}
