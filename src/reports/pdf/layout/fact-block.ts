import type { Flow } from './flow.ts';
import { breakLines, type TextStyle, widthOf } from './lines.ts';
import { type Row, writeRows } from './rows.ts';

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
  const rows = facts.flatMap(({ name, value, code = false }): Row[] => {
    const style: TextStyle = code ? mono : small;
    const labels = breakLines(name, muted, VALUES).map((line) => ({
      line,
      x: VALUES - GAP - widthOf(line.glyphs, muted.size),
    }));
    return breakLines(value, style, width).map((line, index) => [...(index === 0 ? labels : []), { line, x: VALUES }]);
  });
  writeRows(flow, rows, small);
}
