import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { headInZone, useTimeZone } from '../lib/time-zone.ts';
import { useScrollable } from '../lib/use-scrollable.ts';
import { TABLE } from './texts.ts';

/** How a table is laid out, from the first to the last resort: as columns, with cells that break, as lists of labels and values. */
const FITS = ['columns', 'wraps', 'stacks'] as const;

/** Gives each cell the head of its column, which stands before its value where the row is a list; none to buttons. */
function label(frame: HTMLElement): void {
  const heads = [...frame.querySelectorAll('thead th')].map((head) =>
    head.querySelector('.visually-hidden') === null ? head.textContent : '',
  );
  for (const row of frame.querySelectorAll<HTMLTableRowElement>('tbody tr')) {
    for (const cell of row.cells) {
      const head = heads[cell.cellIndex] ?? '';
      if (cell.tagName === 'TD' && cell.colSpan === 1 && head !== '') cell.dataset['label'] = head;
    }
  }
}

/**
 * Lays a table out so that it finds room in its frame, whatever the font, the language and the size of text: `data-fit` of
 * the frame says how (ui/table.css).
 */
function useTableFit(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const frame = ref.current;
    if (frame === null) return;
    let width = 0;
    let asked = 0;
    const isWide = (): boolean => frame.scrollWidth > frame.clientWidth;
    const look = (): void => {
      // Other layouts are tried only then: they are of other heights, and the page would lose its place.
      if (frame.clientWidth === width && !isWide()) return;
      width = frame.clientWidth;
      for (const fit of FITS) {
        frame.dataset['fit'] = fit;
        if (!isWide()) break;
      }
    };
    const refit = (): void => {
      look();
      if (frame.dataset['fit'] === 'stacks') label(frame);
    };
    refit();
    const watcher = new ResizeObserver(() => {
      // In the next frame: an observer does not learn about what it changes itself.
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(refit);
    });
    watcher.observe(frame);
    for (const child of frame.children) watcher.observe(child);
    return () => {
      cancelAnimationFrame(asked);
      watcher.disconnect();
    };
  }, [ref]);
  // Rows and heads may change without a change of size: the time zone alters a head.
  useLayoutEffect(() => {
    if (ref.current?.dataset['fit'] === 'stacks') label(ref.current);
  });
}

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
