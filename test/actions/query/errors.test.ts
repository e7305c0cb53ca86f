// Why a text is no query: a code, and the part of the text that is meant.
import { expect, it } from 'vitest';
import {
  MAX_QUERY_DEPTH,
  MAX_QUERY_LENGTH,
  MAX_QUERY_TERMS,
  parseQuery,
  QUERY_ERROR_CODES,
  type QueryErrorCode,
} from '../../../src/actions/index.ts';
import { OPTIONS } from '../../support/queries.ts';

// The part that is meant stands between ‹ and ›.
const ERRORS: readonly (readonly [QueryErrorCode, string])[] = [
  ['UNEXPECTED_END', 'a and‹›'],
  ['UNEXPECTED_END', 'not‹›'],
  ['UNEXPECTED_END', '(‹›'],
  ['UNEXPECTED_END', 'tool:‹›'],
  ['UNEXPECTED_END', 'tool = ‹›'],
  ['UNEXPECTED_END', 'tool ~‹›'],
  ['UNEXPECTED_CHARACTER', 'a‹)›'],
  ['UNEXPECTED_CHARACTER', '(‹)›'],
  ['UNEXPECTED_CHARACTER', 'a or ‹or› b'],
  ['UNEXPECTED_CHARACTER', '‹and› b'],
  ['UNEXPECTED_CHARACTER', '(a) ‹=› b'],
  ['UNEXPECTED_CHARACTER', 'a* ‹:› b'],
  ['UNCLOSED_QUOTE', 'a ‹"b c›'],
  ['UNCLOSED_GROUP', 'a ‹(›b or c'],
  ['UNCLOSED_GROUP', 'tool:‹(›b or c'],
  ['UNCLOSED_REGEX', 'tool ~ ‹/a b›'],
  ['BAD_REGEX', '‹/(/›'],
  ['BAD_REGEX', '‹/(a)\\1/›'],
  ['BAD_REGEX', '‹/a(?=b)/›'],
  ['BAD_REGEX', '‹/(?<=a)b/›'],
  ['BAD_REGEX', '‹/a/g›'],
  ['BAD_REGEX', 'tool ~ ‹//›'],
  ['BAD_REGEX', '‹/(?:(?:a{1000}){1000}){1000}/›'],
  ['BAD_NUMBER', 'seq = ‹five›'],
  ['BAD_NUMBER', 'duration > ‹2parsecs›'],
  ['BAD_TIME', 'issued > ‹soon›'],
  ['BAD_TIME', 'issued = ‹2026-02-30›'],
  ['BAD_TIME', 'issued >= ‹2026-11-21 25:00›'],
  ['BAD_TIME', 'amount > ‹much›'],
  ['BAD_VALUE', 'agent < ‹b›'],
  ['BAD_VALUE', '‹a*b›'],
  ['BAD_VALUE', '‹*b›'],
  ['BAD_VALUE', '‹*"b"›'],
  ['BAD_VALUE', 'path = "C:‹\\›dir"'],
  ['BAD_VALUE', 'result = ‹f(›x)'],
  ['BAD_VALUE', 'result:‹f(›x)'],
  ['BAD_REGEX', '‹/etc/passwd›'],
  ['BAD_VALUE', 'seq ~ ‹›/5/'],
  ['NO_WORDS', 'a ‹_›'],
  ['NO_WORDS', 'tool:‹"!!"›'],
  ['NO_WORDS', '‹😀›'],
  ['NO_WORDS', '‹*\u0301*›'],
  ['NO_WORDS', 'a ‹*"\u200b"*›'],
  ['UNKNOWN_OPERATOR', 'a ‹==› b'],
  ['UNKNOWN_OPERATOR', 'a ‹=>› b'],
  ['UNKNOWN_OPERATOR', 'a ‹&&› b'],
  ['UNKNOWN_OPERATOR', '‹!a›'],
  ['TOO_LONG', `${'a'.repeat(MAX_QUERY_LENGTH)}‹a›`],
  ['TOO_DEEP', `${'('.repeat(MAX_QUERY_DEPTH)}‹(›a`],
  ['TOO_DEEP', `${'not '.repeat(MAX_QUERY_DEPTH)}‹n›ot a`],
  ['TOO_MANY_TERMS', `${'a '.repeat(MAX_QUERY_TERMS)}‹b›`],
];

it.each(ERRORS)('%s: %s', (code, marked) => {
  const at = marked.indexOf('‹');
  const end = marked.indexOf('›') - 1;
  const parsed = parseQuery(marked.replace(/[‹›]/g, ''), OPTIONS);
  expect(parsed).toMatchObject({ ok: false, errors: [{ code, at, end }] });
});

it('has an example of every error', () => {
  expect(new Set(ERRORS.map(([code]) => code))).toEqual(new Set(QUERY_ERROR_CODES));
});

it('allows as much as its limits say', () => {
  const group = '('.repeat(MAX_QUERY_DEPTH) + 'a '.repeat(MAX_QUERY_TERMS) + ')'.repeat(MAX_QUERY_DEPTH);
  expect(parseQuery(group.padEnd(MAX_QUERY_LENGTH), OPTIONS).ok).toBe(true);
});

it('says of an unknown zone that times can not be read in it', () => {
  const options = { ...OPTIONS, zone: 'Mars/Olympus' };
  expect(parseQuery('issued > 10:00', options)).toMatchObject({ ok: false, errors: [{ code: 'BAD_TIME' }] });
  expect(parseQuery('a', options).ok).toBe(true);
});
