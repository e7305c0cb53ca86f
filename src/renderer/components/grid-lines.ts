import type { CSSProperties } from 'react';

/** What decides in which line of a row a cell stands. Its size is in pixels. */
export interface LineCell {
  readonly size: number;
  /** Whether it takes what its line leaves over. */
  readonly grows?: boolean;
  /** Of the first cell: whether it is a mark before the row, as high as all of its lines. */
  readonly isHeadHidden?: boolean;
}

/** By how much a row begins further in than its cells do, in pixels: its first text stands below the title of the screen. */
const LEAD = 8;

/** What a row calls the width of one of its cells. */
type CellName = `--cell-${number}`;
const cellName = (n: number): CellName => `--cell-${n}`;

/** The style of a cell in a row of several lines: as wide as its row says. */
export function cellStyle(n: number): CSSProperties {
  return { flex: `var(${cellName(n)})` };
}

/** How the rows of a list are laid out. */
export interface Fold {
  readonly lines: number;
  /** The same for every row: of the head too. */
  readonly rowStyle: CSSProperties & Record<CellName, string>;
  /** Below this width the list scrolls sideways, in pixels. */
  readonly minWidth: number;
}

/**
 * In how many lines cells stand, each as far left as it finds room: what the browser does with cells that wrap. One that
 * is wider than its place stands alone.
 */
export function linesOf(sizes: readonly number[], width: number): number {
  let lines = 1;
  let taken = 0;
  for (const size of sizes) {
    if (taken > 0 && taken + size > width) {
      lines += 1;
      taken = 0;
    }
    taken += size;
  }
  return lines;
}

/**
 * Lays out rows: as columns where these find room, otherwise in several lines. Widths that somebody chose are kept: then
 * the list scrolls.
 * @param width of the list, in pixels; 0 while it is not known
 */
export function foldOf(cells: readonly LineCell[], width: number, isSized: boolean): Fold {
  const [first] = cells;
  const isMarked = first?.isHeadHidden === true;
  const lead = isMarked ? 0 : LEAD;
  const minWidth = cells.reduce((sum, { size }) => sum + size, lead);
  if (isSized || width <= 0 || minWidth <= width) {
    const columns = cells.map(({ size, grows }) => (grows ? `minmax(${size}px, 1fr)` : `${size}px`));
    return { lines: 1, rowStyle: { paddingLeft: lead, gridTemplateColumns: columns.join(' ') }, minWidth };
  }
  const start = isMarked ? first.size : lead;
  const inLines = isMarked ? cells.slice(1) : cells;
  const sizes = cells.map(({ size, grows }, n) => [cellName(n), `${grows ? 1 : 0} 1 ${size}px`] as const);
  return {
    // The place may be a part of a pixel narrower than the whole number that is known of it.
    lines: linesOf(
      inLines.map(({ size }) => size),
      width - start - 1,
    ),
    rowStyle: { paddingLeft: start, ...Object.fromEntries(sizes) },
    minWidth: 0,
  };
}
