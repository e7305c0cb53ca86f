import { join } from 'node:path';
import { messageOf } from '../../../protocol/index.ts';
import { ReportError } from '../report-error.ts';
import { scriptName } from '../text/scripts.ts';
import { EmbeddedFont } from './embedded-font.ts';
import type { PDFDocument } from './pdfkit.ts';

/** Which of the fonts that come along has which scripts. Japanese names are drawn with the forms of Chinese ones. */
const BUILT_IN: readonly (readonly [scripts: RegExp, file: string])[] = [
  [/\p{scx=Arabic}/u, 'NotoSansArabic-Regular.ttf'],
  [/\p{scx=Hebrew}/u, 'NotoSansHebrew-Regular.ttf'],
  [/\p{scx=Devanagari}/u, 'NotoSansDevanagari-Regular.ttf'],
  [/\p{scx=Bengali}/u, 'NotoSansBengali-Regular.ttf'],
  [/\p{scx=Tamil}/u, 'NotoSansTamil-Regular.ttf'],
  [/\p{scx=Thai}/u, 'NotoSansThai-Regular.ttf'],
  [/\p{scx=Armenian}/u, 'NotoSansArmenian-Regular.ttf'],
  [/\p{scx=Georgian}/u, 'NotoSansGeorgian-Regular.ttf'],
  [/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303f\uff00-\uffef]/u, 'NotoSansSC-Regular.ttf'],
  [/\p{scx=Hangul}/u, 'NotoSansKR-Hangul.ttf'],
];

function openGiven(document: PDFDocument, path: string): EmbeddedFont {
  let font: EmbeddedFont;
  try {
    font = new EmbeddedFont(document, path);
    font.covers(0x20);
  } catch (error) {
    throw new ReportError('FONT_UNUSABLE', `font ${path}: it is damaged: ${messageOf(error)}`);
  }
  if (!font.mayBeEmbedded)
    throw new ReportError('FONT_UNUSABLE', `font ${path}: its licence does not allow embedding it`);
  return font;
}

/**
 * Fonts for what the text fonts lack: those that whoever makes the report gave, then the one that comes along for the script. Each is
 * opened when the first character needs it, so that a report without such characters costs nothing.
 */
export class FurtherFonts {
  readonly #document: PDFDocument;
  readonly #folder: string;
  readonly #given: readonly EmbeddedFont[];
  readonly #opened = new Map<string, EmbeddedFont>();
  readonly #missing = new Set<string>();

  /**
   * @param given paths of font files that `checkFont` took
   * @throws ReportError FONT_UNUSABLE
   */
  constructor(document: PDFDocument, folder: string, given: readonly string[]) {
    this.#document = document;
    this.#folder = folder;
    this.#given = given.map((path) => openGiven(document, path));
  }

  /** The font that draws a code point; null where there is none, which is noted. */
  fontFor(codePoint: number): EmbeddedFont | null {
    const given = this.#given.find((font) => font.covers(codePoint));
    if (given !== undefined) return given;
    const character = String.fromCodePoint(codePoint);
    for (const [scripts, file] of BUILT_IN) {
      if (!scripts.test(character)) continue;
      const font = this.#open(file);
      if (font.covers(codePoint)) return font;
    }
    const name = scriptName(character);
    if (name !== null) this.#missing.add(name);
    return null;
  }

  /** Scripts of letters that no font here has, by name, in the order in which they were met. */
  get missingScripts(): readonly string[] {
    return [...this.#missing];
  }

  #open(file: string): EmbeddedFont {
    let font = this.#opened.get(file);
    if (font === undefined) {
      font = new EmbeddedFont(this.#document, join(this.#folder, file));
      this.#opened.set(file, font);
    }
    return font;
  }
}
