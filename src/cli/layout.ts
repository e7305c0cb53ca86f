import { stripVTControlCharacters } from 'node:util';

/** Below this a column of text cannot be read: lines rather stick out. */
const LEAST_WIDTH = 24;

/** Lines longer than this are tiring to read, however wide the terminal is. */
const MOST_WIDTH = 100;

/** How wide help is laid out where there is no terminal. */
const USUAL_WIDTH = 80;

/** The width to lay text out in, in columns. */
export function readableWidth(columns: number | undefined): number {
  return Math.max(LEAST_WIDTH * 2, Math.min(columns ?? USUAL_WIDTH, MOST_WIDTH));
}

/** Holds words together, and is shown as a blank. */
const JOINED = '\u00a0';

/** A longer group of words is broken like any other. */
const MOST_JOINED = 45;

/** Usage as it is to be broken into lines: what belongs together in brackets stays on one line, where it is short. */
export function joinBracketed(text: string): string {
  const group = /\[(?:[^[\]]|\[[^[\]]*\])*\]/g;
  return text.replace(group, (found) => (found.length > MOST_JOINED ? found : found.replaceAll(' ', JOINED)));
}

/** How many columns a text takes; what colours it takes none. */
function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/**
 * Breaks a text at its blanks into lines of at most `width` columns, the first of `first`; a longer word has a line to itself. Runs
 * of blanks within a line are kept.
 */
export function wrap(text: string, width: number, first = width): string[] {
  const lines: string[] = [];
  let line = '';
  let blanks = '';
  for (const part of text.split(/( +)/)) {
    if (part.startsWith(' ')) {
      blanks = part;
      continue;
    }
    if (line !== '' && lengthOf(line) + blanks.length + lengthOf(part) > (lines.length === 0 ? first : width)) {
      lines.push(line);
      line = part;
    } else line += blanks + part;
    blanks = '';
  }
  return [...lines, line].map((one) => one.replaceAll(JOINED, ' '));
}

/** A text that is broken into lines, each indented: the first by `indent`, the others by `hanging`. */
export function paragraph(text: string, width: number, indent: number, hanging = indent): string[] {
  const room = (taken: number): number => Math.max(LEAST_WIDTH, width - taken);
  const lines = wrap(text, room(hanging), room(indent));
  return lines.map((line, n) => `${' '.repeat(n === 0 ? indent : hanging)}${line}`);
}

export interface DefinitionRow {
  readonly term: string;
  readonly text: string;
}

/**
 * Terms on the left, what they mean on the right, the right side broken within its column. A term that is wider than its
 * column has a line to itself.
 * @param most the widest the left column may get
 */
export function definitions(rows: readonly DefinitionRow[], width: number, most: number): string[] {
  const fitting = rows.map(({ term }) => term.length).filter((length) => length <= most);
  const column = Math.max(0, ...fitting);
  const left = 2 + column + 2;
  return rows.flatMap(({ term, text }) => {
    const [first = '', ...rest] = wrap(text, Math.max(LEAST_WIDTH, width - left));
    const further = rest.map((line) => `${' '.repeat(left)}${line}`);
    if (term.length > column) return [`  ${term}`, `${' '.repeat(left)}${first}`.trimEnd(), ...further];
    return [`  ${term.padEnd(column)}  ${first}`.trimEnd(), ...further];
  });
}
