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

/**
 * A TrueType font of the document, one glyph for each code point: no ligatures, no kerning, no shaping, so that the text
 * comes out of the PDF as it went in. Two code points that share a shape (such as Ω and the sign for ohm) get a glyph
 * each, for otherwise both would be read back as one of them.
 */
export class EmbeddedFont {
  readonly #document: PDFDocument;
  readonly #font: PdfFont;
  readonly #scale: number;
  readonly #glyphs = new Map<number, Glyph>();

  /** @param path a TrueType file */
  constructor(document: PDFDocument, path: string) {
    this.#document = document;
    this.#font = document.font(path)._font;
    this.#scale = 1000 / this.#font.font.unitsPerEm;
    // Glyph 0 stands for what a font lacks and is never drawn. ISO 19005-3 wants no glyph to mean U+0000, as it does by
    // pdfkit's default.
    this.#font.unicode[0] = [0xfffd];
  }

  get id(): string {
    return this.#font.id;
  }

  /** Whether the font draws something for a code point; a glyph without an outline would be a blank. */
  covers(codePoint: number): boolean {
    const { font } = this.#font;
    return font.hasGlyphForCodePoint(codePoint) && font.glyphForCodePoint(codePoint).path.commands.length > 0;
  }

  glyph(codePoint: number): Glyph {
    const known = this.#glyphs.get(codePoint);
    if (known !== undefined) return known;
    const { font, subset, unicode, widths } = this.#font;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const number = subset.glyphs.push(id) - 1;
    widths[number] = advanceWidth * this.#scale;
    unicode[number] = [codePoint];
    const glyph: Glyph = {
      font: this,
      hex: number.toString(16).padStart(4, '0'),
      advance: advanceWidth * this.#scale,
      isSpace: codePoint === 0x20,
      isHyphen: codePoint === 0x2d,
    };
    this.#glyphs.set(codePoint, glyph);
    return glyph;
  }

  /** Names the font among the resources of the current page. */
  addToPage(): void {
    this.#document.page.fonts[this.id] ??= this.#font.ref();
  }
}
