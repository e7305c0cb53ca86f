// biome-ignore-all lint/a11y/useSemanticElements: a grid's cells are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the head is read; its separators take the focus
import type { CSSProperties, KeyboardEvent } from 'react';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';
import { MAX_WIDTH, MIN_WIDTH, type ShownColumn, type useGridColumns } from './grid-columns.ts';
import { cellStyle } from './grid-lines.ts';
import { GRID_HEAD } from './texts.ts';

/** How far a key changes a width, in pixels. */
const STEP = 16;

interface GridHeadProps<Row> {
  readonly columns: ReturnType<typeof useGridColumns<Row>>;
  readonly style: CSSProperties;
}

/** The heads of the columns. The line after each changes its width, and with Shift its place, unless it is fixed. */
export function GridHead<Row>({ columns: { shown, resize, move, reset }, style }: GridHeadProps<Row>) {
  const zone = useTimeZone();
  const onKeyDown = (column: ShownColumn<Row>) => (event: KeyboardEvent) => {
    const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) reset();
    else if (event.shiftKey) move(column.id, step);
    else resize(column.id, column.size + step * STEP);
  };
  return (
    <div className="grid-head" role="row" aria-rowindex={1} style={style}>
      {shown.map((column, n) => (
        // Its own name: that of the line in it would be read out with every cell.
        <span
          key={column.id}
          role="columnheader"
          aria-label={headInZone(column.head, zone)}
          className={column.right ? 'right' : ''}
          style={cellStyle(n)}
        >
          {column.isHeadHidden ? <span className="visually-hidden">{column.head}</span> : headInZone(column.head, zone)}
          {column.isFixed !== true && (
            <span
              className="grid-line"
              role="separator"
              aria-orientation="vertical"
              aria-label={GRID_HEAD.width(column.head)}
              aria-valuenow={Math.round(column.size)}
              aria-valuemin={MIN_WIDTH}
              aria-valuemax={MAX_WIDTH}
              title={GRID_HEAD.keys}
              tabIndex={0}
              onMouseDown={column.startResizing}
              onTouchStart={column.startResizing}
              onDoubleClick={reset}
              onKeyDown={onKeyDown(column)}
            />
          )}
        </span>
      ))}
    </div>
  );
}
