import { parse, TomlError } from 'smol-toml';
import { TextUnusable } from './json-text.ts';

const BEGIN = '# countersign record: begin';
const END = '# countersign record: end';

/** @throws TextUnusable */
export function readToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) {
      throw new TextUnusable(`is not TOML: line ${error.line}, column ${error.column}`, { cause: error });
    }
    throw error;
  }
}

/** A text as a TOML basic string: JSON escapes a subset of what TOML does. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replace(/\x7f/g, '\\u007F');
}

/**
 * Appends tables between two comments, in the place of those that were there.
 * @returns the text itself where they stand there already
 * @throws TextUnusable where the file does not parse, or would not with them
 */
export function appendToml(text: string | null, tables: string): string {
  const block = `${BEGIN}\n${tables.trim()}\n${END}\n`;
  if (text?.includes(block)) return text;
  const clean = text === null ? null : removeToml(text);
  const eol = text?.includes('\r\n') ? '\r\n' : '\n';
  const gap = clean === null || clean === '' ? '' : clean.endsWith('\n') ? eol : eol + eol;
  const after = (clean ?? '') + gap + block.replaceAll('\n', eol);
  try {
    readToml(after);
  } catch (error) {
    throw new TextUnusable('cannot take further tables at its end', { cause: error });
  }
  return after;
}

/**
 * Takes out what stands between the two comments, and the empty line before it.
 * @returns null where nothing is left
 * @throws TextUnusable where the file does not parse, or would not without them
 */
export function removeToml(text: string): string | null {
  readToml(text);
  const without = text.replace(blockPattern(), '');
  if (without === text) return text;
  readToml(without);
  return without.trim() === '' ? null : without;
}

function blockPattern(): RegExp {
  return new RegExp(`(?<=^|\\n)(?:\\r?\\n)?${BEGIN}\\r?\\n[\\s\\S]*?${END}(?:\\r?\\n|$)`, 'g');
}
