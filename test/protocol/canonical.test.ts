import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBytes, canonicalize, MAX_DEPTH, parseJson, toHex } from '../../src/protocol/index.ts';
import { runs } from '../support/extent.ts';
import { jsonValue, reordered, spaced } from '../support/json-values.ts';
import { outcome } from '../support/refusals.ts';
import { canonicalVectors } from '../support/vectors.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('RFC 8785: canonical form', () => {
  const accepted = canonicalVectors.filter(({ error }) => error === undefined);
  const refused = canonicalVectors.filter(({ error }) => error === true);

  it('has vectors of both kinds', () => {
    expect(accepted.length).toBeGreaterThan(200);
    expect(refused.length).toBeGreaterThan(10);
  });

  it.each(accepted)('vector: $name', ({ input, canonical }) => {
    expect(canonicalize(parseJson(input))).toBe(canonical);
  });

  it.each(refused)('vector refused: $name', ({ input }) => {
    expect(outcome(() => canonicalize(parseJson(input)))).toBe('JSON_INVALID');
  });

  // What JSON.parse has dropped or rounded, no canonical form can show.
  it.each(refused.filter(({ name }) => !/^duplicate|not keep|17 digits/.test(name)))(
    'vector refused also where a value did not come through parseJson: $name',
    ({ input }) => {
      expect(outcome(() => canonicalize(JSON.parse(input)))).toBe('NOT_CANONICAL');
    },
  );

  it('§3.2.3 orders members by UTF-16 code units, not by code points', () => {
    expect(canonicalize({ '\ue000': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ue000":1}');
  });

  it('§3.2.4 gives UTF-8', () => {
    expect(toHex(canonicalBytes('€\u{1f600}'))).toBe('22e282acf09f988022');
  });

  it.each([
    ['a number that is not one', Number.NaN],
    ['an infinity', Number.NEGATIVE_INFINITY],
    ['undefined', undefined],
    ['undefined in an array', [undefined]],
    ['undefined as a member', { a: undefined }],
    ['a hole in an array', new Array(1)],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol.iterator],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['an object of a class', new (class Point {})()],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate in a member name', { '\udc00': 1 }],
    ['a value nested one level too deep', nested(MAX_DEPTH + 1)],
  ])('refuses %s', (_, value) => {
    expect(outcome(() => canonicalize(value))).toBe('NOT_CANONICAL');
  });

  it('takes values nested to the limit, and objects without a prototype', () => {
    expect(outcome(() => canonicalize(nested(MAX_DEPTH)))).toBe('accepted');
    expect(canonicalize(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });

  it('is the same for every order of members', () => {
    fc.assert(
      fc.property(jsonValue, fc.string(), (value, salt) => {
        expect(canonicalize(reordered(value, salt))).toBe(canonicalize(value));
      }),
      runs(),
    );
  });

  it('is the same for any white space in the text it was read from', () => {
    fc.assert(
      fc.property(jsonValue, fc.string(), (value, salt) => {
        expect(canonicalize(parseJson(spaced(value, salt)))).toBe(canonicalize(value));
      }),
      runs(),
    );
  });

  it('is its own canonical form when read again', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalize(value);
        expect(canonicalize(JSON.parse(text))).toBe(text);
        expect(canonicalize(parseJson(text, { oneSpelling: true }))).toBe(text);
      }),
      runs(),
    );
  });

  it('loses nothing: what is read again equals what was written', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        // Through JSON once, for -0, which has no canonical form of its own.
        expect(JSON.parse(canonicalize(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs(),
    );
  });
});
