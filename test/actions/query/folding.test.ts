// docs/query-language.md, "What is equal": under which differences a text is found, and where it is then marked.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsFolded, hitsOf, matchesQuery, parseQuery, readingsOf } from '../../../src/actions/index.ts';
import { readingsWithPlaces } from '../../../src/actions/query/readings.ts';
import { runs } from '../../support/extent.ts';
import { OPTIONS, recordOf } from '../../support/queries.ts';

const recordWith = (value: string) => recordOf({ leaves: [{ path: ['text'], pointer: '/text', value }] });

/** What a query marks in a text between brackets; null where it does not find the text. */
function marked(query: string, text: string): string | null {
  const parsed = parseQuery(query, OPTIONS);
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  const record = recordWith(text);
  if (!matchesQuery(parsed.query, record)) return null;
  const [hit] = hitsOf(parsed.query, record.leaves);
  return (hit?.ranges ?? []).map(({ start, end }) => text.slice(start, end)).join('|');
}

describe('a word finds', () => {
  it.each<[string, string, string, string?]>([
    ['another case', 'strasse', 'STRASSE'],
    ['a case that is longer in capitals', 'STRASSE', 'straße'],
    ['the capital of ß', 'straße', 'STRAẞE'],
    ['a Turkish capital', 'ipek', 'İPEK'],
    ['a dotless i', 'isparta', 'ısparta'],
    ['a final sigma', 'σίσυφος', 'ΣΙΣΥΦΟΣ'],
    ['no accents for accents', 'mussigbrodt', 'Müßigbrodt'],
    ['accents for none', 'Müßigbrodt', 'Mussigbrodt'],
    ['a stroke', 'soren', 'Søren'],
    ['Arabic with vowel points', 'محمد', 'مُحَمَّد'],
    ['Arabic that is stretched', 'محمد', 'مـحـمد'],
    ['full width', 'ada', 'ＡＤＡ'],
    ['a ligature', 'file', 'ﬁle'],
    ['a soft hyphen within', 'lovelace', 'Love\u00adlace'],
    ['zero width within', 'lovelace', 'Lo\u200bve\u2060la\ufeffce'],
    ['marks of direction', 'lovelace', '\u2067Love\u200flace\u2069', 'Love\u200flace\u2069'],
    ['Hangul fillers', 'lovelace', 'Love\u3164lace'],
    ['a name with its Korean particle', '김철수', '김철수가', '김철수'],
    ['percent escapes', 'ada@corp.example', 'x=ada%40corp.example', 'ada%40corp.example'],
    ['percent escapes of UTF-8', 'müller', 'M%C3%BCller'],
    ['percent escapes of Latin-1', 'müller', 'M%FCller'],
    ['escapes in escapes', 'ada@corp', 'ada%2540corp'],
    ['HTML escapes by name', 'müller', 'M&uuml;ller'],
    ['HTML escapes by number', 'müller', 'M&#252;ller'],
    ['HTML escapes in hexadecimal', 'müller', 'M&#xFC;ller'],
    ['HTML escapes in HTML escapes', 'straße', 'Stra&amp;szlig;e'],
    ['HTML escapes without their semicolon', '"ada müller"', '&#65da M&uumlller'],
    ['HTML escapes with many zeros', 'müller', 'M&#x000000FC;ller'],
    ['bytes in octal, as git has them', '"zoë müller"', 'zo\\303\\253 m\\303\\274ller'],
    ['bytes in octal within a text in JSON', 'zoë', 'zo\\\\303\\\\253'],
    ['a blank in octal', '"ada lovelace"', 'Ada\\040Lovelace'],
    ['quoted-printable', '"ada müller"', 'Ada=20M=C3=BCller'],
    ['quoted-printable over a soft line break', 'lovelace', 'Love=\r\nlace'],
    ['small capitals', 'lovelace', 'ʟᴏᴠᴇʟᴀᴄᴇ'],
    ['letters on discs and squares', 'ada', '🅐🅳🄰'],
    ['a blank as an HTML escape', '"ada lovelace"', 'Ada&nbsp;Lovelace'],
    ['JSON escapes in a text', 'müller', 'M\\u00fcller'],
    ['line breaks written as escapes', '"ada lovelace"', 'Ada\\nLovelace'],
    ['any white space', '"ada lovelace"', 'Ada \r\n\t\u00a0Lovelace'],
    ['colours of a terminal', 'ada', '\u001b[1;31mAda\u001b[0m', 'Ada'],
    ['Cyrillic among Latin letters', 'paypal', 'p\u0430yp\u0430l'],
    ['a word that only seems Latin', 'scope', '\u0455\u0441\u043e\u0440\u0435'],
    ['the text as it stands too', '40corp', 'ada%40corp', '40corp'],
    ['a path as it stands too', 'new', 'C:\\new', 'new'],
    [
      'a path with digits beside an escape',
      '"logs 2024 müller"',
      'C:\\logs\\2024\\M%C3%BCller',
      'logs\\2024\\M%C3%BCller',
    ],
    ['the query of a URL as it stands', '"id 42ada"', '/x?id=42ada', 'id=42ada'],
  ])('%s', (_, query, text, found = text) => {
    expect(marked(query.startsWith('"') ? query : `"${query}"`, text)).toBe(found);
  });

  it('no other letters', () => {
    expect(marked('ガ', 'カ')).toBeNull();
    expect(marked('credit', 'credits')).toBeNull();
    expect(marked('paypal', 'раурај и словар')).toBeNull();
    expect(marked('20', '100%2')).toBeNull();
  });
});

describe('a part finds', () => {
  it.each([
    ['a b', 'A\n\t b', 'A\n\t b'],
    ['@corp', 'ada%40corp', '%40corp'],
    ['velac', 'LOVE\u00adLACE', 'VE\u00adLAC'],
    ['strasse', 'Hauptstraße 1', 'straße'],
  ])('%j in %j', (part, text, found) => {
    expect(marked(`*"${part}"*`, text)).toBe(found);
  });
});

it('is exact with = and with regular expressions', () => {
  expect(marked('text = Müller', 'Muller')).toBeNull();
  expect(marked('text = ada@corp', 'ada%40corp')).toBeNull();
  expect(marked('/Müller/', 'Muller, Müller')).toBe('Müller');
});

it('leaves a text without escapes with one reading', () => {
  for (const text of ['plain', 'Zoë Müller', '100 %, R&D', 'C:\\Users', 'Привет, мир', '東京']) {
    expect(readingsOf(text)).toEqual([text]);
  }
});

it('traces each reading to the text that it was made of', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '&',
    '%',
    '%41',
    '%C3%BC',
    '&uuml;',
    '&amp;',
    '#252;',
    '\\u00e9',
    '\\n',
    'а',
    '\u001b[1m',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const readings = readingsWithPlaces(text);
      expect(readings.map((reading) => reading.text)).toEqual(readingsOf(text));
      for (const reading of readings) {
        let last = 0;
        for (let at = 0; at < reading.text.length; at++) {
          const { start, end } = reading.place(at, at + 1);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          if (end - start === 1) expect([text[start], 'а', 'a']).toContain(reading.text[at]);
          last = start;
        }
      }
    }),
    runs(),
  );
});

it('is what filters over lists go by', () => {
  expect(containsFolded('Zoë Müller', ' MULLER')).toBe(true);
  expect(containsFolded('Zoë Müller', 'miller')).toBe(false);
});
