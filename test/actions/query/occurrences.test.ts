// docs/query-language.md and docs/retention.md: where a person occurs in a record, wherever in it and however it is written.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type NamingRecord, readPayload, soughtPerson, soughtSession } from '../../../src/actions/index.ts';
import { canonicalize, type JsonObject } from '../../../src/protocol/index.ts';
import { runs } from '../../support/extent.ts';

type SoughtName = ReturnType<typeof soughtPerson>;

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

it('overlooks no value and no name of a payload that has the name by itself', () => {
  const piece = fc.constantFrom(
    'Ada',
    ' ',
    'Love',
    'lace',
    '%20',
    '&nbsp;',
    '_',
    'Lovelace',
    '\u0430',
    'da',
    '\\n',
    '<b>',
    'ü',
    '7',
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.boolean(), (texts, areNames) => {
      const payload = areNames ? Object.fromEntries(texts.map((name) => [name, 1])) : { texts };
      for (const sought of [soughtPerson('Ada Lovelace'), soughtSession('Ada Lovelace')]) {
        const has = texts.some(sought.isInText);
        if (has) expect(sought.isIn(recordOf(payload))).toBe(true);
      }
    }),
    runs(2000),
  );
});

describe('a record that nobody is found in is looked through once, for however many names', () => {
  const MANY = 400;
  const person = (n: number): SoughtName => soughtPerson(`Ada Lovelace ${n}`);
  const session = (n: number): SoughtName => soughtSession(`session ${n}`);
  const lookedFor = (record: NamingRecord, sought: readonly SoughtName[]): void => {
    expect(sought.some(({ isIn }) => isIn(record))).toBe(false);
  };

  it.each([
    ['people', person],
    ['sessions', session],
  ])('%s, in a long text', (_, make) => {
    const sought = Array.from({ length: MANY }, (_, n) => make(n));
    // A run of letters beyond ASCII that is too long to be remembered.
    const payload = { text: 'Ada слышалаотопытныхмехаников. '.repeat(100) };
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const folded = (names: typeof sought): number => {
      normalize.mockClear();
      lookedFor(recordOf(payload), names);
      return normalize.mock.calls.length;
    };
    const once = folded(sought.slice(0, 1));
    expect(folded(sought)).toBeLessThan(3 * once);
    normalize.mockRestore();
  });

  it.each([
    ['people', person],
    ['sessions', session],
  ])('%s, in many values, each of which has words of them', (_, make) => {
    const sought = Array.from({ length: MANY }, (_, n) => make(n));
    const values = Array.from({ length: 4 * MANY }, (_, n) => (n % 2 === 0 ? 'ü Ada' : `ü Lovelace session ${n}`));
    const record = recordOf(Object.fromEntries(values.map((value, n) => [`m${n}`, { in: { value } }])));
    let looks = 0;
    const leaves = (record.read?.leaves ?? []).map((leaf) => ({
      ...leaf,
      get value() {
        looks++;
        return leaf.value;
      },
    }));
    const looksFor = (names: typeof sought): number => {
      looks = 0;
      lookedFor({ ...record, read: record.read && { ...record.read, leaves } }, names);
      return looks;
    };
    expect(looksFor(sought)).toBe(looksFor(sought.slice(0, 1)));
    expect(looks).toBeGreaterThanOrEqual(values.length);
  });
});
