import type { Flow } from '../layout/flow.ts';
import { breakLines, type Line } from '../layout/lines.ts';
import { COLOURS } from '../layout/theme.ts';

/** What somebody wrote in a report, as it was written, set apart from what is evidence. @param label whose words they are */
export function writeWords(flow: Flow, text: string, label: string): void {
  const { body, bold } = flow.styles;
  const element = flow.element('Note');
  const width = flow.width - 16;
  const lines: Line[] = [
    ...breakLines(label, bold, width),
    ...text.split('\n').flatMap((line) => breakLines(line === '' ? ' ' : line, body, width)),
  ];
  flow.lines(element, 'Note', lines, { band: COLOURS.band });
  element.end();
  flow.gap(5);
}
