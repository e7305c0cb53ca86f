import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedWords, foldText, wordsOf } from '../../../src/actions/index.ts';
import { foldWithPlaces } from '../../../src/actions/query/folding.ts';
import { MAX_WORD_LENGTH } from '../../../src/actions/query/words.ts';
import { runs } from '../../support/extent.ts';

/** Nothing of these combines or changes: unassigned, private, lone surrogates, syllables and ideographs. */
const INERT = /^[\p{Cn}\p{Co}\p{Cs}\p{sc=Han}\p{sc=Tangut}\p{sc=Egyptian_Hieroglyphs}]$/u;

/** Every character that could matter. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) => !INERT.test(character) || character.normalize('NFKC') !== character,
);

const anyText = fc.string({ unit: 'binary', maxLength: 30 });
/** Texts whose characters combine with each other under NFKC, and such as only look as if they did. */
const combining = fc
  .array(
    fc.constantFrom(
      ...['a', 'Z', ' ', '\u0301', '\u0345', 'か', 'ｶ', '\uff9e', '\u3099', 'ᄀ', '\u1161', '\u11a8', '가', 'ㄱ', 'ㅏ'],
      ...[
        'ﾡ',
        'ￂ',
        'ำ',
        'ก',
        '\u0e4d',
        '\u0e32',
        'Σ',
        'İ',
        'ﬁ',
        '½',
        '😀',
        '\ufe0f',
        '\u{1d15e}',
        '\u09c7',
        '\u09be',
        '\u0f71',
      ],
      ...[
        '\u00ad',
        '\u200b',
        '\u200d',
        '\ufeff',
        '\u00a0',
        '\n',
        '¨',
        'ß',
        'ẞ',
        'ŉ',
        'й',
        'ø',
        '\u064e',
        '\u0640',
        '\u3164',
      ],
      ...['\ud800', '\udc00', '\u{11131}', '\u{11127}', '\u{16d67}', '\u{16d63}', '\u0344', '\u1e9b\u0323'],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a word', () => {
  it.each([
    ['credit_card', ['credit', '_', 'card']],
    ['_a__b_ _ c＿d', ['a', '_', 'b', 'c', '_', 'd']],
    ['東_京', ['東', '_', '京']],
    ['mia.li3818@example.com', ['mia', 'li3818', 'example', 'com']],
    ['Error 73: not-found', ['error', '73', 'not', 'found']],
    ['Straße Ünal', ['strasse', 'unal']],
    ['ÉTÉ e\u0301te\u0301', ['ete', 'ete']],
    ['ＡＢＣ１２ ﬁle', ['abc12', 'file']],
    ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['東京tower', ['東', '京', 'tower']],
    ['サーバー', ['サ', 'ー', 'バ', 'ー']],
    ['ｶﾞｽ がす', ['ガ', 'ス', 'が', 'す']],
    ['กินข้าว', ['กิ', 'น', 'ข้', 'า', 'ว']],
    ['한국어 서울', ['한', '국', '어', '서', '울']],
    ['हिन्दी', ['हिन्दी']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['👍🏽 ❤️ -- … ', []],
    ['\u0301', []],
    ['½ ①', ['1', '2', '1']],
    ['', []],
  ])('of %j is %j', (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });

  it('that never ends is cut', () => {
    expect(foldedWords('A'.repeat(MAX_WORD_LENGTH + 2))).toEqual(['a'.repeat(MAX_WORD_LENGTH), 'aa']);
    expect(foldedWords('É'.repeat(MAX_WORD_LENGTH + 2))).toEqual(['e'.repeat(MAX_WORD_LENGTH), 'ee']);
    // No letter loses its marks to the next word.
    expect(foldedWords(`${'क'.repeat(MAX_WORD_LENGTH - 1)}ट\u093c\u0941ब`).join('')).not.toMatch(/^\p{M}/u);
  });

  it('folds to itself, whatever the character', () => {
    for (const character of CHARACTERS) {
      const folded = foldText(character);
      if (foldText(folded) !== folded) expect.fail(`U+${character.codePointAt(0)?.toString(16)}`);
    }
  });

  it('is where wordsOf says it is', () => {
    expect(wordsOf('ab İSTANBUL ｶﾞ')).toEqual([
      { word: 'ab', start: 0, end: 2 },
      { word: 'istanbul', start: 3, end: 11 },
      { word: 'ガ', start: 12, end: 14 },
    ]);
    fc.assert(
      fc.property(fc.oneof(anyText, combining), (text) => {
        const words = wordsOf(text);
        expect(words.map(({ word }) => word)).toEqual(foldedWords(text));
        let last = 0;
        for (const { start, end } of words) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(start).toBeGreaterThanOrEqual(last);
          last = start;
        }
      }),
      runs(2000),
    );
  });
});

it('finds the same words in plain letters as in any others', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aZ09_ .-\n{~'), maxLength: 300 });
  fc.assert(
    fc.property(plain, (text) => {
      const [last, ...words] = wordsOf(`${text} ж`).reverse();
      expect(last?.word).toBe('ж');
      expect(wordsOf(text)).toEqual(words.reverse());
    }),
    runs(2000),
  );
});

describe('folding in pieces', () => {
  it('gives the same as folding the whole, for every character behind those that combine', () => {
    for (const character of CHARACTERS) {
      for (const before of ['a', '가', 'か', '\u09c7']) {
        const text = before + character;
        if (foldWithPlaces(text).text !== foldText(text)) {
          expect.fail(`${before} U+${character.codePointAt(0)?.toString(16)}`);
        }
      }
    }
  });

  it('gives the same as folding the whole, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, combining), (text) => {
        expect(foldWithPlaces(text).text).toBe(foldText(text));
      }),
      runs(5000),
    );
  });
});
