import { isMembers, type Json } from '../../protocol/index.ts';

/** One line of a value laid out for reading: a name and what stands there, as deep as it lies. */
export interface OutlineLine {
  readonly depth: number;
  /** Name of the member, or the position in an array, from 1. Empty for a value by itself. */
  readonly name: string;
  /** What stands behind the name; what else is in it is on the lines below, one deeper. Null where all of it is. */
  readonly value: string | null;
}

export interface Outline {
  readonly lines: readonly OutlineLine[];
  /** Whether the bounds left something out. */
  readonly cut: boolean;
  /** Characters of names and values that the bounds left out, in UTF-16 code units. */
  readonly leftOut: number;
}

export interface OutlineBounds {
  readonly lines: number;
  /** Of all values together, in UTF-16 code units. */
  readonly characters: number;
  /** Lines that they take on a page, as rowsOf counts them. */
  readonly rows?: number;
}

/** How many characters, roughly, fit on a line of a page. */
const ROW = 90;

/** About how many lines of a page a text takes. */
export function rowsOf(text: string): number {
  return text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / ROW)), 0);
}

/** The part of a text that fits within a number of characters and lines of a page. */
function begunOf(text: string, characters: number, rows: number): string {
  let left = rows;
  let end = 0;
  for (const line of text.slice(0, characters + 1).split('\n')) {
    if (left <= 0) break;
    const taken = Math.min(line.length, left * ROW);
    left -= Math.max(1, Math.ceil(line.length / ROW));
    end += taken + 1;
    if (taken < line.length) break;
  }
  return text.slice(0, Math.min(Math.max(0, end - 1), characters)).toWellFormed();
}

/** Beyond this depth nothing is laid out further: a value stands there as JSON. */
const MAX_DEPTH = 8;

/** A small object or array stands on one line where it is no longer than this. */
const SHORT = 110;

/** A value that is no object and no array, on one line; null for any other, and for a text of several lines. */
function plain(value: Json): string | null {
  if (typeof value === 'object' && value !== null) return null;
  const text = String(value);
  return text.includes('\n') ? null : text;
}

/** The members of a small object, or the items of a small array, one behind the other; null where they take lines below. */
function joined(parts: readonly (readonly [name: string, value: Json])[]): string | null {
  let text = '';
  for (const [name, value] of parts) {
    const shown = plain(value);
    if (shown === null) return null;
    text += `${text === '' ? '' : ', '}${name === '' ? '' : `${name}: `}${shown}`;
    if (text.length > SHORT) return null;
  }
  return text;
}

/** A plain value of a nested object stands on one line with others of it where it is no longer than this. */
const FLOWING = 60;

/** The short plain members of an object one behind the other, and what is left of it for the lines below. */
function flowing(value: { readonly [name: string]: Json }): { readonly text: string; readonly rest: Json } {
  const members = Object.entries(value);
  const isShort = ([, item]: readonly [string, Json]): boolean => (plain(item)?.length ?? FLOWING + 1) <= FLOWING;
  const text = members.filter(isShort).map(([name, item]) => `${name}: ${plain(item)}`);
  return { text: text.join(', '), rest: Object.fromEntries(members.filter((member) => !isShort(member))) };
}

/** A value that stands behind its name on one line; null where it takes lines below. */
function inOneLine(value: Json, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    if (depth >= MAX_DEPTH) return JSON.stringify(value);
    return joined((value as readonly Json[]).map((item) => ['', item]));
  }
  const members = Object.entries(value as { readonly [name: string]: Json });
  if (members.length === 0) return '(empty)';
  if (depth >= MAX_DEPTH) return JSON.stringify(value);
  return depth === 0 ? null : joined(members);
}

/**
 * Lays a JSON value out for people: members in their order, one below the other, what is in them indented. Texts stand as they
 * are, without quotes: for reading, not for telling `"5"` from `5`, which only the data do.
 */
export function outlineOf(value: Json, bounds: OutlineBounds): Outline {
  const lines: OutlineLine[] = [];
  let { characters, rows = Number.POSITIVE_INFINITY } = bounds;
  let leftOut = 0;
  let cut = false;
  /** The line of a member where all of it fits; else what fits of it, and nothing after it. */
  const add = (name: string, text: string | null, depth: number): void => {
    const length = name.length + (text?.length ?? 0);
    const taken = rowsOf(text === null ? name : `${name} ${text}`);
    if (!cut && lines.length < bounds.lines && length <= characters && taken <= rows) {
      characters -= length;
      rows -= taken;
      lines.push({ depth, name, value: text });
      return;
    }
    const shown = cut || lines.length >= bounds.lines || text === null ? '' : begunOf(text, characters, rows);
    cut = true;
    if (shown !== '') lines.push({ depth, name, value: `${shown} …` });
    leftOut += length - (shown === '' ? 0 : name.length + shown.length);
  };
  const put = (name: string, item: Json, depth: number): void => {
    const whole = inOneLine(item, depth);
    // Below the first level what is short stands together: lists of objects take a page else.
    const split = whole === null && depth > 0 && isMembers(item) ? flowing(item) : { text: '', rest: item };
    add(name, whole ?? (split.text === '' ? null : split.text), depth);
    if (whole === null) below(split.rest, depth + 1);
  };
  const below = (item: Json, depth: number): void => {
    if (Array.isArray(item)) {
      (item as readonly Json[]).forEach((each, index) => {
        put(`${index + 1}.`, each, depth);
      });
    } else if (isMembers(item)) for (const name of Object.keys(item)) put(name, item[name] ?? null, depth);
  };
  if (inOneLine(value, 0) === null) below(value, 0);
  else put('', value, 0);
  return { lines, cut, leftOut };
}
