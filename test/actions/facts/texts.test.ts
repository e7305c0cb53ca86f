// Lines that lists show of texts: docs/agent-actions.md.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefLine, cutText, oneLine } from '../../../src/actions/facts/texts.ts';
import { runs } from '../../support/extent.ts';

const pieces = fc.constantFrom(
  'a',
  'word',
  ' ',
  '   ',
  '\n\t',
  '\u0000',
  '\ufeff',
  '😀',
  '\u00a0 ',
  '-'.repeat(30),
  ' '.repeat(90),
);
const texts = fc.array(pieces, { maxLength: 60 }).map((some) => some.join(''));

describe('the beginning of a text in one line', () => {
  it('is that of the whole line, however long the blanks in it are', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 300 }), (text, length) => {
        expect(briefLine(text, length)).toBe(cutText(oneLine(text), length));
      }),
      runs(),
    );
  });

  it('continues behind blanks that are longer than what is shown', () => {
    expect(briefLine(`a${' '.repeat(500)}b`, 40)).toBe('a b');
    expect(briefLine(`a${' '.repeat(500)}${'b'.repeat(40)}`, 40)).toBe(`a ${'b'.repeat(37)}…`);
  });
});
