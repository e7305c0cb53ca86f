// docs/query-language.md and docs/retention.md: where a person occurs in a record, wherever in it and however it is written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamingRecord, readPayload, soughtPerson } from '../../../src/actions/index.ts';
import { canonicalize, type JsonObject } from '../../../src/protocol/index.ts';
import { runs } from '../../support/extent.ts';

/** A record of which a reader reads all of the payload, or only so many values. */
function recordOf(payload: JsonObject, members: Partial<NamingRecord> = {}, leaves = 20_000): NamingRecord {
  const limits = { openings: 4, leaves, characters: 1_048_576 };
  const read = readPayload(payload, {}, limits);
  return { subject: 'x', action: 'y', type: 'z', texts: [canonicalize(payload)], read, ...members };
}

const isHeld = (person: string, payload: JsonObject, leaves?: number): boolean =>
  soughtPerson(person).isIn(recordOf(payload, {}, leaves));

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
    ['Ada Lovelace', 'QWRhIExvdmVsYWNl'],
    ['Ada Lovelace', 'data:text/plain;base64,QWRhIExvdmVsYWNlLCBib3JuIDE4MTU='],
    ['Müßigbrodt', '/mail/parts/SGVyciBNw7zDn2lnYnJvZHQ='],
    ['Mussigbrodt', 'Müßigbrodt'],
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
      runs(2000),
    );
  });

  it('covers what cannot be read whole where it has all of the words', () => {
    const payload = { first: 'Ada', last: 'Lovelace', n: 1 };
    expect([isHeld('Ada Lovelace', payload, 1), isHeld('Ada Byron', payload, 1)]).toEqual([true, false]);
  });
});

describe('the places of a person', () => {
  const places = (person: string, payload: JsonObject, members: Partial<NamingRecord> = {}): string[] =>
    soughtPerson(person)
      .placesIn(recordOf(payload, members))
      .map((place) => (place.in === 'payload' ? [place.of, ...place.path].join(' ') : place.in));

  it('are its subject, action and type, and each value and name of its payload', () => {
    const members = { subject: 'MUSSIGBRODT', action: 'tell Müßigbrodt', type: 'mail.mu\u0308ssigbrodt' };
    const payload = {
      note: 'to Müßigbrodt',
      müßigbrodt: { n: [1, 2] },
      inner: '{"a":["m%C3%BC%C3%9Figbrodt"]}',
      z: 'Muss',
    };
    expect(places('Müßigbrodt', payload, members)).toEqual([
      'subject',
      'action',
      'type',
      'value note',
      'name müßigbrodt',
      'value inner a *',
    ]);
  });

  it('are all parts of a name that several values have between them', () => {
    const payload = { first: 'Ada', last: { family: 'Lovelace' }, other: { first: 'Ada' } };
    expect(places('Ada Lovelace', payload)).toEqual(['apart first', 'apart last family', 'apart other first']);
  });

  it('are the whole payload where it cannot be read whole, and only the subject where nothing is left of it', () => {
    const payload = { a: 'Ada Lovelace' };
    expect(places('Ada', payload, { read: null })).toEqual(['whole']);
    expect(places('Ada', payload, { texts: [], read: null, subject: 'Ada' })).toEqual(['subject']);
  });

  it('are the names of withheld members too, which the payload still has', () => {
    const salted = { _sd: { 'Ada Lovelace': 'A'.repeat(43), n: 'E'.repeat(43) } };
    expect(places('Ada Lovelace', salted)).toEqual(['name Ada Lovelace']);
  });

  it('are those that isIn finds', () => {
    const word = fc.constantFrom('Ada', 'Lovelace', 'Byron', 'ada_lovelace', 'x');
    const record = fc.record({ subject: word, action: word, type: word, payload: fc.dictionary(word, fc.array(word)) });
    fc.assert(
      fc.property(record, ({ payload, ...members }) => {
        const sought = soughtPerson('Ada Lovelace');
        const asked = recordOf(payload, members);
        expect(sought.placesIn(asked).length > 0).toBe(sought.isIn(asked));
      }),
      runs(200),
    );
  });
});

it('reads a record once for however many names it is looked through for', () => {
  const payload = { text: 'The board heard of Müller, who had asked for nothing. '.repeat(2000) };
  const people = Array.from({ length: 100 }, (_, n) => soughtPerson(`Ada Lovelace ${n}`));
  const took = (names: typeof people): number => {
    const record = recordOf(payload);
    const began = performance.now();
    expect(names.some(({ isIn }) => isIn(record))).toBe(false);
    return performance.now() - began;
  };
  // The first reading finds nothing compiled.
  took(people);
  expect(took(people)).toBeLessThan(25 * took(people.slice(0, 1)));
});
