import { type Flow, lineHeight } from './flow.ts';
import { breakLines, type TextStyle, widthOf } from './lines.ts';

/** A name and its value; `code` is set in the monospaced font. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly code?: boolean;
}

/** Where the values begin, in points from the left. */
const VALUES = 68;

/**
 * Between a name and its value, in points. Names stand against their values: programs that read the page by the places of
 * its words would take a wider gap for that between two columns, and read all names before the first value.
 */
const GAP = 4;

/** Names and values side by side, as one paragraph: denser than a table, for what comes thousands of times. */
export function writeFactBlock(flow: Flow, facts: readonly Fact[]): void {
  const { small, mono, muted } = flow.styles;
  const width = flow.width - VALUES;
  const rows = facts.flatMap(({ name, value, code = false }) => {
    const style: TextStyle = code ? mono : small;
    return breakLines(value, style, width).map((line, index) => ({ name: index === 0 ? name : '', line }));
  });
  const height = lineHeight(small);
  const element = flow.element('P');
  for (let from = 0; from < rows.length; ) {
    if (flow.y + height > flow.bottom) flow.newPage();
    const piece = rows.slice(from, from + Math.floor((flow.bottom - flow.y) / height));
    const top = flow.y;
    flow.mark(element, 'P', (sheet) => {
      piece.forEach(({ name, line }, index) => {
        const baseline = top + index * height + small.size * 1.04;
        for (const label of breakLines(name, muted, VALUES)) {
          sheet.text(label, flow.left + VALUES - GAP - widthOf(label.glyphs, muted.size), baseline);
        }
        sheet.text(line, flow.left + VALUES, baseline);
      });
    });
    flow.y = top + piece.length * height;
    from += piece.length;
  }
  element.end();
}
