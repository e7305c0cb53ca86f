import { type Flow, lineHeight } from './flow.ts';
import type { Line, TextStyle } from './lines.ts';

/** What stands on one line of a block: pieces of text, each at its place from the left edge of the page's contents, in points. */
export type Row = readonly { readonly line: Line; readonly x: number }[];

/** Rows of one height as one paragraph, over as many pages as they need. */
export function writeRows(flow: Flow, rows: readonly Row[], style: TextStyle): void {
  if (rows.length === 0) return;
  const height = lineHeight(style);
  const element = flow.element('P');
  for (let from = 0; from < rows.length; ) {
    if (flow.y + height > flow.bottom) flow.newPage();
    const piece = rows.slice(from, from + Math.floor((flow.bottom - flow.y) / height));
    const top = flow.y;
    flow.mark(element, 'P', (sheet) => {
      piece.forEach((row, index) => {
        const baseline = top + index * height + style.size * 1.04;
        for (const { line, x } of row) sheet.text(line, flow.left + x, baseline);
      });
    });
    flow.y = top + piece.length * height;
    from += piece.length;
  }
  element.end();
}
