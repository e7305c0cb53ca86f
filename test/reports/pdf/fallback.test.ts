import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoverText, VisibleText } from '../../../src/reports/pdf/text/fallback.ts';
import { runs } from '../../support/extent.ts';

/** A font that has everything: what is escaped then is so by its nature. */
const everything = new VisibleText(() => true);
/** A font of Latin, Greek and Cyrillic alone. */
const european = new VisibleText((codePoint) => codePoint < 0x500);

const shown = (visible: VisibleText, text: string): string =>
  visible
    .runs(text)
    .map((run) => run.text)
    .join('');

describe('text is shown so that', () => {
  it('the exact text can be had back, whatever it is', () => {
    const any = fc.string({ unit: 'binary', maxLength: 60 });
    const sly = fc.string({ unit: fc.constantFrom('⟨', '⟩', 'U', '+', '0', 'A', ' ', 'a', '中', '\u0301') });
    fc.assert(
      fc.property(fc.oneof(any, sly), fc.boolean(), (text, all) => {
        expect(recoverText(shown(all ? everything : european, text))).toBe(text);
      }),
      runs(),
    );
  });

  it('nothing invisible, and no control of direction, is left in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const run of everything.runs(text)) {
          expect(run.text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
          expect(run.text.replaceAll(' ', '')).not.toMatch(/\p{Zs}/u);
          if (run.kind === 'text') expect(run.text).not.toMatch(/[⟨⟩]/);
        }
      }),
      runs(),
    );
  });

  it('every character that the fonts lack is named', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const { kind, text: part } of european.runs(text)) {
          if (kind === 'text') for (const character of part) expect(character.codePointAt(0)).toBeLessThan(0x500);
        }
      }),
      runs(),
    );
  });

  it.each([
    ['⟨U+0041⟩', '⟨U+27E8⟩U+0041⟨U+27E9⟩'],
    ['a\u061cb\u200fc', 'a⟨U+061C⟩b⟨U+200F⟩c'],
    ['كُُُُُ', 'كُُُُ⟨U+064F⟩'],
    ['محمد، مرحبا', 'محمد، مرحبا'],
    ['हिन्दी', 'हिन्दी'],
  ])('%j is shown as %s even where a font has everything', (text, expected) => {
    expect(shown(everything, text)).toBe(expected);
  });

  it.each([
    ['plain text', 'plain text'],
    ['Ελένη, Анна, Łukasz', 'Ελένη, Анна, Łukasz'],
    ['中文 ok', '⟨U+4E2D U+6587⟩ ok'],
    ['שלום', '⟨U+05E9 U+05DC U+05D5 U+05DD⟩'],
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['a\u00a0b\u3000c\u200bd', 'a⟨U+00A0⟩b⟨U+3000⟩c⟨U+200B⟩d'],
    ['\u0000\n\u001b', '⟨U+0000 U+000A U+001B⟩'],
    ['⟨U+0041⟩', '⟨U+27E8⟩U+0041⟨U+27E9⟩'],
    ['e\u0301', 'e\u0301'],
    ['\u0301e', '⟨U+0301⟩e'],
    ['e\u0301\u0302\u0303', 'e\u0301\u0302⟨U+0303⟩'],
    ['😀', '⟨U+1F600⟩'],
    ['\ud800', '⟨U+D800⟩'],
    ['', ''],
  ])('%j is shown as %s', (text, expected) => {
    expect(shown(european, text)).toBe(expected);
  });
});
