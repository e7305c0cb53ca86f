// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

/** A column of a long list. Widths in pixels; one column may take what is left over. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly head: string;
  readonly width: number;
  readonly grows?: boolean;
  readonly right?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface VirtualGridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  /** Called when the end of what is loaded comes near. */
  readonly onEnd?: () => void;
  readonly foot: ReactNode;
}

const ROW_HEIGHT = 25;
/** The head stays on top of what is scrolled. */
const HEAD_HEIGHT = 28;
const NEAR_END = 40;

/** A list of which only the visible rows are drawn, however long it is. */
export function VirtualGrid<Row>({ label, columns, rows, keyOf, selected, onEnd, foot }: VirtualGridProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - NEAR_END) onEnd?.();
  }, [last, rows.length, onEnd]);

  const chosen = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const isLoaded = chosen >= 0;
  const height = virtual.scrollRect?.height;
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the chosen row once it is there or the details below it make the list smaller, and not with every page
  useEffect(() => {
    if (isLoaded) virtual.scrollToIndex(chosen, { align: 'auto' });
  }, [selected, isLoaded, height]);

  const gridTemplateColumns = columns
    .map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`))
    .join(' ');
  const minWidth = columns.reduce((sum, { width }) => sum + width, 0);
  return (
    <div className="grid">
      <div
        ref={scroll}
        className="grid-scroll"
        tabIndex={0}
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <div className="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns, minWidth }}>
          {columns.map(({ id, head, right }) => (
            <span key={id} role="columnheader" className={right ? 'right' : ''}>
              {head}
            </span>
          ))}
        </div>
        <div className="grid-space" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = keyOf(row);
            return (
              <div
                key={key}
                className={key === selected ? 'grid-row is-selected' : 'grid-row'}
                role="row"
                aria-rowindex={index + 2}
                style={{ gridTemplateColumns, transform: `translateY(${start - HEAD_HEIGHT}px)` }}
              >
                {columns.map((column) => (
                  <span key={column.id} role="cell" className={column.right ? 'right number' : ''}>
                    {column.cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <div className="grid-foot">{foot}</div>
    </div>
  );
}
