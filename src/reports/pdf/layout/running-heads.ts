import type { Furniture } from './flow.ts';
import { breakLines, widthOf } from './lines.ts';
import type { Styles } from './styles.ts';
import { COLOURS, PAGE } from './theme.ts';

/** What stands at the head and foot of every page, beside its number. */
export interface RunningHeads {
  readonly left: string;
  readonly right: string;
  readonly foot: string;
}

/** Header and footer: what the loose page belongs to. Of a text that is too long, only what fits on the line. */
export function runningHeads(styles: Styles, { left, right, foot }: RunningHeads): Furniture {
  const { muted } = styles;
  return (sheet, pageNumber) => {
    const put = (text: string, baseline: number, side: 'left' | 'right'): void => {
      const [line] = breakLines(text, muted, 300);
      if (line === undefined) return;
      const x = side === 'left' ? PAGE.left : PAGE.width - PAGE.right - widthOf(line.glyphs, muted.size);
      sheet.text(line, x, baseline);
    };
    put(left, 38, 'left');
    put(right, 38, 'right');
    sheet.rectangle(PAGE.left, 46, PAGE.width - PAGE.left - PAGE.right, 0.5, COLOURS.rule);
    put(foot, PAGE.height - 30, 'left');
    put(`Page ${pageNumber}`, PAGE.height - 30, 'right');
  };
}
