import { isRecordField } from '../fields/fields.ts';
import { formOf } from './queried-record.ts';
import type { CompareQuery, EqualsQuery, Field, MatchesQuery, Query } from './query.ts';
import { writeTime } from './times.ts';
import { JOINT } from './words.ts';

const KEYWORD = /^(?:and|or|not|insession)$/i;
const ONE_WORD = /^[\p{L}\p{N}\p{M}\p{Co}]+$/u;
const BARE_WORDS = /^[\p{L}\p{N}\p{M}\p{Co}_]+$/u;
const BARE_NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_-]*$/u;
const BARE_VALUE = /^[\p{L}\p{N}_.@+:/-]+$/u;
const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Writes a query so that `parseQuery` reads it as the same, whatever the time and the zone. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'all':
      return '*';
    case 'or':
      return query.parts.map(printQuery).join(' or ');
    case 'and':
      return query.parts.map((part) => (part.kind === 'or' ? `(${printQuery(part)})` : printQuery(part))).join(' ');
    case 'not': {
      const printed = printQuery(query.part);
      return query.part.kind === 'and' || query.part.kind === 'or' ? `not (${printed})` : `not ${printed}`;
    }
    case 'session':
      return `insession(${printQuery(query.part)})`;
    case 'words':
      return before(query.field) + printWords(query.words, query.lastIsPrefix);
    case 'part':
      return `${before(query.field)}*${ONE_WORD.test(query.text) ? query.text : quoted(query.text)}*`;
    case 'exists':
      return query.itself ? `${printField(query.field)} = *` : `${before(query.field)}*`;
    case 'equals':
      return `${printField(query.field)} = ${printValue(query)}`;
    case 'compare':
      return `${printField(query.field)} ${query.operator} ${printLimit(query)}`;
    case 'matches':
      return printMatches(query);
  }
}

/** A field's name as a query has it. */
export function printField(field: Field): string {
  if (field.of === 'record') return field.name;
  const { path, fromRoot } = field;
  const [only = ''] = path;
  if (fromRoot) return path.map((name) => `/${BARE_NAME.test(name) ? name : quoted(name)}`).join('');
  const isTaken = path.length === 1 && (isRecordField(only) || KEYWORD.test(only));
  return path.map((name) => (isTaken || !BARE_NAME.test(name) ? quoted(name) : name)).join('.');
}

/** A field before its words: from the root with blanks, as `/a:b/` would be a regular expression. */
function before(field: Field | null): string {
  if (field === null) return '';
  return field.of === 'payload' && field.fromRoot ? `${printField(field)} : ` : `${printField(field)}:`;
}

function printWords(words: readonly string[], open: boolean): string {
  const text = textOfWords(words);
  const isBare = BARE_WORDS.test(text) && !KEYWORD.test(text);
  return (isBare ? text : quoted(text)) + (open ? '*' : '');
}

/** A text with these words. */
export function textOfWords(words: readonly string[]): string {
  return words.join(' ').replaceAll(` ${JOINT} `, JOINT);
}

function printValue({ field, value, text }: EqualsQuery): string {
  if (typeof value === 'string') {
    const isPlain = formOf(field) === 'text' && BARE_VALUE.test(text);
    return isPlain ? text : quoted(text);
  }
  return text;
}

function printLimit({ number, time }: CompareQuery): string {
  return time === null ? String(number) : writeTime(time);
}

function printMatches({ field, source, ignoreCase }: MatchesQuery): string {
  // Bare, an expression with a blank in it may look like a field with an operator.
  const prefix = field !== null ? `${printField(field)} ~ ` : /\s/.test(source) ? '* ~ ' : '';
  return prefix + printRegex(source, ignoreCase);
}

/** A regular expression between slashes. */
export function printRegex(source: string, ignoreCase: boolean): string {
  const escaped = source.replaceAll(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found));
  return `/${escaped}/${ignoreCase ? 'i' : ''}`;
}

/** A text in quotes, as `parseQuery` reads it. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\\n\r\t]/g, (character) => ESCAPED[character] ?? character)}"`;
}
