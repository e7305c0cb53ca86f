/** The rows of a list: an array of them, or more than are loaded. */
export interface RowSource<Row> {
  readonly length: number;
  /** A row; undefined where it is not loaded yet. */
  at(index: number): Row | undefined;
  /** Where the first row is that passes a test, among those that are loaded; else -1. */
  findIndex(test: (row: Row) => boolean): number;
  /**
   * The rows that were loaded last, without a gap. While those that are looked at are on their way, the nearest of these
   * stand in their place: whoever drags the scroll bar sees rows go by, and no emptiness.
   */
  readonly loaded?: Stretch;
}

/** A stretch of rows, the last one included. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** By how many rows what is drawn lags behind what is looked at: none where that is loaded. */
export function lagOf<Row>(rows: RowSource<Row>, drawn: Stretch, seen: Stretch): number {
  const { loaded } = rows;
  if (loaded === undefined) return 0;
  if (rows.at(seen.first) !== undefined && rows.at(Math.min(seen.last, rows.length - 1)) !== undefined) return 0;
  if (drawn.first < loaded.first) return drawn.first - loaded.first;
  return Math.max(0, Math.min(drawn.last - loaded.last, drawn.first - loaded.first));
}
