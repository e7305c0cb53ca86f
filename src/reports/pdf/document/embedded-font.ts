import { readFileSync } from 'node:fs';
import {
  ClusterLevel,
  Direction,
  Face,
  Blob as FontBytes,
  Font as ShapingFont,
  Buffer as ShapingText,
  shape,
} from 'harfbuzzjs';
import type { PDFDocument, PdfFont } from './pdfkit.ts';

/** A glyph of a font that is embedded, as text operators want it. */
export interface Glyph {
  readonly font: EmbeddedFont;
  /** Its number in the embedded subset, as four hexadecimal digits. */
  readonly hex: string;
  /** In thousandths of the size. */
  readonly advance: number;
  readonly isSpace: boolean;
  readonly isHyphen: boolean;
}

/** A glyph of a shaped word: where it is drawn, in thousandths of the size from where the word begins; `up` from the baseline. */
export interface PlacedGlyph {
  readonly hex: string;
  readonly along: number;
  readonly up: number;
}

/** Glyphs that mean a text together: `actual` where they do not say it themselves (ActualText, ISO 32000-1 §14.9.4). */
export interface ShapedSpan {
  /** From left to right. */
  readonly glyphs: readonly PlacedGlyph[];
  readonly actual: string | null;
}

/** A word whose letters change their shapes or places with their neighbours. */
export interface ShapedWord {
  /** From left to right. */
  readonly spans: readonly ShapedSpan[];
  readonly advance: number;
}

/** A glyph as HarfBuzz places it, in font units. */
interface Shaped {
  readonly id: number;
  readonly codePoints: readonly number[];
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** What a glyph means that stands for no character: U+FFFD, since ISO 19005-3 wants none that means U+0000. */
const NO_CHARACTER = 0xfffd;

/** The number of shaped words that are remembered; texts may have any number of them. */
const MAX_WORDS = 4096;

/**
 * A TrueType or OpenType font of the document. Scripts that need no shaping have one glyph for each code point: no ligatures, no
 * kerning, so that the text comes out of the PDF as it went in. Two code points that share a shape (such as Ω and the sign for ohm) get a
 * glyph each, for otherwise both would be read back as one of them.
 */
export class EmbeddedFont {
  readonly #document: PDFDocument;
  readonly #font: PdfFont;
  readonly #scale: number;
  readonly #glyphs = new Map<string, Glyph>();
  readonly #shapedGlyphs = new Map<string, string>();
  readonly #words = new Map<string, ShapedWord>();
  readonly #path: string;
  /** Opened with the first word that is shaped. */
  #shaping: ShapingFont | null = null;

  /** @param path a font file */
  constructor(document: PDFDocument, path: string) {
    this.#document = document;
    this.#path = path;
    this.#font = document.font(path)._font;
    this.#scale = 1000 / this.#font.font.unitsPerEm;
    // Glyph 0 stands for what a font lacks and is never drawn. pdfkit has it mean U+0000.
    this.#font.unicode[0] = [NO_CHARACTER];
  }

  get id(): string {
    return this.#font.id;
  }

  /** Whether its owner allows embedding a part of it (OpenType, OS/2 fsType). */
  get mayBeEmbedded(): boolean {
    const { fsType } = this.#font.font['OS/2'] ?? { fsType: { noEmbedding: false, noSubsetting: false } };
    return !fsType.noEmbedding && !fsType.noSubsetting;
  }

  /** Whether the font draws something for a code point; a glyph without an outline would be a blank. */
  covers(codePoint: number): boolean {
    const { font } = this.#font;
    return font.hasGlyphForCodePoint(codePoint) && font.glyphForCodePoint(codePoint).path.commands.length > 0;
  }

  /** @param drawn the code point that is drawn for it: its mirror image, in text from right to left */
  glyph(codePoint: number, drawn = codePoint): Glyph {
    const key = `${codePoint} ${drawn}`;
    const known = this.#glyphs.get(key);
    if (known !== undefined) return known;
    const { id, advanceWidth } = this.#font.font.glyphForCodePoint(drawn);
    const glyph: Glyph = {
      font: this,
      hex: this.#add(id, advanceWidth, [codePoint]),
      advance: advanceWidth * this.#scale,
      isSpace: codePoint === 0x20,
      isHyphen: codePoint === 0x2d,
    };
    this.#glyphs.set(key, glyph);
    return glyph;
  }

  /** Shapes a word of one script and one direction. */
  shape(word: string, direction: 'ltr' | 'rtl'): ShapedWord {
    const key = `${direction} ${word}`;
    const known = this.#words.get(key);
    if (known !== undefined) return known;
    const glyphs = this.#shapedGlyphsOf(word, direction);
    const placed: PlacedGlyph[] = [];
    const spans: ShapedSpan[] = [];
    let advance = 0;
    for (const { id, codePoints, xAdvance, xOffset, yOffset } of glyphs) {
      const name = `${id} ${codePoints.join(' ')}`;
      let hex = this.#shapedGlyphs.get(name);
      if (hex === undefined) {
        const { advanceWidth } = this.#font.font.getGlyph(id);
        hex = this.#add(id, advanceWidth, codePoints.length === 0 ? [NO_CHARACTER] : codePoints);
        this.#shapedGlyphs.set(name, hex);
      }
      const glyph = { hex, along: (advance + xOffset) * this.#scale, up: yOffset * this.#scale };
      placed.push(glyph);
      advance += xAdvance;
      // A letter that is drawn as several glyphs is meant by one of them, and the others mean nothing.
      spans.push({ glyphs: [glyph], actual: codePoints.length === 0 ? '' : null });
    }
    const isReadBack =
      glyphs.every(({ codePoints }) => codePoints.length > 0) &&
      String.fromCodePoint(...glyphs.flatMap(({ codePoints }) => codePoints)) === word;
    // Readers turn letters that they find from right to left, and would turn those of an ActualText once more.
    const whole: ShapedSpan = { glyphs: placed, actual: isReadBack ? null : word };
    const shaped: ShapedWord = { spans: direction === 'rtl' ? spans : [whole], advance: advance * this.#scale };
    if (this.#words.size >= MAX_WORDS) this.#words.clear();
    this.#words.set(key, shaped);
    return shaped;
  }

  /** From left to right, each with the characters that it stands for: the first of several glyphs stands for those of all. */
  #shapedGlyphsOf(word: string, direction: 'ltr' | 'rtl'): Shaped[] {
    this.#shaping ??= new ShapingFont(new Face(new FontBytes(readFileSync(this.#path))));
    const characters = Array.from(word, (character) => character.codePointAt(0) as number);
    const text = new ShapingText();
    text.addCodePoints(characters);
    text.guessSegmentProperties();
    text.setLanguage('und');
    text.setDirection(direction === 'rtl' ? Direction.RTL : Direction.LTR);
    text.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS);
    shape(this.#shaping, text);
    const glyphs = text.getGlyphInfosAndPositions();
    const beginnings = [...new Set(glyphs.map(({ cluster }) => cluster)), characters.length].sort((a, b) => a - b);
    // The first in the order of the text, not of the drawing: a letter is found where its body is, not at its marks.
    const before = direction === 'rtl' ? 1 : -1;
    return glyphs.map(({ codepoint: id, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }, index) => {
      const isFirst = glyphs[index + before]?.cluster !== cluster;
      const end = isFirst ? beginnings[beginnings.indexOf(cluster) + 1] : cluster;
      return { id, codePoints: characters.slice(cluster, end), xAdvance, xOffset, yOffset };
    });
  }

  #add(id: number, advanceWidth: number, codePoints: readonly number[]): string {
    const { subset, unicode, widths } = this.#font;
    const number = subset.glyphs.push(id) - 1;
    widths[number] = advanceWidth * this.#scale;
    unicode[number] = [...codePoints];
    return number.toString(16).padStart(4, '0');
  }

  /** Names the font among the resources of the current page. */
  addToPage(): void {
    this.#document.page.fonts[this.id] ??= this.#font.ref();
  }
}
