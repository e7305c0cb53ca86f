// A text that crosses an air gap as QR codes: docs/decisions/0016-qr.md.
import { describe, expect, it } from 'vitest';
import { codesOf, joined } from '../../src/renderer/lib/code-parts.ts';
import { qrCode } from '../../src/reports/pdf/qr.ts';
import { at } from '../support/bytes.ts';

const long = `old 0\n\n${'— witness.example.org/w1 حارس 证人 AAAA\n'.repeat(120)}`;

describe('a text as codes', () => {
  it('is one code as long as one holds it, and no part of anything', () => {
    for (const text of ['', 'old 0\n', 'x'.repeat(2331)]) {
      expect(codesOf(text)).toEqual([text]);
      expect(joined(text)).toEqual({ text, have: 0, of: 0 });
      expect(qrCode(text).size).toBeLessThanOrEqual(177);
    }
    expect(codesOf('x'.repeat(2332)).length).toBeGreaterThan(1);
  });

  it('is several beyond that, which come together in any order, however often each is read', () => {
    const codes = codesOf(long);
    for (const code of codes) expect(qrCode(code).size).toBeLessThanOrEqual(121);
    const read = [...codes.toReversed(), ...codes].join('\r\n');
    expect(joined(read)).toEqual({ text: long, have: codes.length, of: codes.length });
  });

  it('says how many parts are missing', () => {
    const codes = codesOf(long);
    expect(joined(codes.slice(1).join('\n'))).toEqual({ text: null, have: codes.length - 1, of: codes.length });
  });

  it('is that which the newest part is of, where parts of two texts were read', () => {
    const [one, other] = [codesOf(long), codesOf(`${long}more`)];
    expect(joined([...other, ...one].join('\n')).text).toBe(long);
    expect(joined([...one, at(other, 0)].join('\n'))).toMatchObject({ text: null, have: 1 });
  });

  it('is nothing where a part is not what was written', () => {
    const [first = '', ...rest] = codesOf(long);
    for (const wrong of [first.replace(/.$/, first.endsWith('A') ? 'B' : 'A'), first.replace(/ \S+$/, ' A')])
      expect(joined([wrong, ...rest].join('\n')).text).toBeNull();
    expect(joined('countersign.part.v1 1/99 0123456789abcdef AAAA').text).toBeNull();
    expect(joined('countersign.part.v1 7/1 0123456789abcdef AAAA').text).toBeNull();
  });
});
