import { VisibleText } from '../text/fallback.ts';
import type { EmbeddedFont, Glyph } from './embedded-font.ts';

/** A glyph on a line; `escape` where it belongs to the name of a character that is not shown itself. */
export interface SetGlyph extends Glyph {
  readonly escape: boolean;
}

/** How text is set: a first choice of font, and another for what the first lacks and for escapes. */
export class Typeset {
  readonly #first: EmbeddedFont;
  readonly #second: EmbeddedFont;
  readonly #visible: VisibleText;
  readonly #shown = new Map<number, SetGlyph>();
  readonly #escapes = new Map<number, SetGlyph>();

  constructor(first: EmbeddedFont, second: EmbeddedFont) {
    this.#first = first;
    this.#second = second;
    this.#visible = new VisibleText((codePoint) => first.covers(codePoint) || second.covers(codePoint));
  }

  #shownGlyph(codePoint: number): SetGlyph {
    let glyph = this.#shown.get(codePoint);
    if (glyph === undefined) {
      const font = codePoint === 0x20 || this.#first.covers(codePoint) ? this.#first : this.#second;
      glyph = { ...font.glyph(codePoint), escape: false };
      this.#shown.set(codePoint, glyph);
    }
    return glyph;
  }

  #escapeGlyph(codePoint: number): SetGlyph {
    let glyph = this.#escapes.get(codePoint);
    if (glyph === undefined) {
      glyph = { ...this.#second.glyph(codePoint), escape: true };
      this.#escapes.set(codePoint, glyph);
    }
    return glyph;
  }

  /** The glyphs of a text, in its order. */
  set(text: string): SetGlyph[] {
    const glyphs: SetGlyph[] = [];
    for (const run of this.#visible.runs(text)) {
      const isEscape = run.kind === 'escape';
      for (const character of run.text) {
        const codePoint = character.codePointAt(0) as number;
        glyphs.push(isEscape ? this.#escapeGlyph(codePoint) : this.#shownGlyph(codePoint));
      }
    }
    return glyphs;
  }
}
