import { nameOfStep } from '../../protocol/light.ts';
import { isRecordField } from '../fields/fields.ts';
import type { Field } from './query.ts';
import { Scanner } from './scanner.ts';

/** A bare name or text ends at a blank, a parenthesis, a quote or an operator. */
export const BARE = /(?:[^\s()"=<>~:!]|!(?!=))+/y;
/** An operator behind a field's name. */
export const OPERATOR = /\s*(?::|[=<>~]|!=)/y;

const NAME = /[^\s()"=<>~:!.*]+/y;
const POINTER_NAME = /(?:[^\s()"=<>~:!/]|~[01])+/y;
// Without a blank: what has one may be two pointers.
const REGEX_WITHOUT_BLANK = /\/(?:[^\\/\s]|\\\S)+\/i?(?=[\s)]|$)(?!\s*(?::|[=<>~]|!=))/y;

/** Reads a field's name where one stands before an operator; undefined, with nothing read, where none does. */
export function readField(scanner: Scanner): Field | undefined {
  if (scanner.ahead(REGEX_WITHOUT_BLANK) !== undefined) return undefined;
  const start = scanner.at;
  const field = scanner.ahead(/\//y) === undefined ? readNames(scanner) : readPointer(scanner);
  if (field !== undefined && scanner.ahead(OPERATOR) !== undefined) return field;
  scanner.at = start;
  return undefined;
}

/** The field that a text names, as it would before an operator; undefined if it names none. */
export function parseField(text: string): Field | undefined {
  const name = text.trim();
  const scanner = new Scanner(`${name} =`);
  const field = readField(scanner);
  return scanner.at === name.length ? field : undefined;
}

function readPointer(scanner: Scanner): Field | undefined {
  const path: string[] = [];
  while (scanner.take(/\//y) !== undefined) {
    const isQuoted = scanner.ahead(/"/y) !== undefined;
    const name = isQuoted ? quotedName(scanner) : nameOfStep(scanner.take(POINTER_NAME) ?? '');
    if (name === undefined) return undefined;
    path.push(name);
  }
  return { of: 'payload', path, fromRoot: true };
}

function readNames(scanner: Scanner): Field | undefined {
  const path: string[] = [];
  let quotes = false;
  do {
    const isQuoted = scanner.ahead(/"/y) !== undefined;
    const name = isQuoted ? quotedName(scanner) : scanner.take(NAME);
    if (name === undefined) return undefined;
    quotes ||= isQuoted;
    path.push(name);
  } while (scanner.take(/\./y) !== undefined);
  const [only] = path;
  if (path.length === 1 && only !== undefined && !quotes && isRecordField(only)) return { of: 'record', name: only };
  return { of: 'payload', path, fromRoot: false };
}

/** A name in quotes; undefined where the quote is not closed or has a bad escape: the term then reports the error. */
function quotedName(scanner: Scanner): string | undefined {
  return scanner.ahead(/"(?:[^"\\]|\\["\\nrt]|\\u[0-9a-fA-F]{4})*"/y) === undefined ? undefined : scanner.quoted();
}
