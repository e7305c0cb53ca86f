import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENVELOPE_DEPTH } from '../../src/protocol/canonical.ts';
import {
  concatBytes,
  decodeUtf8,
  ExactNumber,
  exactJsonText,
  MAX_DEPTH,
  parseJson,
  parseJsonBytes,
  readExactJson,
  utf8,
  withTexts,
} from '../../src/protocol/index.ts';
import { hexBytes } from '../support/bytes.ts';
import { runs } from '../support/extent.ts';
import { jsonValue, spaced, unicodeText } from '../support/json-values.ts';
import { outcome } from '../support/refusals.ts';

describe('RFC 8259: JSON text', () => {
  it.each([
    '',
    ' ',
    '{',
    '}',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '01',
    '1.',
    '.5',
    '+1',
    '0x10',
    'NaN',
    'Infinity',
    'True',
    'undefined',
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u12"',
    '1 2',
    '[1] // one',
    '\ufeff1',
    '\u00a01',
    '1\u0000',
  ])('refuses %j', (text) => {
    expect(outcome(() => parseJson(text))).toBe('JSON_INVALID');
  });

  it('gives the value of every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(jsonValue, fc.boolean(), (value, oneSpelling) => {
        const text = JSON.stringify(value);
        expect(parseJson(text, { oneSpelling })).toEqual(JSON.parse(text));
        expect(parseJson(spaced(value), { oneSpelling })).toEqual(JSON.parse(text));
      }),
      runs(),
    );
  });

  it('§9 sets a limit to nesting: that of a canonical form, and room for the document around it', () => {
    const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
    for (const nested of [arrays, objects]) {
      expect(outcome(() => parseJson(nested(MAX_DEPTH + ENVELOPE_DEPTH)))).toBe('accepted');
      expect(outcome(() => parseJson(nested(MAX_DEPTH + ENVELOPE_DEPTH + 1)))).toBe('JSON_INVALID');
    }
    expect(outcome(() => parseJson(arrays(50_000)))).toBe('JSON_INVALID');
  });
});

describe('RFC 7493: I-JSON', () => {
  it.each([
    ['in the outermost object', '{"a":1,"a":1}'],
    ['in an object within an array', '[1,{"b":{"a":1,"c":2,"a":1}}]'],
    ['spelled with an escape', '{"a":1,"\\u0061":2}'],
    ['of an empty name', '{"":1,"":2}'],
    ['of a name that objects have anyway', '{"__proto__":1,"__proto__":2}'],
    ['after strings that hold colons, quotes and braces', '{"x":":\\":{","a":1,"y\\\\":"\\\\","a":2}'],
    ['hidden by a member of another object', '{"a":{"b":1},"a":{"b":1}}'],
  ])('§2.3 refuses a duplicate member %s', (_, text) => {
    expect(outcome(() => parseJson(text))).toBe('JSON_INVALID');
    expect(outcome(() => parseJson(text, { oneSpelling: true }))).toBe('JSON_INVALID');
  });

  it('§2.3 takes the same name in different objects, and colons within strings', () => {
    expect(parseJson('[{"a":1},{"a":2,"b":{"a":3}}]')).toEqual([{ a: 1 }, { a: 2, b: { a: 3 } }]);
    expect(parseJson('{"a:b":"c:d","\\"a\\":1":":"}')).toEqual({ 'a:b': 'c:d', '"a":1': ':' });
  });

  it('§2.3 refuses a duplicate of any member of any object', () => {
    const object = fc.array(fc.tuple(unicodeText, jsonValue), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(object, fc.nat(), jsonValue, fc.boolean(), (entries, which, other, oneSpelling) => {
        const whole = Object.fromEntries(entries);
        const name = Object.keys(whole)[which % Object.keys(whole).length] ?? '';
        const inner = JSON.stringify(whole).slice(1, -1);
        const text = `[{${inner},${JSON.stringify(name)}:${JSON.stringify(other)}}]`;
        expect(outcome(() => parseJson(`[{${inner}}]`, { oneSpelling }))).toBe('accepted');
        expect(outcome(() => parseJson(text, { oneSpelling }))).toBe('JSON_INVALID');
      }),
      runs(),
    );
  });

  it.each(['"\\ud800"', '"\\udc00\\ud800"', '["a\\udfffb"]', '{"\\ud83d":1}', '{"a":{"b":["\\udead"]}}', '"\ud800"'])(
    '§2.1 refuses a lone surrogate: %j',
    (text) => {
      expect(outcome(() => parseJson(text))).toBe('JSON_INVALID');
    },
  );

  it('gives back a member named __proto__ as a member', () => {
    const value = parseJson('{"__proto__":{"a":1}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('RFC 3629: UTF-8', () => {
  it.each([
    ['a continuation byte alone', '80'],
    ['a sequence cut short', 'e282'],
    ['an overlong form of /', 'c0af'],
    ['an overlong form of NUL', 'e08080'],
    ['an encoded surrogate', 'eda080'],
    ['a value above U+10FFFF', 'f4908080'],
    ['Latin-1', 'e9'],
    ['a byte that never occurs', 'ff'],
  ])('refuses %s', (_, hex) => {
    const bytes = hexBytes(hex);
    expect(outcome(() => decodeUtf8(bytes))).toBe('JSON_INVALID');
    expect(outcome(() => parseJsonBytes(concatBytes(utf8('"'), bytes, utf8('"'))))).toBe('JSON_INVALID');
  });

  it('keeps a byte order mark as a character, which JSON has no place for', () => {
    expect(decodeUtf8(hexBytes('efbbbf31'))).toBe('\ufeff1');
    expect(outcome(() => parseJsonBytes(hexBytes('efbbbf31')))).toBe('JSON_INVALID');
  });

  it('gives back every text', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        expect(decodeUtf8(utf8(text))).toBe(text);
      }),
      runs(),
    );
  });
});

describe('protocol F5: numbers that a double does not keep', () => {
  it.each([
    '9007199254740993',
    '[-12345678901234567890]',
    '{"a":{"b":[0.30000000000000000001]}}',
    '{"a":"1","b":0.10000000000000000555}',
    '1.00000000000000000000001',
    '1e400',
    '[-1e309]',
    '{"a":[1e999999999999999999999]}',
    '1e-400',
    '-2e-324',
  ])('refuses %s', (text) => {
    expect(outcome(() => parseJson(text))).toBe('JSON_INVALID');
    expect(outcome(() => parseJson(text, { oneSpelling: true }))).toBe('JSON_INVALID');
  });

  it.each([
    '9007199254740992',
    '[12345678901234567000,1e23,100000000000000000000000]',
    '0.30000000000000004',
    '0.10000000000000000000',
    '{"a":4.50,"b":-0,"c":0e999,"d":5e-324,"e":1.7976931348623157e308}',
    '["12345678901234567890","1e400",{"9007199254740993":1}]',
    '["\\"12345678901234567890"]',
  ])('takes %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('takes every double as JSON.stringify writes it, and refuses it with one more digit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify({ number });
        expect(parseJson(text)).toEqual(JSON.parse(text));
        // A digit behind all that the double has changes the value, and never the double.
        const [mantissa = '', exponent] = String(number).split('e');
        const longer = `${mantissa}${mantissa.includes('.') ? '' : '.'}${'0'.repeat(400)}1`;
        expect(outcome(() => parseJson(exponent === undefined ? longer : `${longer}e${exponent}`))).toBe(
          'JSON_INVALID',
        );
      }),
      runs(),
    );
  });

  it.each([
    ['{"records":[{"payload":{"a":1}},{"payload":{"x/y":["[",1e400]}}]}', '/records/1/payload/x~1y/1: 1e400'],
    ['{"a":[1,{"b\\"":{}},[]],"c":12345678901234567890}', '/c: 12345678901234567890'],
    ['9007199254740993', 'it: 9007199254740993'],
  ])('names the place in %s', (text, beginning) => {
    expect(() => parseJson(text)).toThrow(`${beginning} is a number that a double does not keep`);
  });
});

describe('JSON of others, with all digits of its numbers', () => {
  const text =
    '{"id":12345678901234567890,"same":"12345678901234567890","in":[NaN,-Infinity,"NaN",0,1e400,[-0.30000000000000000001]],"small":1.5}';

  it.each([
    ['parseJson', parseJson],
    ['JSON.parse', JSON.parse],
  ] as const)('keeps those that a double does not, NaN and infinities apart from texts, read with %s', (_, parse) => {
    const exact = (digits: string): ExactNumber => new ExactNumber(digits);
    expect(readExactJson(text, parse)).toEqual({
      id: exact('12345678901234567890'),
      same: '12345678901234567890',
      in: [exact('NaN'), exact('-Infinity'), 'NaN', 0, exact('1e400'), [exact('-0.30000000000000000001')]],
      small: 1.5,
    });
  });

  it('writes them again as they were', () => {
    expect(exactJsonText(readExactJson(text, parseJson))).toBe(text);
  });

  it('gives texts in their place, and where they stand', () => {
    expect(withTexts(readExactJson('{"a/b":[1e400,"1e400"],"c":NaN}', parseJson))).toEqual({
      value: { 'a/b': ['1e400', '1e400'], c: 'NaN' },
      places: ['/a~1b/0', '/c'],
    });
  });

  it('gives what JSON.parse does where a double keeps all numbers', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const written = JSON.stringify(value);
        expect(readExactJson(written, JSON.parse)).toEqual(JSON.parse(written));
        expect(exactJsonText(JSON.parse(written))).toBe(written);
      }),
      runs(),
    );
  });

  it('knows the end of every text from a quote within it', () => {
    const text = fc
      .array(fc.constantFrom('"', '\\', '\\\\', '1e400', 'a'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (written) => {
        const exact = new ExactNumber('1e400');
        expect(readExactJson(`{${JSON.stringify(written)}:1e400}`, JSON.parse)).toEqual({ [written]: exact });
        expect(readExactJson(`[${JSON.stringify(written)},1e400]`, JSON.parse)).toEqual([written, exact]);
      }),
      runs(),
    );
  });

  it('does not end with the stack', () => {
    const deep = `${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`;
    expect(outcome(() => readExactJson(deep, JSON.parse))).toBe('accepted');
  });
});

describe('protocol F150: one spelling, so that no changed bit means the same', () => {
  it.each([
    '1E5',
    '[1.5E-7]',
    '{"a":-2E+3}',
    '"\\u00AB"',
    '"\\u00aB"',
    '"\\\\\\u00AB"',
    '{"\\u00E9":1}',
    '"\\ud83D\\ude00"',
  ])('refuses %s, which is accepted otherwise', (text) => {
    expect(outcome(() => parseJson(text, { oneSpelling: true }))).toBe('JSON_INVALID');
    expect(outcome(() => parseJson(text))).toBe('accepted');
  });

  it.each(['1e5', '{"E":"1E5"}', '"\\u00ab"', '"\\\\u00AB"', '"u00AB E"', '["\\n\\u0000\\"E"]'])('takes %s', (text) => {
    expect(parseJson(text, { oneSpelling: true })).toEqual(JSON.parse(text));
  });
});
