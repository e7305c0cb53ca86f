/** How wide a moment is in the page's own font, in pixels at 13 pixels of size: what widths of columns were made with. */
const OWN_WIDTH = 158;
const MOMENT = '2026-11-21 23:37:00.310';

/**
 * How much wider the font is that texts are really drawn with, at least 1: the widths of columns grow by it, so that a list
 * shows the same with any font.
 */
export function fontWidth(): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  context.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(1, context.measureText(MOMENT).width / OWN_WIDTH);
}
