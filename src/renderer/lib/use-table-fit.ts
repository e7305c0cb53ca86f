import { type RefObject, useLayoutEffect } from 'react';

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
export function useTableFit(ref: RefObject<HTMLElement | null>): void {
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
