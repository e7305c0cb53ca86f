// Regular expressions take time in proportion to the text (docs/decisions/0061-re2js.md).
import { expect, it } from 'vitest';
import { compileRegex, type Regex } from '../../../src/actions/index.ts';

function compiled(source: string, ignoreCase = false): Regex {
  const regex = compileRegex(source, ignoreCase);
  if ('problem' in regex) throw new Error(regex.problem);
  return regex;
}

it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*)*x', '(?:a?){30}a{30}$', '(\\w+\\s?)+$'])(
  'matches %s against a text that native engines never finish',
  (source) => {
    const regex = compiled(source);
    const milliseconds = (length: number): number => {
      const text = `${'a'.repeat(length)}!`;
      const start = performance.now();
      regex.test(text);
      return performance.now() - start;
    };
    milliseconds(1000);
    // Patience, not a measure: an engine that backtracks would not be done in this universe.
    expect(milliseconds(100_000)).toBeLessThan(20_000);
  },
);

it('knows letters beyond ASCII, and case if asked', () => {
  expect(compiled('^\\p{L}+$').test('Straße')).toBe(true);
  expect(compiled('STRASSE|ÉTÉ').test('été')).toBe(false);
  expect(compiled('STRASSE|ÉTÉ', true).test('été')).toBe(true);
  expect(compiled('^.$').test('😀')).toBe(true);
});

it('tells where it matches in UTF-16 units', () => {
  expect(compiled('[b😀]+').ranges('a😀b 😀')).toEqual([
    { start: 1, end: 4 },
    { start: 5, end: 7 },
  ]);
  expect(compiled('x*').ranges('axxa')).toEqual([{ start: 1, end: 3 }]);
});

it('says why a text is no expression', () => {
  expect(compileRegex('(', false)).toEqual({ problem: expect.stringContaining('missing closing )') });
  expect(compileRegex('(a)\\1', false)).toHaveProperty('problem');
  expect(compileRegex('((a{100}){100}){100}', false)).toHaveProperty('problem');
  expect(compileRegex('a{900}b{900}c{900}d{900}e{900}f{900}', false)).toEqual({ problem: 'it is too large' });
});
