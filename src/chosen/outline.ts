import type { Json } from '../protocol/index.ts';

/** One line of a value laid out for reading: a name and what stands there, as deep as it lies. */
export interface OutlineLine {
  readonly depth: number;
  /** Name of the member, or the position in an array, from 1. Empty for a value by itself. */
  readonly name: string;
  /** Null where the lines below it, one deeper, hold what is in it. */
  readonly value: string | null;
}

export interface Outline {
  readonly lines: readonly OutlineLine[];
  /** Whether the bounds left something out. */
  readonly cut: boolean;
}

export interface OutlineBounds {
  readonly lines: number;
  /** Of all values together, in UTF-16 code units. */
  readonly characters: number;
}

/** Beyond this depth nothing is laid out further: a value stands there as JSON. */
const MAX_DEPTH = 8;

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that stands behind its name on one line; null where it takes lines below. */
function inOneLine(value: Json, depth: number): string | null {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    if (depth >= MAX_DEPTH) return JSON.stringify(value);
    const isPlain = value.every((item) => typeof item !== 'object' && String(item).length <= 40);
    return isPlain && value.length <= 24 ? value.map((item) => String(item)).join(', ') : null;
  }
  if (Object.keys(value).length === 0) return '(empty)';
  return depth >= MAX_DEPTH ? JSON.stringify(value) : null;
}

/**
 * Lays a JSON value out for people: members in their order, one below the other, what is in them indented. Texts stand as they
 * are, without quotes: for reading, not for telling `"5"` from `5`, which only the data do.
 */
export function outlineOf(value: Json, bounds: OutlineBounds): Outline {
  const lines: OutlineLine[] = [];
  let characters = bounds.characters;
  let cut = false;
  const put = (name: string, item: Json, depth: number): void => {
    if (cut) return;
    const text = inOneLine(item, depth);
    const length = name.length + (text?.length ?? 0);
    if (lines.length >= bounds.lines) {
      cut = true;
      return;
    }
    if (length > characters) {
      cut = true;
      const shown = text?.slice(0, characters).toWellFormed() ?? '';
      if (shown !== '') lines.push({ depth, name, value: `${shown} …` });
      return;
    }
    characters -= length;
    lines.push({ depth, name, value: text });
    if (text === null) below(item, depth + 1);
  };
  const below = (item: Json, depth: number): void => {
    if (Array.isArray(item)) {
      (item as readonly Json[]).forEach((each, index) => {
        put(`${index + 1}.`, each, depth);
      });
    } else if (isObject(item)) for (const name of Object.keys(item)) put(name, item[name] ?? null, depth);
  };
  if (inOneLine(value, 0) === null) below(value, 0);
  else put('', value, 0);
  return { lines, cut };
}
