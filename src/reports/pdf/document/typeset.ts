import { VisibleText } from '../text/fallback.ts';
import { levelsOf, mirrored } from '../text/levels.ts';
import { clusters, isBrokenAnywhere, isShaped } from '../text/scripts.ts';
import type { EmbeddedFont, Glyph, ShapedWord } from './embedded-font.ts';
import type { FurtherFonts } from './further-fonts.ts';

/** What a line is made of: a glyph of one code point, or a word that was shaped as a whole. */
export interface SetGlyph extends Glyph {
  /** Whether it belongs to the name of a character that is not shown itself. */
  readonly escape: boolean;
  /** Embedding level: odd where it is read from right to left. */
  readonly level: number;
  /** The shaped word, which has no `hex`; null of a single glyph. */
  readonly word: (ShapedWord & { readonly text: string }) | null;
}

/** Longer words are shaped in parts: a text without a blank may have any length. */
const LONGEST_WORD = 48;

/** How text is set: a first choice of font, another for what the first lacks and for escapes, and further ones for other scripts. */
export class Typeset {
  readonly #first: EmbeddedFont;
  readonly #second: EmbeddedFont;
  readonly #further: FurtherFonts;
  readonly #visible: VisibleText;
  readonly #fonts = new Map<number, EmbeddedFont>();
  readonly #shown = new Map<number, SetGlyph>();
  readonly #escapes = new Map<number, SetGlyph>();

  constructor(first: EmbeddedFont, second: EmbeddedFont, further: FurtherFonts) {
    this.#first = first;
    this.#second = second;
    this.#further = further;
    this.#visible = new VisibleText((codePoint) => this.#findFont(codePoint) !== null);
  }

  #findFont(codePoint: number): EmbeddedFont | null {
    if (codePoint === 0x20 || this.#first.covers(codePoint)) return this.#first;
    if (this.#second.covers(codePoint)) return this.#second;
    return this.#further.fontFor(codePoint);
  }

  #fontOf(codePoint: number): EmbeddedFont {
    let font = this.#fonts.get(codePoint);
    if (font === undefined) {
      font = this.#findFont(codePoint) ?? this.#second;
      this.#fonts.set(codePoint, font);
    }
    return font;
  }

  #shownGlyph(codePoint: number): SetGlyph {
    let glyph = this.#shown.get(codePoint);
    if (glyph === undefined) {
      glyph = { ...this.#fontOf(codePoint).glyph(codePoint), escape: false, level: 0, word: null };
      this.#shown.set(codePoint, glyph);
    }
    return glyph;
  }

  #escapeGlyph(codePoint: number): SetGlyph {
    let glyph = this.#escapes.get(codePoint);
    if (glyph === undefined) {
      glyph = { ...this.#second.glyph(codePoint), escape: true, level: 0, word: null };
      this.#escapes.set(codePoint, glyph);
    }
    return glyph;
  }

  #turnedGlyph(character: string, level: number): SetGlyph {
    const codePoint = character.codePointAt(0) as number;
    if (level === 0) return this.#shownGlyph(codePoint);
    const drawn = level % 2 === 1 ? (mirrored(character).codePointAt(0) as number) : codePoint;
    const font = this.#fontOf(drawn);
    return { ...font.glyph(codePoint, drawn), escape: false, level, word: null };
  }

  #word(font: EmbeddedFont, text: string, level: number): SetGlyph {
    const shaped = font.shape(text, level % 2 === 1 ? 'rtl' : 'ltr');
    const { advance } = shaped;
    return { font, hex: '', advance, isSpace: false, isHyphen: false, escape: false, level, word: { text, ...shaped } };
  }

  /** The glyphs and words of a text, in its order. */
  set(text: string): SetGlyph[] {
    const glyphs: SetGlyph[] = [];
    for (const run of this.#visible.runs(text)) {
      if (run.kind === 'escape') {
        for (const character of run.text) glyphs.push(this.#escapeGlyph(character.codePointAt(0) as number));
      } else this.#setShown(run.text, glyphs);
    }
    return glyphs;
  }

  /** The font that shapes a letter with its marks; null where it needs no shaping, or no font has all of it. */
  #wordFont(cluster: string): EmbeddedFont | null {
    const [first = ''] = cluster;
    if (!isShaped(first)) return null;
    const font = this.#fontOf(first.codePointAt(0) as number);
    return [...cluster].every((character) => font.covers(character.codePointAt(0) as number)) ? font : null;
  }

  #setShown(text: string, glyphs: SetGlyph[]): void {
    if (!/[^\x20-\u02af]/.test(text)) {
      for (const character of text) glyphs.push(this.#shownGlyph(character.codePointAt(0) as number));
      return;
    }
    const levels = levelsOf(text);
    let word = '';
    let wordFont = this.#first;
    let wordLevel = 0;
    const end = (): void => {
      if (word !== '') glyphs.push(this.#word(wordFont, word, wordLevel));
      word = '';
    };
    let at = 0;
    for (const cluster of clusters(text)) {
      const level = levels?.[at] ?? 0;
      at += cluster.length;
      const font = this.#wordFont(cluster);
      if (font === null) {
        end();
        for (const character of cluster) glyphs.push(this.#turnedGlyph(character, level));
        continue;
      }
      const continues =
        font === wordFont && level === wordLevel && word.length < LONGEST_WORD && !isBrokenAnywhere(cluster);
      if (!continues) end();
      [word, wordFont, wordLevel] = [word + cluster, font, level];
    }
    end();
  }

  /** A word in parts that each have room, in thousandths of the size; a cluster that has none is a part all the same. */
  split({ font, word, level }: SetGlyph, room: number): SetGlyph[] {
    const parts: SetGlyph[] = [];
    let part: SetGlyph | null = null;
    for (const cluster of clusters(word?.text ?? '')) {
      const longer: SetGlyph = this.#word(font, (part?.word?.text ?? '') + cluster, level);
      if (part !== null && longer.advance > room) {
        parts.push(part);
        part = this.#word(font, cluster, level);
      } else part = longer;
    }
    return part === null ? parts : [...parts, part];
  }
}
