import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintDigits, orgFingerprint, readFingerprintDigits } from '../../src/protocol/index.ts';
import { runs } from '../support/extent.ts';

// Computed with Python's hashlib from protocol F114 and F115.
const KEYS = [
  [
    'RmfVnwgg9KjDv_KRwbGR3FhhWSbskzE3yBFzEq6ahkI',
    '66405 60320 00830 62662 50951 20003 22653 84705 18052 71241 20845 47154',
  ],
  [
    'vabc3g6XPdqHkJYGunnEC5602jnQP9t7WhhirQzsLOk',
    '57124 17686 21090 15347 36671 46971 22721 42308 09975 61732 68860 84304',
  ],
] as const;

describe('protocol F114 and F115: fingerprints', () => {
  it.each(KEYS)('the key %s is read out as %s', (kid, digits) => {
    expect(fingerprintDigits(kid).join(' ')).toBe(digits);
  });

  it.each([
    ['org_edaedcbc4f8345b89f5b', '35344 84605 39639'],
    ['организация', '97495 24143 14660'],
  ])('the organization %s is labelled %s', (orgId, digits) => {
    expect(orgFingerprint(orgId)).toBe(digits);
  });

  it('always has 12 groups of 5 digits for a key and 3 for an organization', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        expect(fingerprintDigits(text).join(' ')).toMatch(/^\d{5}( \d{5}){11}$/);
        expect(orgFingerprint(text)).toMatch(/^\d{5} \d{5} \d{5}$/);
      }),
      runs(),
    );
  });

  it('reads digits with blanks, hyphens and line breaks between groups or without', () => {
    const [[, text]] = KEYS;
    const digits = text.replaceAll(' ', '');
    for (const typed of [text, digits, text.replaceAll(' ', '-'), `\n ${text.replaceAll(' ', '  ')}\t`]) {
      expect(readFingerprintDigits(typed)).toBe(digits);
    }
  });

  it.each([
    ['a digit too few', '5'.repeat(59)],
    ['a digit too many', '5'.repeat(61)],
    ['a kid', KEYS[0][0]],
    ['a letter', `${'5'.repeat(59)}O`],
    ['digits of another script', '٥'.repeat(60)],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(readFingerprintDigits(text)).toBeNull();
  });
});
