import type { ReactNode } from 'react';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';
import { useScrollable } from '../lib/use-scrollable.ts';
import { useTableFit } from '../lib/use-table-fit.ts';
import { TABLE } from './texts.ts';

/** The head of a column: its label, or more of it. */
export type Head = string | { readonly label: string; readonly isRight?: true; readonly isHidden?: true };

/** Above the buttons at the end of each row: seen by nobody, read out all the same. */
export const ACTIONS: Head = { label: TABLE.actions, isHidden: true };

interface TableProps {
  readonly heads: readonly Head[];
  readonly className?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table that is short enough to be drawn whole. */
export function Table({ heads, className, children }: TableProps) {
  const zone = useTimeZone();
  const labels = heads.map((head) => (typeof head === 'string' ? head : head.label));
  return (
    <TableFrame labels={labels} className={className}>
      <thead>
        <tr>
          {heads.map((head) => {
            const { label, isRight, isHidden } = typeof head === 'string' ? { label: head } : head;
            return (
              <th key={label} scope="col" className={isRight ? 'right' : undefined}>
                {isHidden ? <span className="visually-hidden">{label}</span> : headInZone(label, zone)}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </TableFrame>
  );
}

interface TableFrameProps {
  /** The labels of its columns: what it is called where it scrolls. */
  readonly labels: readonly string[];
  readonly className?: string | undefined;
  /** Its head and its body. */
  readonly children: ReactNode;
}

/**
 * What is around the head and the body of a table. Where its columns find no room, its cells break, or each row becomes a
 * list; where that is not enough either, it scrolls within its place, by keyboard too.
 */
export function TableFrame({ labels, className = '', children }: TableFrameProps) {
  const scrollable = useScrollable<HTMLDivElement>();
  useTableFit(scrollable.ref);
  return (
    <div
      className="wide"
      {...scrollable}
      {...(scrollable.tabIndex === undefined ? {} : { role: 'region', 'aria-label': TABLE.tableOf(labels.join(', ')) })}
    >
      <table className={`table ${className}`}>{children}</table>
    </div>
  );
}
