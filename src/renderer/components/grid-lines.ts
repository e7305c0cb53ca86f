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

/** What a row calls the width of one of its cells, and its place. */
type CellName = `--cell-${number}` | `--order-${number}`;
const cellName = (n: number): CellName => `--cell-${n}`;
const orderName = (n: number): CellName => `--order-${n}`;

/** The style of a cell in a row of several lines: as wide as its row says, and where. */
export function cellStyle(n: number): CSSProperties {
  return { flex: `var(${cellName(n)})`, order: `var(${orderName(n)}, 0)` };
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
  // The place may be a part of a pixel narrower than the whole number that is known of it.
  const linesFor = (some: readonly LineCell[]): number =>
    linesOf(
      some.map(({ size }) => size),
      width - start - 1,
    );
  const lines = linesFor(inLines);
  const long = longCell(inLines);
  // What is as long as there is room has a whole line below the others, where rows get no higher by it.
  const isBelow = long !== null && linesFor(inLines.filter((cell) => cell !== long)) < lines;
  const below = isBelow ? { [cellName(cells.indexOf(long))]: '1 0 100%', [orderName(cells.indexOf(long))]: '1' } : {};
  return { lines, rowStyle: { paddingLeft: start, ...Object.fromEntries(sizes), ...below }, minWidth: 0 };
}

/** The one cell that grows; null where there is another, or where rows begin with it. */
function longCell(cells: readonly LineCell[]): LineCell | null {
  const [long, ...others] = cells.filter(({ grows }) => grows);
  return long === undefined || others.length > 0 || long === cells[0] ? null : long;
}
