import { describe, expect, it } from 'vitest';
import { namesResemble } from '../../src/protocol/text/index.ts';

/** From the code points, so that what is not seen is read here. */
const POINTS = (...points: number[]): string => String.fromCodePoint(...points);
const CYRILLIC_A = POINTS(0x430);
const FULL_WIDTH = POINTS(
  ...[...'Acme Bank'].map((letter) => (letter === ' ' ? 0x3000 : letter.charCodeAt(0) + 0xfee0)),
);

describe('a name resembles another', () => {
  it.each([
    ['the same', 'Acme Bank'],
    ['in another case', 'ACME bank'],
    ['in full width', FULL_WIDTH],
    ['in mathematical letters', POINTS(0x1d400, 0x1d41c, 0x1d426, 0x1d41e, 0x20, 0x1d401, 0x1d41a, 0x1d427, 0x1d424)],
    ['with a Cyrillic а', `Acme B${CYRILLIC_A}nk`],
    ['with Cyrillic capitals', `${POINTS(0x410, 0x421, 0x41c, 0x415)} ${POINTS(0x412, 0x410)}N${POINTS(0x41a)}`],
    ['with a Greek capital alpha', `${POINTS(0x391)}cme Bank`],
    ['with a zero width space', `Ac${POINTS(0x200b)}me Bank`],
    ['with a soft hyphen', `Acme${POINTS(0xad)} Bank`],
    ['with a Hangul filler', `Acme Bank${POINTS(0x3164)}`],
    ['with a right-to-left override', `Acme Bank${POINTS(0x202e)}`],
    ['with tag characters', `Acme Bank${POINTS(0xe0041)}`],
    ['with a no-break space', `Acme${POINTS(0xa0)}Bank`],
    ['with two spaces', 'Acme  Bank'],
    ['without the space', 'AcmeBank'],
    ['with blanks at the ends', ' Acme Bank '],
    ['with a full stop at the end', 'Acme Bank.'],
    ['with quotation marks', '“Acme Bank”'],
    ['with an accent', 'Acmé Bank'],
    ['with an accent as a mark of its own', `Acme${POINTS(0x301)} Bank`],
    ['with r and n for m', 'Acrne Bank'],
  ])('%s', (_, name) => {
    expect(namesResemble('Acme Bank', name)).toBe(true);
    expect(namesResemble(name, 'Acme Bank')).toBe(true);
  });

  it.each([
    ['Northwood', 'N0rthw00d'],
    ['Mill Hill', 'MiII HiII'],
    ['Mill Hill', 'M111 Hi11'],
    ['acme inc', 'ACME lNC'],
    ['Straße', 'STRASSE'],
    ['Łódź Søren', 'Lodz Soren'],
    ['Newton', 'Nevvton'],
    ['Νίκη', 'ΝΙΚΗ'],
    ['Газпром', 'ГАЗПРОМ'],
    ['三菱', '三菱 '],
    ['!!!', '!!! '],
  ])('%s: %s', (one, other) => {
    expect(namesResemble(one, other)).toBe(true);
    expect(namesResemble(other, one)).toBe(true);
  });
});

describe('a name does not resemble another', () => {
  it.each([
    ['Acme Bank', 'Acme Bank of London'],
    ['Acme Bank', 'Acne Bank'],
    ['Acme Bank', 'Bank Acme'],
    ['Northwood', 'Southwood'],
    ['Northwood 2', 'Northwood 3'],
    ['Газпром', 'Газпост'],
    ['三菱', '三井'],
    ['हिन्दी', 'हन्दी'],
    ['!!!', '???'],
    ['Acme', ''],
    ['', ''],
    [POINTS(0x200b), POINTS(0x200c)],
  ])('%s: %s', (one, other) => {
    expect(namesResemble(one, other)).toBe(false);
    expect(namesResemble(other, one)).toBe(false);
  });
});

it('only the first 2,048 units of names are compared: nobody waits for one that is beyond all measure', () => {
  // One unit that is eighteen when it is written out.
  const long = POINTS(0xfdfa).repeat(2048);
  expect(namesResemble(`${long}Acme`, `${long}Northwood`)).toBe(true);
  expect(namesResemble(`${long.slice(1)}A${long}`, `${long.slice(1)}N${long}`)).toBe(false);
});
