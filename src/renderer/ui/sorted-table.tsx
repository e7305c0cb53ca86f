import type { ReactNode } from 'react';
import { type SortBy, sortRows } from '../lib/sort-rows.ts';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';
import { Icon } from './icons.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { TableFrame } from './table.tsx';

/** A column that a table can be sorted by. */
export interface SortedColumn<Row> extends SortBy<Row> {
  readonly label: string;
  readonly isRight?: true;
  /** Whether it begins with the greatest. */
  readonly beginsDown?: true;
  readonly cell: (row: Row) => ReactNode;
}

interface SortedTableProps<Row> {
  /** What the table is called. */
  readonly label: string;
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The column that it is sorted by, with a minus in front downwards. */
  readonly sort: string | undefined;
  readonly onSort: (sort: string) => void;
  /** What stands below it, such as how many rows there are. */
  readonly foot: string;
}

/** A table that is short enough to be drawn whole, sorted by whichever head somebody chooses. */
export function SortedTable<Row>({ label, columns, rows, keyOf, sort, onSort, foot }: SortedTableProps<Row>) {
  const zone = useTimeZone();
  return (
    <div className="grid">
      <ScrollArea className="grid-scroll" label={label}>
        <TableFrame labels={columns.map((column) => column.label)}>
          <thead>
            <tr>
              {columns.map(({ id, label: head, isRight, beginsDown }) => {
                const isDown = sort === `-${id}`;
                const isSorted = isDown || sort === id;
                const goesDown = isSorted ? !isDown : beginsDown === true;
                return (
                  <th
                    key={id}
                    scope="col"
                    className={isRight && 'right'}
                    aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}
                  >
                    <button type="button" className="sort" onClick={() => onSort(goesDown ? `-${id}` : id)}>
                      {headInZone(head, zone)}
                      {isSorted && <Icon name={isDown ? 'down' : 'up'} />}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {sortRows(rows, columns, sort).map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ id, isRight, cell }) => (
                  <td key={id} className={isRight && 'right number'}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </ScrollArea>
      <p className="grid-foot" role="status">
        {foot}
      </p>
    </div>
  );
}
