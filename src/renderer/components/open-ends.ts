import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { RowSource } from './row-source.ts';

/** How a list behaves of which a stretch is loaded, with more rows above and below it. */
export interface OpenEnds {
  /** What is in sight first: the selected row on top, or the last row that is loaded. */
  readonly begin: 'selected' | 'last';
  /** Called when the first row that is loaded comes near. */
  readonly onStart: () => void;
  /** Goes to an end of the whole list where that is not loaded; says whether it does. */
  readonly toEnd: (end: 'first' | 'last') => boolean;
  /** Whether the list takes the focus when it appears. */
  readonly takesFocus: boolean;
}

/** How many rows before the first one that is loaded more are asked for. */
const NEAR_START = 10;

/** By how many places the rows that are in both lists are further down in the second. */
export function shiftOf<Row>(before: RowSource<Row>, after: RowSource<Row>, keyOf: (row: Row) => string): number {
  const places = new Map<string, number>();
  for (let n = 0; n < after.length; n++) {
    const row = after.at(n);
    if (row !== undefined) places.set(keyOf(row), n);
  }
  for (let n = 0; n < before.length; n++) {
    const row = before.at(n);
    const now = row === undefined ? undefined : places.get(keyOf(row));
    if (now !== undefined) return now - n;
  }
  return 0;
}

interface Opened<Row> {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  readonly rowHeight: number;
  /** Number of the first row that is drawn. */
  readonly first: number;
}

/** Keeps what is looked at in its place while rows come in above it, and asks for those. Nothing for a list without open ends. */
export function useOpenEnds<Row>(
  ends: OpenEnds | undefined,
  { scroll, rows, keyOf, rowHeight, first }: Opened<Row>,
): void {
  const isOpen = ends !== undefined;
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const moved = shiftOf(before.current, rows, keyOf);
    before.current = rows;
    if (moved !== 0 && scroll.current !== null) scroll.current.scrollTop += moved * rowHeight;
  }, [isOpen, rows, keyOf, scroll, rowHeight]);
  const onStart = ends?.onStart;
  useEffect(() => {
    if (first <= NEAR_START) onStart?.();
  }, [first, onStart]);
  const takesFocus = ends?.takesFocus === true;
  useEffect(() => {
    if (takesFocus) scroll.current?.focus();
  }, [takesFocus, scroll]);
}
