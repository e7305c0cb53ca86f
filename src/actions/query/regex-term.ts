import { formOf } from './queried-record.ts';
import type { Field, Query } from './query.ts';
import { compileRegex } from './regex.ts';
import type { Scanner } from './scanner.ts';

const FORMS = ['/regex/', '/regex/i'];

/** Reads a regular expression: between slashes, or behind `~` also in quotes or as a bare text. */
export function readRegex(scanner: Scanner, field: Field | null): Query {
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
