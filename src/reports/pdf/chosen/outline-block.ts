import type { Outline } from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines, widthOf } from '../layout/lines.ts';
import { type Row, writeRows } from '../layout/rows.ts';

/** How far a level is set in, and the space between a name and its value, in points. */
const STEP = 12;
const GAP = 5;

/** The least room for a value, as a share of the width: a name that leaves less has its value below it. */
const LEAST_ROOM = 0.45;

/** A value laid out for reading: names in grey, what stands there behind them, what is in it below. */
export function writeOutline(flow: Flow, { lines }: Outline): void {
  const { small, muted } = flow.styles;
  const rows: Row[] = [];
  for (const { depth, name, value } of lines) {
    const left = 8 + depth * STEP;
    const names = breakLines(name, muted, flow.width - left).map((line) => ({ line, x: left }));
    const last = names.at(-1);
    if (value === null) {
      for (const piece of names) rows.push([piece]);
      continue;
    }
    const width = last === undefined ? 0 : widthOf(last.line.glyphs, muted.size) + GAP;
    const isBeside = names.length <= 1 && flow.width - left - width > flow.width * LEAST_ROOM;
    const x = isBeside ? left + width : left + STEP;
    const texts = value.split('\n').flatMap((text) => {
      const set = breakLines(text, small, flow.width - x);
      return set.length > 0 ? set : breakLines(' ', small, flow.width - x);
    });
    if (!isBeside) for (const piece of names) rows.push([piece]);
    texts.forEach((line, index) => {
      rows.push([...(isBeside && index === 0 ? names : []), { line, x }]);
    });
  }
  writeRows(flow, rows, small);
}
