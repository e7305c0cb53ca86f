import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalize,
  type Disclosure,
  disclosureDigest,
  fitDisclosures,
  isSalted,
  type JsonObject,
  orderDisclosures,
  parseDisclosures,
  SALT_BYTES,
  saltPayload,
  sha256,
  shownPayload,
  toBase64Url,
  utf8,
} from '../../src/protocol/index.ts';
import { jsonValue } from '../support/json-values.ts';

const salt = () => crypto.getRandomValues(new Uint8Array(SALT_BYTES));
const hashed = (text: string): string => toBase64Url(sha256(utf8(text)));
const SALT = 'A'.repeat(22);
const digests = (count: number): string[] => Array.from({ length: count }, (_, n) => hashed(`${n}`)).sort();

function salted(payload: JsonObject) {
  const made = saltPayload(payload, salt);
  if (made === null) throw new Error('no salted form');
  return made;
}

describe('the digest of a disclosure', () => {
  it('is that of RFC 9901 over the canonical form', () => {
    const disclosure: Disclosure = ['_26bc4LT-ac6q2KI6cBW5es', 'family_name', { z: 'Möbius', a: [1e21, -0] }];
    const json = '["_26bc4LT-ac6q2KI6cBW5es","family_name",{"a":[1e+21,0],"z":"Möbius"}]';
    expect(canonicalize(disclosure)).toBe(json);
    expect(disclosureDigest(disclosure)).toBe(hashed(toBase64Url(utf8(json))));
  });

  // RFC 9901 §4.2.3: the digest of a Disclosure as it is encoded there; its JSON has blanks, so ours has another.
  it('is computed over the encoded text, as the example of RFC 9901 §4.2.3 is', () => {
    const encoded = 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0';
    expect(hashed(encoded)).toBe('X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0');
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
          const { digests: found, fit } = fitDisclosures(made.payload, made.disclosures);
          expect(fit).toBe(true);
          expect(found).toEqual(made.payload._sd);
          expect(canonicalize(shownPayload(made.payload, made.disclosures))).toBe(canonicalize(payload));
        },
      ),
    );
  });

  it('shows the profile, and no member without its disclosure', () => {
    const { payload, disclosures } = salted({ profile: 'p/1', a: 1, b: 2, __proto__x: 3 });
    expect(shownPayload(payload)).toEqual({ profile: 'p/1' });
    const b = disclosures.filter(([, name]) => name === 'b');
    expect(shownPayload(payload, b)).toEqual({ profile: 'p/1', b: 2 });
  });

  it('takes a member called __proto__ as any other', () => {
    const { payload, disclosures } = salted(JSON.parse('{"__proto__":{"x":1}}') as JsonObject);
    expect(JSON.stringify(shownPayload(payload, disclosures))).toBe('{"__proto__":{"x":1}}');
  });

  it('has a different salt for each member of each record', () => {
    const drawn = Array.from({ length: 20 }, () => salted({ a: 1, b: 1 }).disclosures.map(([one]) => one)).flat();
    expect(new Set(drawn).size).toBe(40);
  });

  it.each<[string, JsonObject]>([
    ['without members', {}],
    ['with a profile alone', { profile: 'p' }],
    ['with a profile that is no text', { profile: 1, a: 1 }],
    ['with a reserved name', { _sd: [] }],
    ['with the name ...', { '...': 1 }],
    ['with an empty name', { '': 1 }],
    ['with a name that is too long', { ['x'.repeat(257)]: 1 }],
    ['with too many members', Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`m${n}`, n]))],
  ])('cannot be made of a payload %s', (_, payload) => {
    expect(saltPayload(payload, salt)).toBeNull();
  });

  it.each<[string, unknown, boolean]>([
    ['digests in order', { _sd: digests(3) }, true],
    ['256 digests', { _sd: digests(256) }, true],
    ['a profile', { _sd: digests(1), profile: 'p' }, true],
    ['no digest', { _sd: [] }, false],
    ['257 digests', { _sd: digests(257) }, false],
    ['digests out of order', { _sd: digests(3).reverse() }, false],
    ['a digest twice', { _sd: [...digests(1), ...digests(1)] }, false],
    ['a digest with trailing bits', { _sd: [`${'A'.repeat(42)}B`] }, false],
    ['a digest that is too long', { _sd: ['A'.repeat(44)] }, false],
    ['another member', { _sd: digests(1), other: 1 }, false],
    ['an empty profile', { _sd: digests(1), profile: '' }, false],
    ['a profile that is null', { _sd: digests(1), profile: null }, false],
    ['no list of digests', { profile: 'p' }, false],
    ['a list', digests(2), false],
    ['nothing', null, false],
  ])('is recognised by %s', (_, payload, expected) => {
    expect(isSalted(payload)).toBe(expected);
  });
});

describe('disclosures', () => {
  it.each<[string, unknown]>([
    ['none', []],
    ['no array', { 0: [SALT, 'a', 1] }],
    ['more than 256', Array.from({ length: 257 }, (_, n) => [SALT, `a${n}`, 1])],
    ['without value', [[SALT, 'a']]],
    ['with a fourth element', [[SALT, 'a', 1, 2]]],
    ['with a salt of 15 bytes', [['A'.repeat(20), 'a', 1]]],
    ['with a salt of 65 bytes', [['A'.repeat(87), 'a', 1]]],
    ['with a salt of no length in bytes', [['A'.repeat(25), 'a', 1]]],
    ['with trailing bits in the salt', [[`${'A'.repeat(21)}B`, 'a', 1]]],
    ['with a padded salt', [[`${SALT}==`, 'a', 1]]],
    ['with a salt that is a number', [[1, 'a', 1]]],
    ['with an empty name', [[SALT, '', 1]]],
    ['with a reserved name', [[SALT, '_sd', 1]]],
    ['with the name profile', [[SALT, 'profile', 'p']]],
    ['with a name of 257 characters', [[SALT, 'x'.repeat(257), 1]]],
  ])('are refused: %s', (_, value) => {
    expect(() => parseDisclosures(value)).toThrow(expect.objectContaining({ code: 'SHAPE_INVALID' }));
  });

  it('fit only the payload that has their digests, each once', () => {
    const one = salted({ a: 1, b: 2 });
    const other = salted({ a: 1, b: 2 });
    const [first, second] = one.disclosures as [Disclosure, Disclosure];
    expect(fitDisclosures(one.payload, one.disclosures).fit).toBe(true);
    expect(fitDisclosures(one.payload, [second]).fit).toBe(true);
    expect(fitDisclosures(one.payload, [first, first]).fit).toBe(false);
    expect(fitDisclosures(one.payload, [[first[0], first[1], 3]]).fit).toBe(false);
    expect(fitDisclosures(other.payload, one.disclosures).fit).toBe(false);
    expect(fitDisclosures({ a: 1 }, [first]).fit).toBe(false);
    expect(fitDisclosures(undefined, [first]).fit).toBe(false);
    expect(fitDisclosures(undefined, []).fit).toBe(true);
  });

  it('do not fit where one name stands twice, though both have a digest', () => {
    const disclosures: Disclosure[] = [
      [SALT, 'a', 1],
      [SALT, 'a', 2],
    ];
    const payload = { _sd: disclosures.map((one) => disclosureDigest(one)).sort() };
    expect(fitDisclosures(payload, disclosures).fit).toBe(false);
  });

  it('are put in ascending order of their digests', () => {
    const { payload, disclosures } = salted({ a: 1, b: 2, c: 3, d: 4 });
    const shuffled = disclosures.toReversed();
    const found = fitDisclosures(payload, shuffled).digests;
    expect(orderDisclosures(shuffled, found)).toEqual(disclosures);
  });
});
