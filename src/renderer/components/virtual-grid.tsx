// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type DOMAttributes,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { offsetFor, useSlots } from '../lib/row-slots.ts';
import { placeOf, RowBlock } from '../ui/row-block.tsx';
import { type GridColumn, useGridColumns } from './grid-columns.ts';
import { GridHead } from './grid-head.tsx';
import { cellStyle, foldOf } from './grid-lines.ts';
import { type OpenEnds, useOpenEnds } from './open-ends.ts';
import { lagOf, type RowSource } from './row-source.ts';

/** How wide the inside of an element is, without its scroll bar, in pixels as its page counts them; 0 before it is there. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const look = (): void => setWidth(element.clientWidth);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [ref]);
  return width;
}

interface GridCellsProps<Row> {
  readonly row: Row;
  readonly above: Row | undefined;
  readonly columns: readonly GridColumn<Row>[];
  /** Whether the row has several lines; their widths are then the row's. */
  readonly isFolded: boolean;
}

function classOf<Row>({ right, className }: GridColumn<Row>): string {
  return [...(right === true ? ['right', 'number'] : []), ...(className === undefined ? [] : [className])].join(' ');
}

function CellsOf<Row>({ row, above, columns, isFolded }: GridCellsProps<Row>): ReactNode {
  return columns.map((column, n) => (
    <span
      key={column.id}
      role="cell"
      data-column={column.id}
      className={classOf(column)}
      style={isFolded ? cellStyle(n) : undefined}
    >
      {column.cell(row, above)}
    </span>
  ));
}

/** The cells of a row, drawn once, however often its place changes. */
const GridCells = memo(CellsOf) as typeof CellsOf;

interface VirtualGridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  /** Whether a row is one to look at first. */
  readonly isAlarm?: (row: Row) => boolean;
  /** Whether a row is one of several that somebody has picked. */
  readonly isPicked?: (row: Row) => boolean;
  /** What is done with the rows by mouse and key; `rowKeyAt` says in which row it was. */
  readonly events?: Pick<DOMAttributes<HTMLElement>, 'onClick' | 'onContextMenu' | 'onFocus' | 'onKeyDown'>;
  /** Called when the end of what is loaded comes near. */
  readonly onEnd?: () => void;
  /** Told which rows are drawn, the last one included. */
  readonly onRange?: (first: number, last: number) => void;
  /** Whether what is shown is not of what was asked for last. */
  readonly isOutdated?: boolean;
  /** For a list with more rows above and below what is loaded; any other begins at its top. */
  readonly ends?: OpenEnds;
  /** What replaces a row's cells, across all columns; null for an ordinary row. */
  readonly bandOf?: (row: Row) => ReactNode;
  readonly foot: ReactNode;
}

/** Height of each line of a row, and of each line of the head, which stays on top of what is scrolled; in pixels. */
const LINE_HEIGHT = 25;
const HEAD_LINE_HEIGHT = 28;
const NEAR_END = 40;

/** Home and End at once: the browser would have all that lies between go by. */
function toEnd(event: KeyboardEvent, list: HTMLElement | null, ends: OpenEnds | undefined): void {
  if (list === null || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key !== 'Home' && event.key !== 'End') return;
  event.preventDefault();
  if (ends?.toEnd(event.key === 'Home' ? 'first' : 'last') === true) return;
  list.scrollTop = event.key === 'Home' ? 0 : list.scrollHeight;
}

/** The classes of a row: whether it is chosen, to be looked at first or picked, or shown while its place goes by. */
function stateOf(isSelected: boolean, lag: number, isAlarm: boolean, isPicked: boolean): string {
  const state = isSelected ? ' is-selected' : lag === 0 ? '' : ' is-passing';
  return `grid-row${state}${isAlarm ? ' is-alarm' : ''}${isPicked ? ' is-picked' : ''}`;
}

/** The key of the row that something happened in, and the row's link, which takes the focus; null outside all rows. */
export function rowKeyAt(target: EventTarget): { readonly key: string; readonly link: HTMLElement | null } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
  const key = element?.dataset['key'];
  return element === null || key === undefined ? null : { key, link: element.querySelector('[data-row]') };
}

/** A list of which only the visible rows are drawn, however long it is. Where its columns find no room, rows have several lines. */
export function VirtualGrid<Row>({
  label,
  columns,
  rows,
  keyOf,
  selected,
  isAlarm,
  isPicked,
  events,
  onEnd,
  onRange,
  isOutdated = false,
  ends,
  bandOf,
  foot,
}: VirtualGridProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const layout = useGridColumns(label, columns);
  const { lines, rowStyle, minWidth } = foldOf(layout.shown, useWidth(scroll), layout.isSized);
  const isFolded = lines > 1;
  const looks = [
    'grid',
    ...(isFolded ? ['is-folded'] : []),
    ...(isFolded && layout.shown[0]?.isHeadHidden === true ? ['has-gutter'] : []),
    ...(isOutdated ? ['is-outdated'] : []),
  ];
  const rowHeight = lines * LINE_HEIGHT;
  const headHeight = lines * HEAD_LINE_HEIGHT;
  const { slots, shift, setShift } = useSlots(scroll, rows.length, rowHeight);
  const chosen = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const virtual = useVirtualizer({
    count: slots,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Changes with the height of the rows, which are then measured again.
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: () => {
      if (ends === undefined) return 0;
      return (ends.begin === 'last' ? rows.length : Math.max(0, chosen)) * rowHeight;
    },
  });
  // The rows that are looked at stay in sight as they get more lines, or fewer.
  const heightBefore = useRef(rowHeight);
  useLayoutEffect(() => {
    if (scroll.current !== null) scroll.current.scrollTop *= rowHeight / heightBefore.current;
    heightBefore.current = rowHeight;
  }, [rowHeight]);
  const items = virtual.getVirtualItems();
  const first = shift + (items[0]?.index ?? 0);
  const last = shift + (items.at(-1)?.index ?? 0);
  useEffect(() => {
    if (last >= rows.length - NEAR_END) onEnd?.();
  }, [last, rows.length, onEnd]);

  const height = virtual.scrollRect?.height ?? 0;
  // What is visible begins some rows below what is drawn.
  const top = shift + Math.floor((virtual.scrollOffset ?? 0) / rowHeight);
  const seen = { first: top, last: top + Math.floor((height - headHeight) / rowHeight) };
  const lag = lagOf(rows, { first, last }, seen);
  useEffect(() => onRange?.(first, last), [first, last, onRange]);

  useOpenEnds(ends, { scroll, rows, keyOf, rowHeight, first });

  // A list with open ends begins at the selected row; afterwards only the reader scrolls it.
  const isLoaded = chosen >= 0 && ends === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the chosen row once it is there or the details below it make the list smaller, and not with every page
  useEffect(() => {
    if (!isLoaded) return;
    const shifted = offsetFor(chosen, shift, rows.length, slots);
    setShift(shifted);
    virtual.scrollToIndex(chosen - shifted, { align: 'auto' });
  }, [selected, isLoaded, height]);

  return (
    <div className={looks.join(' ')}>
      <div
        ref={scroll}
        className="grid-scroll"
        tabIndex={0}
        role="table"
        aria-label={label}
        aria-rowcount={ends === undefined ? rows.length + 1 : -1}
        {...events}
        onKeyDown={(event) => {
          toEnd(event, scroll.current, ends);
          events?.onKeyDown?.(event);
        }}
      >
        <GridHead columns={layout} style={{ ...rowStyle, minWidth, height: headHeight }} />
        <div className="grid-space" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth }}>
          <RowBlock
            first={items[0]?.index ?? 0}
            count={items.length}
            rowHeight={rowHeight}
            headHeight={headHeight}
            view={height}
          >
            {items.map(({ index }) => {
              const at = shift + index - lag;
              const row = rows.at(at);
              const place = {
                role: 'row',
                ...(ends === undefined ? { 'aria-rowindex': at + 2 } : {}),
                style: {
                  ...rowStyle,
                  height: rowHeight + 1,
                  transform: placeOf(index, items[0]?.index ?? 0, rowHeight),
                },
              };
              if (row === undefined) {
                return (
                  <div key={`place ${index}`} className="grid-row is-pending" aria-busy="true" {...place}>
                    <span role="cell">…</span>
                  </div>
                );
              }
              const key = keyOf(row);
              return (
                <div
                  key={key}
                  className={stateOf(key === selected, lag, isAlarm?.(row) === true, isPicked?.(row) === true)}
                  data-key={key}
                  aria-busy={lag !== 0}
                  {...place}
                >
                  {bandOf?.(row) ?? (
                    <GridCells
                      row={row}
                      above={at > 0 ? rows.at(at - 1) : undefined}
                      columns={layout.inOrder}
                      isFolded={isFolded}
                    />
                  )}
                </div>
              );
            })}
          </RowBlock>
        </div>
      </div>
      <div className="grid-foot">{foot}</div>
    </div>
  );
}
