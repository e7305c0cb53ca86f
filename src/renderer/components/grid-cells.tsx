// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { memo, type ReactNode } from 'react';
import type { GridColumn } from './grid-columns.ts';
import { cellStyle } from './grid-lines.ts';

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
export const GridCells = memo(CellsOf) as typeof CellsOf;
