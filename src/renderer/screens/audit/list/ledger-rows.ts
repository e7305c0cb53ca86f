import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import type { RowSource, Stretch } from '../../../components/row-source.ts';

/** The whole ledger as a list, newest first, of which some pages are loaded. It has no gaps: a row's place is its seq_no. */
export class LedgerRows implements RowSource<LedgerRow> {
  readonly length: number;
  readonly loaded: Stretch;
  readonly #bySeqNo: ReadonlyMap<number, LedgerRow>;

  /**
   * @param newest seq_no of the first row
   * @param newestRows the first page, which is always there
   * @param pages further ones, newest first; those that came last in one piece, see `loaded`
   * @param coming pages of the next piece that have come already
   */
  constructor(
    newest: number,
    newestRows: readonly LedgerRow[],
    pages: readonly (readonly LedgerRow[])[],
    coming: readonly (readonly LedgerRow[])[] = [],
  ) {
    this.length = newest;
    this.#bySeqNo = new Map([newestRows, ...pages, ...coming].flat().map((row) => [row.seq_no, row]));
    const from = pages[0]?.[0] ?? newestRows[0];
    const to = pages.at(-1)?.at(-1) ?? newestRows.at(-1);
    const first = newest - (from?.seq_no ?? newest);
    this.loaded = { first: first === newestRows.length ? 0 : first, last: newest - (to?.seq_no ?? newest) };
  }

  at(index: number): LedgerRow | undefined {
    return this.#bySeqNo.get(this.length - index);
  }

  findIndex(test: (row: LedgerRow) => boolean): number {
    for (const [seqNo, row] of this.#bySeqNo) if (test(row)) return this.length - seqNo;
    return -1;
  }
}

/** The same list from its other end, whose first page stays once it is there. */
export class TurnedRows implements RowSource<LedgerRow> {
  readonly length: number;
  readonly loaded?: Stretch;
  readonly #rows: LedgerRows;
  readonly #firstRows: readonly LedgerRow[];

  /** @param firstRows the oldest, in the order of their numbers */
  constructor(rows: LedgerRows, firstRows: readonly LedgerRow[]) {
    this.#rows = rows;
    this.#firstRows = firstRows.slice(0, rows.length);
    this.length = rows.length;
    const { first, last } = rows.loaded;
    // Until something else was looked at, its first page is all that it can show.
    if (first > 0) this.loaded = { first: this.length - 1 - last, last: this.length - 1 - first };
    else if (this.#firstRows.length > 0) this.loaded = { first: 0, last: this.#firstRows.length - 1 };
  }

  at(index: number): LedgerRow | undefined {
    return this.#firstRows[index] ?? this.#rows.at(this.length - 1 - index);
  }

  findIndex(test: (row: LedgerRow) => boolean): number {
    const first = this.#firstRows.findIndex(test);
    if (first >= 0) return first;
    const index = this.#rows.findIndex(test);
    return index < 0 ? -1 : this.length - 1 - index;
  }
}

/** This many pages are loaded above and below what is looked at. */
const BESIDE = 2;

/** Numbers of the pages that a stretch of rows is in, and the neighbouring ones, so that going on finds its rows there. */
export function pagesAround(first: number, last: number, length: number, page: number): number[] {
  const from = Math.max(0, Math.floor(first / page) - BESIDE);
  const to = Math.min(Math.floor((length - 1) / page), Math.floor(last / page) + BESIDE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
}
