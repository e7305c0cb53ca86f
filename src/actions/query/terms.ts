import { foldText } from './folding.ts';
import { formOf } from './queried-record.ts';
import type { CompareQuery, Field, ParseOptions, Query } from './query.ts';
import { BARE, OPERATOR, readField } from './query-fields.ts';
import { compileRegex } from './regex.ts';
import type { Scanner } from './scanner.ts';
import { compare, equals, readValue, refuseMixed } from './values.ts';
import { foldedWords, wordsOf } from './words.ts';

const FORMS = ['/regex/', '/regex/i'];

/** Reads a regular expression: between slashes, or behind `~` also in quotes or as a bare text. */
function readRegex(scanner: Scanner, field: Field | null): Query {
  scanner.skipBlanks();
  const at = scanner.at;
  const form = field === null ? 'any' : formOf(field);
  if (form === 'number' || form === 'time') {
    scanner.fail('BAD_VALUE', 'Regular expressions are for texts.', ['= value', '< value', '> value'], at);
  }
  if (scanner.done) scanner.fail('UNEXPECTED_END', 'A regular expression is missing.', FORMS);
  const { written, flags } = readSource(scanner);
  const source = written.replaceAll(/\\([\s\S])/g, (pair, escaped) => (escaped === '/' ? '/' : pair));
  const refuse = (message: string): never => scanner.fail('BAD_REGEX', message, FORMS, at);
  if (flags !== '' && flags !== 'i')
    refuse(`“${flags}” is no flag of a regular expression, i alone is; a path is put in quotes.`);
  if (source === '') refuse('The regular expression is empty.');
  const ignoreCase = flags === 'i';
  const compiled = compileRegex(source, ignoreCase);
  if ('problem' in compiled) refuse(`The regular expression is not sound: ${compiled.problem}.`);
  return { kind: 'matches', field, source, ignoreCase };
}

function readSource(scanner: Scanner): { written: string; flags: string } {
  if (scanner.ahead(/"/y) !== undefined) return { written: scanner.quoted(false), flags: '' };
  if (scanner.take(/\//y) === undefined) return { written: scanner.take(/[^\s()"]+/y) ?? '', flags: '' };
  const start = scanner.at - 1;
  const written = scanner.take(/(?:[^\\/]|\\[\s\S])*(?=\/)/y);
  if (written === undefined) {
    scanner.fail(
      'UNCLOSED_REGEX',
      'The regular expression is not closed; a path is put in quotes.',
      ['a closing /'],
      start,
      scanner.text.length,
    );
  }
  scanner.at++;
  return { written, flags: scanner.take(/[\p{L}\p{N}_]+/uy) ?? '' };
}

/** What may stand where a term is missing. */
export const EXAMPLES = ['a word', '"a phrase"', 'tool:book', 'outcome = failed'];

const OPERATORS = [':', '=', '!=', '<', '<=', '>', '>=', '~'] as const;
type Operator = (typeof OPERATORS)[number];

// Texts though they have a colon in them: a time of day, a URL, an address of IPv6 or of hardware, a path of Windows, a name in a program.
const TEXT_WITH_COLON =
  /\d+:\d[^\s()"]*|[^\s()"=<>~:!/]+:\/\/[^\s()"]*|(?:[0-9a-f]{0,4}:){2,7}[^\s()"]*|[a-z]:\\[^\s()"]*|[^\s()"=<>~:!/]*::[^\s()"]*/iy;
const VALUE = /[^\s()"]+/y;

/** Reads a term of a query, or the field and the operator that it begins with. */
export function readTerm(scanner: Scanner): Query | { field: Field; operator: Operator } {
  const text = scanner.take(TEXT_WITH_COLON);
  if (text !== undefined) return words(scanner, null, text, scanner.at - text.length);
  const field = readField(scanner);
  if (field !== undefined) return { field, operator: readOperator(scanner) };
  if (scanner.take(/\*\s*~/y) !== undefined) return readRegex(scanner, null);
  if (scanner.ahead(/\//y) !== undefined) return readRegex(scanner, null);
  return readWords(scanner, null);
}

/** Reads what a field's value is asked for, behind the operator. */
export function readFieldTerm(scanner: Scanner, field: Field, operator: Operator, options: ParseOptions): Query {
  if (operator === '~') return readRegex(scanner, field);
  if (operator === ':') {
    if (scanner.take(/\*(?=[\s)]|$)/y) !== undefined) return { kind: 'exists', field };
    const form = formOf(field);
    if (form === 'text' || form === 'any') return readWords(scanner, field);
  }
  if ((operator === '=' || operator === '!=') && scanner.take(/\s*\*(?=[\s)]|$)/y) !== undefined) {
    const part = { kind: 'exists', field, itself: true } as const;
    return operator === '=' ? part : { kind: 'not', part };
  }
  const written = readValue(scanner, field, (operator !== '=' && operator !== '!=') || formOf(field) === 'time');
  if (operator === '!=') return { kind: 'not', part: equals(scanner, field, written, options) };
  if (operator === ':' || operator === '=') return equals(scanner, field, written, options);
  return compare(scanner, field, operator satisfies CompareQuery['operator'], written, options);
}

/** Reads words: bare, in quotes, with a `*`. With a field, operators are the text's own. */
export function readWords(scanner: Scanner, field: Field | null): Query {
  const at = scanner.at;
  if (scanner.take(/\*(?=")/y) !== undefined) return partInQuotes(scanner, field, at);
  if (scanner.ahead(/"/y) !== undefined) {
    const text = scanner.quoted();
    return phrase(scanner, field, text, scanner.take(/\*/y) !== undefined, at);
  }
  if (scanner.done) scanner.fail('UNEXPECTED_END', 'A value is missing.', ['a word', '"a phrase"', '*']);
  const text = scanner.take(field === null ? BARE : VALUE);
  if (text === undefined) return refuseCharacter(scanner);
  if (field === null) refuseSigns(scanner, text, at);
  else if (scanner.ahead(/[("]/y) !== undefined) refuseMixed(scanner, at);
  return words(scanner, field, text, at);
}

function words(scanner: Scanner, field: Field | null, text: string, at: number): Query {
  if (text === '*' && field === null) return { kind: 'all' };
  const [, part] = /^\*([^*]+)\*$/.exec(text) ?? [];
  if (part !== undefined) return partOf(scanner, field, part, at);
  const [, beginning] = /^([^*]+)\*$/.exec(text) ?? [];
  if (beginning === undefined && text.includes('*')) {
    const forms = ['word*', '*part*', '/regex/'];
    scanner.fail('BAD_VALUE', 'A * stands behind a word, or before and behind a part of one.', forms, at);
  }
  return phrase(scanner, field, beginning ?? text, beginning !== undefined, at);
}

/** @param open whether a `*` follows: the last word may go on, where the text ends in one */
function phrase(scanner: Scanner, field: Field | null, text: string, open: boolean, at: number): Query {
  const found = foldedWords(text);
  if (found.length === 0) {
    const forms = ['a letter or a digit', '*part*', '/regex/'];
    scanner.fail('NO_WORDS', 'There is no word in this: words are letters and digits.', forms, at);
  }
  return { kind: 'words', field, words: found, lastIsPrefix: open && wordsOf(text).at(-1)?.end === text.length };
}

function partInQuotes(scanner: Scanner, field: Field | null, at: number): Query {
  const part = scanner.quoted();
  if (part === '' || scanner.take(/\*/y) === undefined) {
    scanner.fail('BAD_VALUE', 'A part in quotes has a * before and behind.', ['*"a part"*'], at);
  }
  return partOf(scanner, field, part, at);
}

function partOf(scanner: Scanner, field: Field | null, part: string, at: number): Query {
  const text = foldText(part);
  // Characters that make no difference would be a part of every text.
  if (text === '') scanner.fail('NO_WORDS', 'There is only what no text is told apart by in this.', ['/regex/'], at);
  return { kind: 'part', field, text };
}

function readOperator(scanner: Scanner): Operator {
  scanner.skipBlanks();
  const at = scanner.at;
  const text = scanner.take(/:|[=<>~!]+/y);
  scanner.skipBlanks();
  const operator = OPERATORS.find((known) => known === text);
  return operator ?? unknownOperator(scanner, at, at + (text ?? '').length);
}

function refuseCharacter(scanner: Scanner): never {
  const { at } = scanner;
  const operator = scanner.ahead(OPERATOR);
  if (operator === undefined) unknownOperator(scanner, at, at + 1);
  const message = 'The name of a field is missing before this operator.';
  scanner.fail('UNEXPECTED_CHARACTER', message, EXAMPLES, at, at + operator.length);
}

/** Signs of other languages for `and`, `or` and `not`. */
function refuseSigns(scanner: Scanner, text: string, at: number): void {
  if (/^(?:&+|\|+|!.*)$/.test(text)) unknownOperator(scanner, at, at + text.length);
}

function unknownOperator(scanner: Scanner, at: number, end: number): never {
  const known = [...OPERATORS, 'and', 'or', 'not'];
  return scanner.fail('UNKNOWN_OPERATOR', `“${scanner.text.slice(at, end)}” is no operator.`, known, at, end);
}
