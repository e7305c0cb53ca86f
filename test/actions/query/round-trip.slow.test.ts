// What is printed reads back as the same, and no text makes the parser throw.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Parsed, parseQuery, printQuery, QUERY_ERROR_CODES } from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { allAreWords, OPTIONS, queries } from '../../support/queries.ts';

const PIECES = [
  ...[
    'a',
    'tool',
    'agent',
    'seq',
    'issued',
    'duration',
    'a.b',
    '/a/b',
    '"a b"',
    '"',
    '\\',
    '*',
    'or',
    'and',
    'not',
    'NOT',
    '-',
  ],
  ...[
    '(',
    ')',
    ':',
    '=',
    '!=',
    '!',
    '<',
    '<=',
    '>',
    '>=',
    '~',
    '/',
    '/x/',
    '/x y/i',
    '/(/',
    ' ',
    ' ',
    ' ',
    '\t',
    '5',
    '007',
  ],
  ...[
    '10:00',
    'today',
    '2026-11-21',
    '-15m',
    'https://x',
    'é',
    '日本',
    '😀',
    '\ud800',
    '_',
    '*a*',
    'b*',
    '~1',
    '.',
    '[',
    '\\/',
  ],
];

const likeAQuery = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(likeAQuery, fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 }));

/** What is read again must be what was read; a printed query may be longer, but no test here comes near the limits. */
function expectSame(parsed: Parsed): void {
  if (parsed.ok) expect(parseQuery(printQuery(parsed.query), OPTIONS)).toEqual(parsed);
}

it('prints every query so that it reads back as the same', () => {
  expect(allAreWords()).toBe(true);
  fc.assert(
    fc.property(queries, (query) => {
      const parsed = parseQuery(printQuery(query), OPTIONS);
      // The arbitrary may make more than the parser takes.
      fc.pre(parsed.ok || parsed.errors.every(({ code }) => !code.startsWith('TOO_')));
      expect(parsed).toEqual({ ok: true, query });
    }),
    runs(3000),
  );
});

it('reads any text or says why not, and never throws', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseQuery(text, OPTIONS);
      expectSame(parsed);
      if (parsed.ok) return;
      expect(parsed.errors.length).toBeGreaterThan(0);
      for (const { code, message, at, end, expected } of parsed.errors) {
        expect(QUERY_ERROR_CODES).toContain(code);
        expect(message).not.toBe('');
        expect(expected.length).toBeGreaterThan(0);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(at);
        expect(end).toBeLessThanOrEqual(text.length);
      }
    }),
    runs(10_000),
  );
});

it('means the same at another time and in another zone, once it is printed', () => {
  const parsed = parseQuery('issued > -15m or received = today or issued <= 10:00', OPTIONS);
  expect(parsed.ok).toBe(true);
  if (parsed.ok) expect(parseQuery(printQuery(parsed.query), { now: 0, zone: 'Asia/Tokyo' })).toEqual(parsed);
});
