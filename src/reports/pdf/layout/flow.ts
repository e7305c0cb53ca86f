import type { OutlineItem, PDFDocument, StructureElement, StructureOptions } from '../document/pdfkit.ts';
import { type Point, Sheet } from '../document/sheet.ts';
import { breakLines, type Line, type TextStyle } from './lines.ts';
import { drawMark, type Mark } from './marks.ts';
import type { Styles } from './styles.ts';
import { COLOURS, type Colour, LEADING, PAGE } from './theme.ts';

/** Draws what stands on every page beside its contents. */
export type Furniture = (sheet: Sheet, pageNumber: number) => void;

export interface LinesOptions {
  readonly x?: number;
  /** Colour behind the lines, over the width of the page. */
  readonly band?: Colour;
}

export interface HeadingOptions {
  /** Entry among the bookmarks, on their first level or below the last of those. */
  readonly bookmark?: 'section' | 'part';
  /** How much must fit below it on the same page, in points. */
  readonly keep?: number;
  readonly colour?: Colour;
  /** A sign before the text, which must say the same. */
  readonly mark?: Mark;
}

/** How far the items of a list are set in, in points. */
const LIST_INDENT = 18;

/** How much narrower code is than the page, in points. */
export const CODE_PADDING = 16;

/** How many pages are made at one go. */
const PAGES_BETWEEN_RESTS = 8;

/** How many characters and lines of code are laid out at once: payloads may have millions. */
const CODE_PIECE = { characters: 50_000, lines: 1000 };

/** Padding of a band around its lines, in points. */
const BAND_PADDING = 4;

/** A text in pieces of this many characters or a few more, none of which begins within a character. */
function* pieces(text: string, length: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let end = from + length;
    while (end < text.length && /[\p{M}\udc00-\udfff]/u.test(text.charAt(end))) end++;
    yield text.slice(from, end);
    from = end;
  }
}

export function lineHeight(style: TextStyle): number {
  return style.size * LEADING;
}

/**
 * The report as it runs down one page after the other: a cursor, page breaks, and the structure tree. Every mark on a
 * page is either the contents of a structure element or an artifact.
 */
export class Flow {
  readonly document: PDFDocument;
  readonly styles: Styles;
  readonly left = PAGE.left;
  readonly width = PAGE.width - PAGE.left - PAGE.right;
  readonly bottom = PAGE.height - PAGE.bottom;
  /** Where the next thing is drawn, in points from the top of the page. */
  y = 0;
  pages = 0;
  readonly #sheet: Sheet;
  readonly #furniture: Furniture;
  readonly #breathe: () => Promise<void>;
  #restedAt = 0;
  readonly #open: StructureElement[] = [];
  #section: OutlineItem | null = null;

  /** @param breathe lets others run, and what was made be written out */
  constructor(document: PDFDocument, styles: Styles, furniture: Furniture, breathe: () => Promise<void>) {
    this.document = document;
    this.styles = styles;
    this.#sheet = new Sheet(document);
    this.#furniture = furniture;
    this.#breathe = breathe;
    const root = document.struct('Document');
    document.addStructure(root);
    this.#open.push(root);
    this.newPage();
  }

  newPage(): void {
    this.document.addPage();
    this.pages++;
    this.y = PAGE.top;
    this.artifact((sheet) => this.#furniture(sheet, this.pages), 'Pagination');
  }

  /** To be awaited between two of many things: comes up for air every few pages. */
  async rest(): Promise<void> {
    if (this.pages - this.#restedAt < PAGES_BETWEEN_RESTS) return;
    this.#restedAt = this.pages;
    await this.#breathe();
  }

  /** Goes to the next page unless so much fits on this one. */
  need(height: number): void {
    if (this.y + height > this.bottom && this.y > PAGE.top) this.newPage();
  }

  gap(height: number): void {
    this.y = Math.min(this.y + height, this.bottom);
  }

  /** A structure element below the one that is open. The caller ends it. */
  element(type: string, options: StructureOptions = {}): StructureElement {
    const element = this.document.struct(type, options);
    this.#open.at(-1)?.add(element);
    return element;
  }

  /** Opens a structure element: what follows is below it until `close`. */
  open(type: string, options: StructureOptions = {}): void {
    this.#open.push(this.element(type, options));
  }

  close(): void {
    this.#open.pop()?.end();
  }

  /** What is drawn is part of an element. It must not break the page. */
  mark(element: StructureElement, type: string, draw: (sheet: Sheet) => void): void {
    const content = this.document.markStructureContent(type);
    draw(this.#sheet);
    this.#sheet.flush();
    this.document.endMarkedContent();
    element.add(content);
  }

  /** What is drawn means nothing to somebody who does not see it. */
  artifact(draw: (sheet: Sheet) => void, type: 'Pagination' | 'Layout' = 'Layout'): void {
    this.document.markContent('Artifact', { type });
    draw(this.#sheet);
    this.#sheet.flush();
    this.document.endMarkedContent();
  }

  /** Lines of one element, over as many pages as they need. */
  lines(element: StructureElement, type: string, lines: readonly Line[], options: LinesOptions = {}): void {
    const { x = this.left, band } = options;
    const padding = band === undefined ? 0 : BAND_PADDING;
    for (let from = 0; from < lines.length; ) {
      const height = lineHeight((lines[from] as Line).style);
      let fitting = Math.floor((this.bottom - this.y - 2 * padding) / height);
      // A line or two of many are not left alone at the end of a page.
      if (fitting < Math.min(lines.length - from, 3)) {
        this.newPage();
        fitting = Math.floor((this.bottom - this.y - 2 * padding) / height);
      }
      const left = lines.length - from - fitting;
      if (left > 0 && left < 3 && fitting > 5) fitting -= 3 - left;
      const chunk = lines.slice(from, from + fitting);
      const [top, total] = [this.y, chunk.length * height + 2 * padding];
      if (band !== undefined) {
        this.artifact((sheet) => {
          sheet.rectangle(this.left, top, this.width, total, band);
          sheet.rectangle(this.left, top, 2, total, COLOURS.rule);
        });
      }
      this.mark(element, type, (sheet) => {
        chunk.forEach((line, index) => {
          sheet.text(line, x + 2 * padding, top + padding + index * height + line.style.size * 1.04);
        });
      });
      this.y = top + total;
      from += chunk.length;
    }
  }

  paragraph(text: string, style: TextStyle = this.styles.body, { after = 5, indent = 0 } = {}): void {
    const lines = breakLines(text, style, this.width - indent);
    // Two lines at least stay together.
    this.need(lineHeight(style) * Math.min(lines.length, 2));
    const element = this.element('P');
    this.lines(element, 'P', lines, { x: this.left + indent });
    element.end();
    this.gap(after);
  }

  /** A list with a dot before each item. */
  list(items: readonly string[]): void {
    if (items.length === 0) return;
    const { body } = this.styles;
    this.open('L');
    for (const item of items) {
      const lines = breakLines(item, body, this.width - LIST_INDENT);
      this.need(lineHeight(body) * Math.min(lines.length, 2));
      this.open('LI');
      const label = this.element('Lbl');
      const baseline = this.y + body.size * 1.04;
      this.mark(label, 'Lbl', (sheet) => {
        for (const dot of breakLines('•', body, LIST_INDENT)) sheet.text(dot, this.left + LIST_INDENT / 2, baseline);
      });
      label.end();
      const element = this.element('LBody');
      this.lines(element, 'LBody', lines, { x: this.left + LIST_INDENT });
      element.end();
      this.close();
      this.gap(2);
    }
    this.close();
    this.gap(4);
  }

  /** Lines of code on a band, each wrapped where the page ends. */
  code(texts: readonly string[], after = 6): void {
    const { mono } = this.styles;
    this.open('P');
    const element = this.element('Code');
    let lines: Line[] = [];
    for (const text of texts) {
      for (const piece of pieces(text, CODE_PIECE.characters)) {
        lines.push(...breakLines(piece, mono, this.width - CODE_PADDING));
        if (lines.length < CODE_PIECE.lines) continue;
        this.lines(element, 'Code', lines, { band: COLOURS.band });
        lines = [];
      }
    }
    this.lines(element, 'Code', lines, { band: COLOURS.band });
    element.end();
    this.close();
    this.gap(after);
  }

  heading(level: 1 | 2 | 3, text: string, options: HeadingOptions = {}): void {
    const base = this.styles[`h${level}`];
    const style = options.colour === undefined ? base : { ...base, colour: options.colour };
    const before = { 1: 0, 2: 12, 3: 8 }[level];
    const indent = options.mark === undefined ? 0 : 14;
    const lines = breakLines(text, style, this.width - indent);
    if (this.y > PAGE.top) this.gap(before);
    this.need(lines.length * lineHeight(style) + (options.keep ?? 40));
    if (options.bookmark !== undefined) this.#bookmark(text, options.bookmark);
    const { mark } = options;
    const middle = this.y + lineHeight(style) / 2;
    if (mark !== undefined) this.artifact((sheet) => drawMark(sheet, mark, this.left + 5, middle));
    const element = this.element(`H${level}`);
    this.lines(element, `H${level}`, lines, { x: this.left + indent });
    element.end();
    this.gap({ 1: 8, 2: 4, 3: 2 }[level]);
  }

  #bookmark(text: string, kind: 'section' | 'part'): void {
    const place = { top: this.y - 6, left: PAGE.width };
    if (kind === 'section' || this.#section === null) {
      this.#section = this.document.outline.addItem(text, { ...place, expanded: false });
    } else this.#section.addItem(text, place);
  }

  /** A thin line over the width of the page. */
  rule(): void {
    const points: Point[] = [
      [this.left, this.y],
      [this.left + this.width, this.y],
    ];
    this.artifact((sheet) => sheet.polyline(points, COLOURS.rule, 0.6));
    this.gap(6);
  }

  /** Ends the structure tree; nothing can be added after it. */
  finish(): void {
    while (this.#open.length > 0) this.close();
  }
}
