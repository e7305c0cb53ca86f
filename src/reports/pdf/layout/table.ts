import type { StructureElement } from '../document/pdfkit.ts';
import { type Flow, lineHeight } from './flow.ts';
import { breakLines, type Line, type TextStyle, widthOf } from './lines.ts';
import { drawMark, type Mark } from './marks.ts';
import { COLOURS, LEADING } from './theme.ts';

export interface Column {
  /** Empty titles make a table without a row of titles. */
  readonly title: string;
  /** Share of the width; the shares of a table's columns add up to 1. */
  readonly share: number;
  readonly style?: TextStyle;
  readonly align?: 'right';
  /** Whether its cells are the titles of their rows. */
  readonly heads?: boolean;
}

export interface Cell {
  /** A list is set one below the other, each in its own style where it names one. */
  readonly text: string | readonly (string | { readonly text: string; readonly style: TextStyle })[];
  readonly style?: TextStyle;
  /** A sign before the text; the text must say the same. */
  readonly mark?: Mark;
}

const PADDING = 4;
const MARK_WIDTH = 14;

interface SetCell {
  readonly lines: readonly Line[];
  readonly x: number;
  readonly width: number;
  readonly right: boolean;
  readonly mark: Mark | undefined;
}

/** A table that is written row by row: its titles come again on every page, a row that is too long continues there. */
export class TableWriter {
  readonly #flow: Flow;
  readonly #columns: readonly Column[];
  #headed = false;
  #started = false;

  constructor(flow: Flow, columns: readonly Column[]) {
    this.#flow = flow;
    this.#columns = columns;
  }

  row(cells: readonly (string | Cell)[]): void {
    const set = this.#set(cells.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
    const height = this.#heightOf(set, 0);
    const { bottom } = this.#flow;
    if (!this.#started) {
      this.#flow.need(this.#titleHeight() + Math.min(height, 60));
      this.#flow.open('Table');
      this.#started = true;
      this.#titles();
    } else if (this.#flow.y + Math.min(height, 120) > bottom) this.#nextPage();
    this.#flow.open('TR');
    const elements = this.#columns.map(({ heads }) =>
      heads ? this.#flow.element('TH', { scope: 'Row' }) : this.#flow.element('TD'),
    );
    const types = this.#columns.map(({ heads }) => (heads ? 'TH' : 'TD'));
    this.#draw(set, elements, types);
    for (const element of elements) element.end();
    this.#flow.close();
  }

  /** Ends the table. One without rows leaves nothing behind. */
  end(): void {
    if (!this.#started) return;
    this.#flow.close();
    this.#flow.gap(8);
  }

  #style(column: Column | undefined, cell: Cell): TextStyle {
    return cell.style ?? column?.style ?? (column?.heads ? this.#flow.styles.smallBold : this.#flow.styles.small);
  }

  #set(cells: readonly Cell[]): SetCell[] {
    let x = this.#flow.left;
    return cells.map((cell, index) => {
      const column = this.#columns[index];
      const width = this.#flow.width * (column?.share ?? 0);
      const indent = cell.mark === undefined ? 0 : MARK_WIDTH;
      const style = this.#style(column, cell);
      const texts = typeof cell.text === 'string' ? [cell.text] : cell.text;
      const room = width - 2 * PADDING - indent;
      const lines = texts.flatMap((part) =>
        typeof part === 'string' ? breakLines(part, style, room) : breakLines(part.text, part.style, room),
      );
      const set = { lines, x: x + indent, width, right: column?.align === 'right', mark: cell.mark };
      x += width;
      return set;
    });
  }

  #heightOf(cells: readonly SetCell[], from: number): number {
    const heights = cells.map(({ lines }) =>
      lines.slice(from).reduce((height, { style }) => height + lineHeight(style), 0),
    );
    return Math.max(...heights, LEADING * 7) + 2 * PADDING;
  }

  #titleHeight(): number {
    return this.#columns.every(({ title }) => title === '') ? 0 : lineHeight(this.#flow.styles.smallBold) + 2 * PADDING;
  }

  #titles(): void {
    if (this.#titleHeight() === 0) return;
    const flow = this.#flow;
    const cells = this.#set(this.#columns.map(({ title }) => ({ text: title, style: flow.styles.smallBold })));
    const height = this.#heightOf(cells, 0);
    flow.artifact((sheet) => sheet.rectangle(flow.left, flow.y, flow.width, height, COLOURS.band));
    if (this.#headed) {
      // Said once to those who listen; the repetition is for the eye.
      flow.artifact((sheet) => {
        for (const cell of cells) this.#drawCell(sheet, cell, cell.lines, flow.y);
      }, 'Pagination');
      flow.y += height;
      return;
    }
    this.#headed = true;
    flow.open('TR');
    const elements = this.#columns.map(() => flow.element('TH', { scope: 'Column' }));
    this.#draw(
      cells,
      elements,
      this.#columns.map(() => 'TH'),
    );
    for (const element of elements) element.end();
    flow.close();
  }

  #nextPage(): void {
    this.#flow.newPage();
    this.#titles();
  }

  #drawCell(
    sheet: Parameters<Parameters<Flow['artifact']>[0]>[0],
    cell: SetCell,
    lines: readonly Line[],
    top: number,
  ): void {
    let y = top + PADDING;
    for (const line of lines) {
      const space = cell.right ? cell.width - 2 * PADDING - widthOf(line.glyphs, line.style.size) : 0;
      sheet.text(line, cell.x + PADDING + space, y + line.style.size * 1.04);
      y += lineHeight(line.style);
    }
  }

  /** Draws a row, in as many pieces as pages it needs: each takes as many lines of every cell as fit. */
  #draw(cells: readonly SetCell[], elements: readonly StructureElement[], types: readonly string[]): void {
    const flow = this.#flow;
    const tallest = cells.reduce(
      (most, { lines }) => lines.reduce((height, { style }) => Math.max(height, lineHeight(style)), most),
      LEADING * 7,
    );
    for (let from = 0; from === 0 || cells.some(({ lines }) => lines.length > from); ) {
      const fitting = Math.max(1, Math.floor((flow.bottom - flow.y - 2 * PADDING) / tallest));
      const pieces = cells.map(({ lines }) => lines.slice(from, from + fitting));
      const height =
        Math.max(...pieces.map((lines) => lines.reduce((sum, { style }) => sum + lineHeight(style), 0)), LEADING * 7) +
        2 * PADDING;
      const top = flow.y;
      flow.artifact((sheet) => {
        sheet.polyline(
          [
            [flow.left, top + height],
            [flow.left + flow.width, top + height],
          ],
          COLOURS.rule,
          0.4,
        );
        for (const { mark, x } of cells) {
          if (mark !== undefined && from === 0) drawMark(sheet, mark, x - MARK_WIDTH / 2 + 1, top + PADDING + 5.5);
        }
      });
      pieces.forEach((lines, index) => {
        const [cell, element] = [cells[index], elements[index]];
        if (cell === undefined || element === undefined || (lines.length === 0 && from > 0)) return;
        flow.mark(element, types[index] ?? 'TD', (sheet) => this.#drawCell(sheet, cell, lines, top));
      });
      flow.y = top + height;
      from += fitting;
      if (cells.some(({ lines }) => lines.length > from)) this.#nextPage();
    }
  }
}
