import type { ReactNode } from 'react';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';
import { useScrollable } from '../lib/use-scrollable.ts';
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

/** A table that is short enough to be drawn whole. Where it is wider than its place, it scrolls within it, by keyboard too. */
export function Table({ heads, className = '', children }: TableProps) {
  const scrollable = useScrollable<HTMLDivElement>();
  const zone = useTimeZone();
  const names = heads.map((head) => (typeof head === 'string' ? head : head.label)).join(', ');
  return (
    <div
      className="wide"
      {...scrollable}
      {...(scrollable.tabIndex === undefined ? {} : { role: 'region', 'aria-label': TABLE.tableOf(names) })}
    >
      <table className={`table ${className}`}>
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
      </table>
    </div>
  );
}
