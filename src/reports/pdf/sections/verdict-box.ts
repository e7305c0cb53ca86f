import { type Flow, lineHeight } from '../layout/flow.ts';
import { breakLines } from '../layout/lines.ts';
import { drawMark, MARK_COLOURS, type Mark } from '../layout/marks.ts';
import { COLOURS } from '../layout/theme.ts';

/** A verdict in a box of its colour, with its sign, its word, and what it means. */
export function writeVerdictBox(
  flow: Flow,
  mark: Mark,
  title: string,
  texts: readonly { readonly text: string; readonly bold?: boolean }[],
): void {
  const { styles } = flow;
  const head = { ...styles.h1, colour: MARK_COLOURS[mark] };
  const lines = [
    ...breakLines(title, head, flow.width - 52),
    ...texts.flatMap(({ text, bold = false }) => breakLines(text, bold ? styles.bold : styles.body, flow.width - 52)),
  ];
  const height = lines.reduce((sum, { style }) => sum + lineHeight(style), 0) + 20;
  flow.need(height);
  const top = flow.y;
  flow.artifact((sheet) => {
    sheet.rectangle(flow.left, top, flow.width, height, COLOURS.band);
    sheet.rectangle(flow.left, top, 4, height, MARK_COLOURS[mark]);
    drawMark(sheet, mark, flow.left + 24, top + 22, 9);
  });
  const element = flow.element('P');
  flow.mark(element, 'P', (sheet) => {
    let y = top + 10;
    for (const line of lines) {
      sheet.text(line, flow.left + 44, y + line.style.size * 1.04);
      y += lineHeight(line.style);
    }
  });
  element.end();
  flow.y = top + height;
  flow.gap(14);
}
