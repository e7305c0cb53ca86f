import type { CheckStatus } from '../../../protocol/index.ts';
import type { Sheet } from '../document/sheet.ts';
import { COLOURS, type Colour } from './theme.ts';

/** A sign: each has its own shape, so that it is told apart without its colour. */
export type Mark = CheckStatus;

export const MARK_COLOURS: Readonly<Record<Mark, Colour>> = {
  pass: COLOURS.pass,
  fail: COLOURS.fail,
  not_checked: COLOURS.open,
  not_applicable: COLOURS.none,
};

/** Draws a sign around a point: a disc with a tick, a square with a cross, a triangle with a stroke, a dash. */
export function drawMark(sheet: Sheet, mark: Mark, x: number, y: number, radius = 4.6): void {
  const colour = MARK_COLOURS[mark];
  const r = radius;
  const width = r * 0.3;
  switch (mark) {
    case 'pass':
      sheet.disc(x, y, r, colour);
      sheet.polyline(
        [
          [x - r * 0.48, y + r * 0.02],
          [x - r * 0.12, y + r * 0.4],
          [x + r * 0.5, y - r * 0.38],
        ],
        COLOURS.white,
        width,
      );
      break;
    case 'fail':
      sheet.rectangle(x - r * 0.92, y - r * 0.92, r * 1.84, r * 1.84, colour);
      sheet.polyline(
        [
          [x - r * 0.42, y - r * 0.42],
          [x + r * 0.42, y + r * 0.42],
        ],
        COLOURS.white,
        width,
      );
      sheet.polyline(
        [
          [x - r * 0.42, y + r * 0.42],
          [x + r * 0.42, y - r * 0.42],
        ],
        COLOURS.white,
        width,
      );
      break;
    case 'not_checked':
      sheet.polygon(
        [
          [x, y - r],
          [x + r * 1.1, y + r * 0.88],
          [x - r * 1.1, y + r * 0.88],
        ],
        colour,
      );
      sheet.polyline(
        [
          [x, y - r * 0.32],
          [x, y + r * 0.24],
        ],
        COLOURS.white,
        width,
      );
      sheet.disc(x, y + r * 0.58, width * 0.6, COLOURS.white);
      break;
    case 'not_applicable':
      sheet.rectangle(x - r * 0.8, y - r * 0.16, r * 1.6, r * 0.32, colour);
      break;
  }
}
