import { MAX_PIECE } from './log-event.ts';

/** A piece of a log and the line that it begins in; `text` is null where it is longer than what is kept. */
export interface Piece {
  readonly line: number;
  readonly endLine: number;
  readonly text: string | null;
}

/** The lines of a text. A line that is too long is told without its text. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<Piece> {
  let [line, open, isTooLong] = [1, '', false];
  const piece = (rest: string): Piece => {
    const whole = open + rest;
    const text = isTooLong || whole.length > MAX_PIECE ? null : whole.replace(/\r$/, '');
    [open, isTooLong] = ['', false];
    return { line, endLine: line, text };
  };
  for await (const text of texts) {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      yield piece(text.slice(from, end));
      line++;
      from = end + 1;
    }
    if (isTooLong) continue;
    open += text.slice(from);
    if (open.length > MAX_PIECE) [open, isTooLong] = ['', true];
  }
  if (open !== '' || isTooLong) yield piece('');
}

/**
 * The objects of a JSON text at a depth, each as its own text: 0 for objects that follow each other (also one a line), 1 for those of
 * an array, 2 for those of the arrays of one object. What is between them is skipped; nothing else is parsed.
 */
export async function* objectsOf(texts: AsyncIterable<string>, depth: number): AsyncGenerator<Piece> {
  let [line, begin, level, isString, isEscaped, isTooLong] = [1, 1, 0, false, false, false];
  let parts: string[] = [];
  let kept = 0;
  for await (const text of texts) {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) line++;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isString = false;
      } else if (code === QUOTE) isString = true;
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (level === depth && code === OPEN_OBJECT) [from, begin, parts, kept, isTooLong] = [at, line, [], 0, false];
        level++;
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        level = Math.max(0, level - 1);
        if (level === depth && code === CLOSE_OBJECT) {
          const whole = isTooLong ? null : parts.join('') + text.slice(from, at + 1);
          yield { line: begin, endLine: line, text: whole === null || whole.length > MAX_PIECE ? null : whole };
          [parts, kept] = [[], 0];
        }
      }
    }
    if (level <= depth || isTooLong) continue;
    parts.push(text.slice(from));
    kept += text.length - from;
    if (kept > MAX_PIECE) [parts, isTooLong] = [[], true];
  }
  if (level > depth) yield { line: begin, endLine: line, text: null };
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
