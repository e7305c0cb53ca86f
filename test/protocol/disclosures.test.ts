import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalize,
  type Disclosure,
  type Disclosures,
  disclosureDigest,
  disclosuresFit,
  disclosuresText,
  isSalted,
  type Json,
  type JsonObject,
  parseDisclosures,
  parseJson,
  SALT_BYTES,
  saltPayload,
  sha256,
  shownPayload,
  toBase64Url,
  utf8,
  withheldNames,
} from '../../src/protocol/index.ts';
import { runs } from '../support/extent.ts';
import { jsonValue } from '../support/json-values.ts';

const salt = () => crypto.getRandomValues(new Uint8Array(SALT_BYTES));
const hashed = (text: string): string => toBase64Url(sha256(utf8(text)));
const SALT = 'A'.repeat(22);
const digests = (count: number): { [name: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, hashed(`${n}`)]));
const named = (name: string): unknown => ({ _sd: Object.fromEntries([[name, hashed('1')]]) });

function salted(payload: JsonObject) {
  const made = saltPayload(payload, salt);
  if (made === null) throw new Error('no salted form');
  return made;
}

describe('the digest of a disclosure', () => {
  it('is that of RFC 9901 over the canonical form', () => {
    const disclosure: Disclosure = ['_26bc4LT-ac6q2KI6cBW5es', { z: 'Möbius', a: [1e21, -0] }];
    const json = '["_26bc4LT-ac6q2KI6cBW5es",{"a":[1e+21,0],"z":"Möbius"}]';
    expect(canonicalize(disclosure)).toBe(json);
    expect(disclosureDigest(disclosure)).toBe(hashed(toBase64Url(utf8(json))));
  });

  // RFC 9901 §4.2.4.2: the digest of the Disclosure of §4.2.2 as it is encoded there; its JSON has blanks, so ours has another.
  it('is computed over the encoded text, as the example of RFC 9901 §4.2.2 is', () => {
    const encoded = 'WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0';
    expect(hashed(encoded)).toBe('w0I8EKcdCtUPkGCNUrfwVp2xEgNjtoIDlOxc9-PlOhs');
  });
});

describe('a salted payload', () => {
  it('gives back what was salted, with all its disclosures', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), jsonValue, {
          minKeys: 1,
          maxKeys: 12,
        }),
        (payload) => {
          const made = saltPayload(payload as JsonObject, salt);
          if (made === null) return;
          expect(isSalted(made.payload)).toBe(true);
          expect(parseDisclosures(JSON.parse(JSON.stringify(made.disclosures)))).toEqual(
            JSON.parse(JSON.stringify(made.disclosures)),
          );
          expect(disclosuresFit(made.payload, made.disclosures)).toBe(true);
          expect(withheldNames(made.payload, made.disclosures)).toEqual([]);
          expect(canonicalize(shownPayload(made.payload, made.disclosures))).toBe(canonicalize(payload));
        },
      ),
      runs(),
    );
  });

  it('shows the profile, and no member without its disclosure', () => {
    const { payload, disclosures } = salted({ profile: 'p/1', a: 1, b: 2, __proto__x: 3 });
    expect(shownPayload(payload)).toEqual({ profile: 'p/1' });
    const { b } = disclosures;
    const shown = b === undefined ? {} : { b };
    expect(shownPayload(payload, shown)).toEqual({ profile: 'p/1', b: 2 });
    expect(withheldNames(payload, shown)).toEqual(['__proto__x', 'a']);
  });

  it('takes a member called __proto__ as any other', () => {
    const { payload, disclosures } = salted(JSON.parse('{"__proto__":{"x":1}}') as JsonObject);
    expect(JSON.stringify(shownPayload(payload, disclosures))).toBe('{"__proto__":{"x":1}}');
    expect(disclosuresFit(payload, disclosures)).toBe(true);
    expect(withheldNames(payload, disclosures)).toEqual([]);
    expect(withheldNames(payload)).toEqual(['__proto__']);
    expect(JSON.parse(disclosuresText(disclosures))).toEqual(disclosures);
  });

  it('has a different salt for each member of each record', () => {
    const drawn = Array.from({ length: 20 }, () => Object.values(salted({ a: 1, b: 1 }).disclosures)).flatMap((shown) =>
      shown.map(([one]) => one),
    );
    expect(new Set(drawn).size).toBe(40);
  });

  it.each<[string, JsonObject]>([
    ['without members', {}],
    ['with a profile alone', { profile: 'p' }],
    ['with a profile that is no text', { profile: 1, a: 1 }],
    ['with a reserved name', { _sd: {} }],
    ['with an empty name', { '': 1 }],
    ['with a name that is too long', { ['x'.repeat(257)]: 1 }],
    ['with too many members', Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`m${n}`, n]))],
  ])('cannot be made of a payload %s', (_, payload) => {
    expect(saltPayload(payload, salt)).toBeNull();
  });

  it.each<[string, unknown, boolean]>([
    ['digests by name', { _sd: digests(3) }, true],
    ['a name of one character', named('…'), true],
    ['a name of 256 characters', named('😀'.repeat(256)), true],
    ['a name that objects have', named('__proto__'), true],
    ['256 digests', { _sd: digests(256) }, true],
    ['a profile', { _sd: digests(1), profile: 'p' }, true],
    ['no digest', { _sd: {} }, false],
    ['257 digests', { _sd: digests(257) }, false],
    ['a list of digests', { _sd: Object.values(digests(3)) }, false],
    ['a list of digests under a name', { _sd: { n: Object.values(digests(2)) } }, false],
    ['a digest with trailing bits', { _sd: { n: `${'A'.repeat(42)}B` } }, false],
    ['a digest that is too long', { _sd: { n: 'A'.repeat(44) } }, false],
    ['an empty name', named(''), false],
    ['a name of 257 characters', named('x'.repeat(257)), false],
    ['the name _sd', named('_sd'), false],
    ['the name profile', named('profile'), false],
    ['another member', { _sd: digests(1), other: 1 }, false],
    ['an empty profile', { _sd: digests(1), profile: '' }, false],
    ['a profile that is null', { _sd: digests(1), profile: null }, false],
    ['no digests', { profile: 'p' }, false],
    ['a list', [digests(2)], false],
    ['nothing', null, false],
  ])('is recognised by %s', (_, payload, expected) => {
    expect(isSalted(payload)).toBe(expected);
  });
});

describe('disclosures', () => {
  it.each<[string, unknown]>([
    ['none', {}],
    ['a list', [[SALT, 1]]],
    ['nothing', null],
    ['more than 256', Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`a${n}`, [SALT, 1]]))],
    ['without value', { a: [SALT] }],
    ['with a third element', { a: [SALT, 'a', 1] }],
    ['with a salt of 15 bytes', { a: ['A'.repeat(20), 1] }],
    ['with a salt of 65 bytes', { a: ['A'.repeat(87), 1] }],
    ['with a salt of no length in bytes', { a: ['A'.repeat(25), 1] }],
    ['with trailing bits in the salt', { a: [`${'A'.repeat(21)}B`, 1] }],
    ['with a padded salt', { a: [`${SALT}==`, 1] }],
    ['with a salt that is a number', { a: [1, 1] }],
  ])('are refused: %s', (_, value) => {
    expect(() => parseDisclosures(value)).toThrow(expect.objectContaining({ code: 'SHAPE_INVALID' }));
  });

  it('fit only the payload that has their digests, each under its name', () => {
    const one = salted({ a: 1, b: 2 });
    const other = salted({ a: 1, b: 2 });
    const { a, b } = one.disclosures as { a: Disclosure; b: Disclosure };
    expect(disclosuresFit(one.payload, one.disclosures)).toBe(true);
    expect(disclosuresFit(one.payload, { b })).toBe(true);
    expect(disclosuresFit(one.payload, { a: b, b: a })).toBe(false);
    expect(disclosuresFit(one.payload, { a, b, c: a })).toBe(false);
    expect(disclosuresFit(one.payload, { a: [a[0], 3] })).toBe(false);
    expect(disclosuresFit(one.payload, { toString: a })).toBe(false);
    expect(disclosuresFit(other.payload, one.disclosures)).toBe(false);
    expect(disclosuresFit({ a: 1 }, { a })).toBe(false);
    expect(disclosuresFit(undefined, { a })).toBe(false);
    expect(disclosuresFit(undefined, {})).toBe(true);
  });

  it('show no two values of one member, whatever payload an agent signs', () => {
    const [one, two]: Disclosure[] = [
      [SALT, 10],
      [SALT, 1_000_000],
    ];
    const [first, second] = [one as Disclosure, two as Disclosure];
    const [low, high] = [disclosureDigest(first), disclosureDigest(second)];
    const forms: unknown[] = [{ amount: low }, { amount: high }, [low, high], { amount: [low, high] }];
    for (const _sd of forms) {
      const fitting = [first, second].filter((amount) => disclosuresFit({ _sd }, { amount }));
      expect(fitting.length).toBeLessThan(2);
    }
    // The one text that could name it twice is no JSON that anybody reads here.
    expect(() => parseJson(`{"_sd":{"amount":"${low}","amount":"${high}"}}`)).toThrow(
      expect.objectContaining({ code: 'JSON_INVALID' }),
    );
  });

  it('nest each as deep as what is hashed may', () => {
    const deep = JSON.parse(`${'['.repeat(255)}${']'.repeat(255)}`) as Json;
    const { payload, disclosures } = salted({ deep });
    expect(disclosuresFit(payload, parseJson(disclosuresText(disclosures)) as Disclosures)).toBe(true);
    expect(() => disclosuresText({ deep: [SALT, [deep]] })).toThrow(expect.objectContaining({ code: 'NOT_CANONICAL' }));
  });
});
