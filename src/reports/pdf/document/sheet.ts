import type { Line } from '../layout/lines.ts';
import { COLOURS, type Colour } from '../layout/theme.ts';
import { visualOrder } from '../text/levels.ts';
import type { PDFDocument } from './pdfkit.ts';
import type { SetGlyph } from './typeset.ts';

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function fill(colour: Colour): string {
  return `${colour.map((part) => number(part)).join(' ')} rg`;
}

function stroke(colour: Colour): string {
  return `${colour.map((part) => number(part)).join(' ')} RG`;
}

/** As PDF has it in a string: UTF-16, big-endian, with its mark. */
function utf16(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');
}

/** Where each glyph begins, in thousandths of the size from where the line does; null where they follow each other as they are. */
function placesOf(glyphs: readonly SetGlyph[]): number[] | null {
  if (glyphs.every(({ level, word }) => level === 0 && word === null)) return null;
  const last = glyphs.findLastIndex(({ isSpace }) => !isSpace);
  // Blanks at the end of a line stay there (UAX #9, L1).
  const order = visualOrder(glyphs.map(({ level }, index) => (index > last ? 0 : level)));
  const places = new Array<number>(glyphs.length).fill(0);
  let along = 0;
  for (const index of order) {
    places[index] = along;
    along += glyphs[index]?.advance ?? 0;
  }
  return places;
}

export type Point = readonly [x: number, y: number];

/**
 * Draws on the current page, in points from its upper left corner. Operators are collected and handed over together:
 * `flush` before the document is told anything else.
 */
export class Sheet {
  readonly #document: PDFDocument;
  #operators: string[] = [];

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  /**
   * Draws a line of text; the names of characters that are not shown have a colour of their own. What is read from right to left is drawn
   * where it belongs, in the order of the text.
   */
  text({ glyphs, style }: Line, x: number, baseline: number): void {
    if (glyphs.length === 0) return;
    const size = number(style.size);
    const places = placesOf(glyphs);
    let operators = 'BT';
    let hex = '';
    let font = '';
    let isEscape: boolean | null = null;
    /** Where the next glyph comes by itself, in thousandths of the size; null where it has to be said. */
    let pen: number | null = null;
    const show = (): void => {
      if (hex !== '') operators += ` <${hex}> Tj`;
      hex = '';
    };
    const moveTo = (along: number, up = 0): void => {
      const [left, top] = [x + (along * style.size) / 1000, baseline - (up * style.size) / 1000];
      // The page's coordinates run downward; text is turned back.
      operators += ` 1 0 0 -1 ${number(left)} ${number(top)} Tm`;
    };
    glyphs.forEach((glyph, index) => {
      const place = places?.[index] ?? pen ?? 0;
      if (glyph.escape !== isEscape) {
        show();
        isEscape = glyph.escape;
        operators += ` ${fill(isEscape ? COLOURS.escape : style.colour)}`;
      }
      if (glyph.font.id !== font) {
        show();
        font = glyph.font.id;
        glyph.font.addToPage();
        operators += ` /${font} ${size} Tf`;
      }
      if (glyph.word !== null) {
        show();
        for (const { glyphs: parts, actual } of glyph.word.spans) {
          if (actual !== null) operators += ` /Span <</ActualText <${utf16(actual)}>>> BDC`;
          for (const { hex: part, along, up } of parts) {
            moveTo(place + along, up);
            operators += ` <${part}> Tj`;
          }
          if (actual !== null) operators += ' EMC';
        }
        pen = null;
        return;
      }
      if (pen !== place) {
        show();
        moveTo(place);
      }
      hex += glyph.hex;
      pen = place + glyph.advance;
    });
    show();
    this.#operators.push(`${operators} ET`);
  }

  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#operators.push(`${fill(colour)} ${[x, y, width, height].map(number).join(' ')} re f`);
  }

  /** A rectangle of many, in one colour: much shorter than one after the other. */
  rectangles(all: readonly (readonly [x: number, y: number, width: number, height: number])[], colour: Colour): void {
    const paths = all.map((sides) => `${sides.map(number).join(' ')} re`);
    if (paths.length > 0) this.#operators.push(`${fill(colour)} ${paths.join(' ')} f`);
  }

  polyline(points: readonly Point[], colour: Colour, width: number): void {
    const path = points.map(([x, y], index) => `${number(x)} ${number(y)} ${index === 0 ? 'm' : 'l'}`).join(' ');
    this.#operators.push(`${stroke(colour)} ${number(width)} w 1 J 1 j ${path} S`);
  }

  polygon(points: readonly Point[], colour: Colour): void {
    const path = points.map(([x, y], index) => `${number(x)} ${number(y)} ${index === 0 ? 'm' : 'l'}`).join(' ');
    this.#operators.push(`${fill(colour)} ${path} h f`);
  }

  disc(x: number, y: number, radius: number, colour: Colour): void {
    // Four Bézier curves; 0.5523 makes them a circle to within a thousandth.
    const [r, k] = [radius, radius * 0.5523];
    const curves = [
      [x + r, y + k, x + k, y + r, x, y + r],
      [x - k, y + r, x - r, y + k, x - r, y],
      [x - r, y - k, x - k, y - r, x, y - r],
      [x + k, y - r, x + r, y - k, x + r, y],
    ].map((points) => `${points.map(number).join(' ')} c`);
    this.#operators.push(`${fill(colour)} ${number(x + r)} ${number(y)} m ${curves.join(' ')} f`);
  }

  flush(): void {
    if (this.#operators.length === 0) return;
    this.#document.addContent(this.#operators.join('\n'));
    this.#operators = [];
  }
}
