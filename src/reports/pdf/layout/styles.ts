import { join } from 'node:path';
import { resourcePath } from '../../../node/index.ts';
import { EmbeddedFont } from '../document/embedded-font.ts';
import { FurtherFonts } from '../document/further-fonts.ts';
import type { PDFDocument } from '../document/pdfkit.ts';
import { Typeset } from '../document/typeset.ts';
import type { TextStyle } from './lines.ts';
import { COLOURS, SIZES } from './theme.ts';

/** The styles of a report. */
export interface Styles {
  readonly title: TextStyle;
  readonly h1: TextStyle;
  readonly h2: TextStyle;
  readonly h3: TextStyle;
  readonly body: TextStyle;
  readonly bold: TextStyle;
  readonly small: TextStyle;
  readonly smallBold: TextStyle;
  readonly muted: TextStyle;
  readonly mono: TextStyle;
  readonly further: FurtherFonts;
}

/**
 * Loads the fonts into a document: Noto Sans for text, Noto Sans Mono for code and what the others lack, and further ones for other scripts.
 * @param given font files of whoever makes the report
 */
export function loadStyles(document: PDFDocument, given: readonly string[] = []): Styles {
  const folder = resourcePath('fonts');
  const further = new FurtherFonts(document, folder, given);
  const monoFont = new EmbeddedFont(document, join(folder, 'NotoSansMono-Regular.ttf'));
  const regular = new Typeset(new EmbeddedFont(document, join(folder, 'NotoSans-Regular.ttf')), monoFont, further);
  const bold = new Typeset(new EmbeddedFont(document, join(folder, 'NotoSans-Bold.ttf')), monoFont, further);
  const mono = new Typeset(monoFont, monoFont, further);
  const ink = COLOURS.ink;
  return {
    title: { typeset: bold, size: SIZES.title, colour: COLOURS.accent },
    h1: { typeset: bold, size: SIZES.h1, colour: COLOURS.accent },
    h2: { typeset: bold, size: SIZES.h2, colour: COLOURS.accent },
    h3: { typeset: bold, size: SIZES.h3, colour: ink },
    body: { typeset: regular, size: SIZES.body, colour: ink },
    bold: { typeset: bold, size: SIZES.body, colour: ink },
    small: { typeset: regular, size: SIZES.small, colour: ink },
    smallBold: { typeset: bold, size: SIZES.small, colour: ink },
    muted: { typeset: regular, size: SIZES.small, colour: COLOURS.muted },
    mono: { typeset: mono, size: SIZES.mono, colour: ink },
    further,
  };
}
