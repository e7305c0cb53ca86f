import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SetGlyph } from '../../../src/reports/pdf/document/typeset.ts';
import { breakLines, widthOf } from '../../../src/reports/pdf/layout/lines.ts';
import { loadStyles } from '../../../src/reports/pdf/layout/styles.ts';
import { jsonLines } from '../../../src/reports/pdf/text/json-lines.ts';
import { visualOrder } from '../../../src/reports/pdf/text/levels.ts';
import { runs } from '../../support/extent.ts';
import { jsonValue } from '../../support/json-values.ts';
import { blankDocument } from '../../support/reports.ts';

const styles = loadStyles(blankDocument());

describe('words of a script whose letters change their places', () => {
  it.each([
    ['Bengali, with the r of a cluster over its end', 'নির্মল', 5],
    ['Bengali, with the r of a cluster under it', 'চন্দ্র', 5],
    ['Hindi, with the vowel before its letter', 'हिन्दी', 5],
    ['Thai, with a mark above a mark', 'น้ำ', 4],
    ['Arabic, with two letters of two bodies', 'لا', 2],
  ])('are drawn as their readers write them: %s', (_, word, count) => {
    const [{ word: shaped } = {}] = styles.body.typeset.set(word);
    expect(shaped?.spans.flatMap(({ glyphs }) => glyphs)).toHaveLength(count);
  });
});

describe('lines', () => {
  it('hold every glyph of the text, in order, and none is wider than there is room', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.lorem({ maxCount: 40 }));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 20, max: 300 }),
        fc.constantFrom(styles.body, styles.mono),
        (text, width, style) => {
          const lines = breakLines(text, style, width);
          const textOf = (glyphs: readonly SetGlyph[]): string =>
            glyphs.map(({ word, hex }) => word?.text ?? `<${hex}>`).join('');
          expect(textOf(lines.flatMap(({ glyphs }) => glyphs))).toBe(textOf(style.typeset.set(text)));
          for (const { glyphs } of lines) {
            const last = glyphs.findLastIndex(({ isSpace }) => !isSpace);
            expect(widthOf(glyphs.slice(0, last + 1), style.size)).toBeLessThanOrEqual(width + 1e-6);
          }
        },
      ),
      runs(),
    );
  });

  it('break after a space where there is one, and not after the spaces they begin with', () => {
    const lengths = (text: string): number[] =>
      breakLines(text, styles.mono, widthOf(styles.mono.typeset.set('0123456789'), styles.mono.size) + 0.01).map(
        ({ glyphs }) => glyphs.length,
      );
    expect(lengths('one two three four')).toEqual([8, 10]);
    expect(lengths('abcdefghijklmno')).toEqual([10, 5]);
    expect(lengths('abcdefghi-klmno')).toEqual([9, 6]);
    expect(lengths('abcdefgh--klmno')).toEqual([8, 7]);
    expect(lengths('----------------')).toEqual([10, 6]);
    expect(lengths('one two - three')).toEqual([8, 7]);
    expect(lengths('    abcdefghijklmno')).toEqual([10, 9]);
  });
});

describe('glyphs', () => {
  it('of two characters with one shape are told apart', () => {
    const [ohm, omega] = styles.body.typeset.set('\u2126\u03a9');
    expect(ohm?.hex).not.toBe(omega?.hex);
  });

  it('of what the text font lacks come from the other one, or are named', () => {
    const fonts = (text: string): string[] => styles.body.typeset.set(text).map(({ font }) => font.id);
    expect(new Set(fonts('a→b')).size).toBe(2);
    expect(styles.body.typeset.set('中').every((glyph) => glyph.escape)).toBe(false);
    expect(styles.body.typeset.set('བོད').every((glyph) => glyph.escape)).toBe(true);
    expect(styles.further.missingScripts).toContain('Tibetan');
  });
});

describe('text from right to left', () => {
  /** Where each part of a line begins, from left to right. */
  const drawn = (text: string): string[] => {
    const [line] = breakLines(text, styles.body, 2000);
    const glyphs = line?.glyphs ?? [];
    return visualOrder(glyphs.map(({ level }) => level)).map((index) => glyphs[index]?.word?.text ?? '.');
  };

  it('is drawn word by word from the right, within its member alone', () => {
    expect(drawn('محمد الأحمد').filter((part) => part !== '.')).toEqual(['الأحمد', 'محمد']);
    const csv = drawn('محمد;1971-02-03');
    expect(csv[0]).toBe('محمد');
    expect(csv.length).toBe(12);
  });

  it('has the digits within a sentence where its readers expect them', () => {
    expect(drawn('دفع 500 ريال')).toEqual(['ريال', '.', '.', '.', '.', '.', 'دفع']);
  });

  it('is joined: a letter in the middle of a word has another shape than by itself', () => {
    const glyphsOf = (text: string) => styles.body.typeset.set(text).flatMap(({ word }) => word?.spans ?? []);
    expect(glyphsOf('ههه').map(({ glyphs }) => glyphs[0]?.hex).length).toBe(3);
    expect(new Set(glyphsOf('ههه').map(({ glyphs }) => glyphs[0]?.hex)).size).toBe(3);
  });
});

describe('JSON in lines', () => {
  it('is the same value again', () => {
    fc.assert(
      fc.property(jsonValue, fc.integer({ min: 10, max: 120 }), (value, columns) => {
        expect(JSON.parse(jsonLines(value, columns).join('\n'))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs(),
    );
  });

  it('stands on one line where it fits, and breaks into its members where it does not', () => {
    expect(jsonLines({ a: 1, b: [true, null] }, 40)).toEqual(['{"a": 1, "b": [true, null]}']);
    expect(jsonLines({ name: 'a longer text', list: [1, 2, 3] }, 24)).toEqual([
      '{',
      '  "name": "a longer text",',
      '  "list": [1, 2, 3]',
      '}',
    ]);
    expect(jsonLines([], 40)).toEqual(['[]']);
  });

  it('does not take a line for each of many short members', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    expect(jsonLines({ numbers }, 100).length).toBeLessThan(60);
  });
});
