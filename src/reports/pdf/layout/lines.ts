import type { SetGlyph, Typeset } from '../document/typeset.ts';
import type { Colour } from './theme.ts';

/** How a text looks. Sizes in points. */
export interface TextStyle {
  readonly typeset: Typeset;
  readonly size: number;
  readonly colour: Colour;
}

/** One line of text, ready to be drawn. */
export interface Line {
  readonly glyphs: readonly SetGlyph[];
  readonly style: TextStyle;
}

export function widthOf(glyphs: readonly SetGlyph[], size: number): number {
  let width = 0;
  for (const { advance } of glyphs) width += advance;
  return (width * size) / 1000;
}

/** As many glyphs as a line takes, from `from`; ends after a space where there is one, else anywhere. */
function endOfLine(glyphs: readonly SetGlyph[], from: number, room: number): number {
  let used = 0;
  let afterSpace = from;
  let begun = false;
  for (let at = from; at < glyphs.length; at++) {
    const { advance, isSpace } = glyphs[at] as SetGlyph;
    used += advance;
    // A space that does not fit may hang over the edge: it is not seen.
    if (isSpace) {
      // Not after the spaces that indent a line: that would leave a line of nothing else.
      if (begun) afterSpace = at + 1;
    } else if (used > room) {
      if (afterSpace > from) return afterSpace;
      return at === from ? at + 1 : at;
    } else begun = true;
  }
  return glyphs.length;
}

/**
 * A hyphen that ends a line would be taken for one that divides a word, and left out by who copies the text: it goes to
 * the next line, where there is something before it.
 */
function beforeHyphen(glyphs: readonly SetGlyph[], from: number, end: number): number {
  if (end === glyphs.length) return end;
  let last = end - 1;
  while (last > from && glyphs[last]?.isSpace) last--;
  while (last > from && glyphs[last]?.isHyphen) {
    last--;
    if (!glyphs[last]?.isHyphen) return last > from ? last + 1 : end;
  }
  return end;
}

/**
 * Breaks a text into lines of a width in points. Nothing is left out, and no word is too long: it is broken where the
 * line ends. A combining mark may come to begin a line; its letter is the one before it.
 */
export function breakLines(text: string, style: TextStyle, width: number): Line[] {
  const room = (width * 1000) / style.size;
  const glyphs = style.typeset
    .set(text)
    .flatMap((glyph) => (glyph.word !== null && glyph.advance > room ? style.typeset.split(glyph, room) : [glyph]));
  const lines: Line[] = [];
  for (let from = 0; from < glyphs.length; ) {
    const end = beforeHyphen(glyphs, from, endOfLine(glyphs, from, room));
    lines.push({ glyphs: glyphs.slice(from, end), style });
    from = end;
  }
  return lines;
}
