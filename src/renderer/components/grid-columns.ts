import {
  type ColumnSizingState,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';

/** How wide a moment is in the page's own font, in pixels at 13 pixels of size: what widths of columns were made with. */
const OWN_WIDTH = 158;
const MOMENT = '2026-11-21 23:37:00.310';

/**
 * How much wider the font is that texts are really drawn with, at least 1: the widths of columns grow by it, so that a list
 * shows the same with any font.
 */
function fontWidth(): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  context.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(1, context.measureText(MOMENT).width / OWN_WIDTH);
}

/** A column of a long list. Widths in pixels, in the page's own font; some columns may share what is left over. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly head: string;
  readonly width: number;
  readonly grows?: boolean;
  readonly right?: boolean;
  /** Whether it keeps its width and its place. */
  readonly isFixed?: boolean;
  /** Whether its head is only read out. */
  readonly isHeadHidden?: boolean;
  /** The class of its cells. */
  readonly className?: string;
  /** @param above the row above it, where there is one and it is loaded */
  readonly cell: (row: Row, above?: Row) => ReactNode;
}

/** A column where and as wide as it is shown. */
export interface ShownColumn<Row> extends GridColumn<Row> {
  readonly size: number;
  /** Begins to change its width with the mouse or a finger. */
  readonly startResizing: (event: unknown) => void;
}

/** Widths that columns may have, in pixels. */
export const MIN_WIDTH = 48;
export const MAX_WIDTH = 1200;

/** What a time has more where its offset stands behind it. */
const OFFSET_WIDTH = 44;

const KEY = 'countersign.columns';
const layout = z.object({ sizes: z.record(z.string(), z.number()), order: z.array(z.string()) });
type Layout = z.infer<typeof layout>;
const stored = z.record(z.string(), layout).catch({});

function storedLayouts(): Record<string, Layout> {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch (error) {
    // Somebody else's text under our key is no layout.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const features = tableFeatures({ columnOrderingFeature, columnResizingFeature, columnSizingFeature });
/** The table has the columns only: rows come a page at a time from the service, in its order. */
const NO_ROWS: object[] = [];

/**
 * The columns of a list in the order and with the widths that somebody gave them, kept in this browser.
 * @param list under which name they are kept
 */
export function useGridColumns<Row>(list: string, columns: readonly GridColumn<Row>[]) {
  const [columnSizing, setSizing] = useState<ColumnSizingState>(() => storedLayouts()[list]?.sizes ?? {});
  const [columnOrder, setOrder] = useState<string[]>(() => storedLayouts()[list]?.order ?? []);
  useEffect(() => {
    const layouts = storedLayouts();
    if (Object.keys(columnSizing).length === 0 && columnOrder.length === 0) delete layouts[list];
    else layouts[list] = { sizes: columnSizing, order: columnOrder };
    localStorage.setItem(KEY, JSON.stringify(layouts));
  }, [list, columnSizing, columnOrder]);
  const zone = useTimeZone();
  const definitions = useMemo(() => {
    const wider = fontWidth();
    return columns.map(({ id, head, width, isFixed }) => {
      const hasOffset = headInZone(head, zone) !== head;
      const size = Math.ceil((width + (hasOffset ? OFFSET_WIDTH : 0)) * wider);
      return { id, size, minSize: isFixed ? size : MIN_WIDTH, maxSize: MAX_WIDTH };
    });
  }, [columns, zone]);
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    columnResizeMode: 'onChange',
    state: { columnSizing, columnOrder },
    onColumnSizingChange: setSizing,
    onColumnOrderChange: setOrder,
  });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const shown = headers.flatMap((header): ShownColumn<Row>[] => {
    const column = columns.find(({ id }) => id === header.column.id);
    if (column === undefined) return [];
    const grows = column.grows === true && columnSizing[column.id] === undefined;
    return [{ ...column, grows, size: header.getSize(), startResizing: header.getResizeHandler() }];
  });
  const ids = shown.map(({ id }) => id).join(' ');
  // The cells depend on the order alone: they are not drawn again for a width.
  const inOrder = useMemo(
    () => ids.split(' ').flatMap((id) => columns.find((column) => column.id === id) ?? []),
    [ids, columns],
  );
  return {
    shown,
    inOrder,
    /** Whether somebody gave a column its width. */
    isSized: Object.keys(columnSizing).length > 0,
    resize: (id: string, size: number) =>
      setSizing((before) => ({ ...before, [id]: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, size)) })),
    move: (id: string, step: 1 | -1) => setOrder(moved(ids.split(' '), id, step)),
    /** Takes widths and order back. */
    reset: () => {
      setSizing({});
      setOrder([]);
    },
  };
}

/** A list with one of its values a place further on or back; as it was at its ends. */
export function moved(ids: readonly string[], id: string, step: 1 | -1): string[] {
  const from = ids.indexOf(id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= ids.length) return [...ids];
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
