import type { ReactNode } from 'react';

interface RowBlockProps {
  /** Number of the place that the first drawn row has, and how many are drawn. */
  readonly first: number;
  readonly count: number;
  /** Heights in pixels: of a row, of the head that lies over the list, and of what is visible of the list. */
  readonly rowHeight: number;
  readonly headHeight: number;
  readonly view: number;
  /** The rows, each placed by `placeOf`. */
  readonly children: ReactNode;
}

/**
 * The rows of a long list that are drawn, at their place in its scrolled space. The browser scrolls ahead of what is
 * drawn; where it comes past the last row of the block, the block stays in sight until it is drawn again.
 */
export function RowBlock({ first, count, rowHeight, headHeight, view, children }: RowBlockProps) {
  const height = count * rowHeight;
  // Both are negative: so far the block may be scrolled out of sight at each end.
  const style = {
    height,
    marginTop: first * rowHeight,
    top: Math.min(headHeight, view - height),
    bottom: Math.min(0, view - headHeight - height),
  };
  return (
    <div className="grid-block" role="presentation" style={style}>
      {children}
    </div>
  );
}

/** Where a row is within its block. */
export function placeOf(index: number, first: number, rowHeight: number): string {
  return `translateY(${(index - first) * rowHeight}px)`;
}
