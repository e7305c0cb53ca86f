// docs/retention.md, "Legal holds": what of a payload names a person, wherever in it and however it is written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPayload } from '../../../../src/actions/index.ts';
import { canonicalize, type JsonObject } from '../../../../src/protocol/index.ts';
import { namesPerson } from '../../../../src/service/evidence/retention/hold-terms.ts';

/** Whether a hold on a person covers a payload, of which a reader reads all or only so many values. */
function isHeld(person: string, payload: JsonObject, leaves = 20_000): boolean {
  const limits = { openings: 4, leaves, characters: 1_048_576 };
  const stored = { payload: canonicalize(payload), disclosures: null };
  return namesPerson(person)({ head: { subject: 'x' }, stored, read: readPayload(payload, {}, limits) });
}

describe('a hold on a person', () => {
  it.each([
    ['Ada Lovelace', 'Ada Love<em>lace</em>'],
    ['Lovelace', 'Love<b>lace</b> x'],
    ['ada@corp.example', 'ada@<b>corp.example</b>'],
    ['Zoë Müller', 'zo\\303\\253 m\\303\\274ller.txt'],
    ['Ada Lovelace', '&#65da Lovelace'],
    ['Ada Lovelace', '=41da=20Love=\nlace'],
    ['Ada Lovelace', 'ᴀᴅᴀ 🅛ᴏᴠᴇʟᴀᴄᴇ'],
    ['PACE', 'РАСЕ Ж'],
  ])('covers %s in %s', (person, text) => {
    expect(isHeld(person, { text })).toBe(true);
  });

  it.each<[boolean, JsonObject]>([
    [true, { first: 'Ada', last: { family: 'Lovelace' } }],
    [true, { people: [{ first: 'Ada', last: { family: 'Lovelace' } }] }],
    [
      false,
      {
        people: [
          { first: 'Ada', last: 'Byron' },
          { first: 'Bob', last: 'Lovelace' },
        ],
      },
    ],
    [false, { first: 'Ada', of: { last: { family: 'Lovelace' } } }],
  ])(
    'covers a name of which an object has one part, and a member of that object the other: %s',
    (expected, payload) => {
      expect(isHeld('Ada Lovelace', payload)).toBe(expected);
    },
  );

  it('does not go by what else is in the payload', () => {
    const noise = fc.constantFrom('', ' ', '_', '.', '@', 'x', '1', '<', '<b>', '</b>', '&#65', '=41', '%41', '&');
    const text = fc.tuple(noise, noise, noise, noise).map(([a, b, c, d]) => `${a}Ada${b}Love${c}lace${d}`);
    fc.assert(
      fc.property(fc.constantFrom('Ada Lovelace', 'Ada', 'ada@love', 'love'), text, text, (person, one, two) => {
        const payload = { a: [one], b: { [two]: two } };
        // With a line break in a text, a payload is read whole.
        expect(isHeld(person, payload)).toBe(isHeld(person, { ...payload, z: '\n' }));
      }),
      { numRuns: 2000 },
    );
  });

  it('covers what cannot be read whole where it has all of the words', () => {
    const payload = { first: 'Ada', last: 'Lovelace', n: 1 };
    expect([isHeld('Ada Lovelace', payload, 1), isHeld('Ada Byron', payload, 1)]).toEqual([true, false]);
  });
});
