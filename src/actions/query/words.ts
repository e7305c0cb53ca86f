import { foldLetters, foldWithPlaces } from './folding.ts';

/** Words of a text. The index, the evaluation and the marking of hits all call this file, so that they find the same. */
export interface Word {
  /** Folded. */
  readonly word: string;
  /** Where it is in the text, in UTF-16 units; `end` is after its last one. */
  readonly start: number;
  readonly end: number;
}

/** Longest word in code points. A longer run is cut into words of this length, so that an index has no endless terms. */
export const MAX_WORD_LENGTH = 128;

/**
 * What joins two words is a word as well, so that `credit_card` is told from `credit card`, and both are found by `card`.
 * However many underscores there are, it is this one.
 */
export const JOINT = '_';

/**
 * Scripts without spaces between words: each character is a word, so that a phrase finds any part of a sentence. Korean has spaces,
 * but a name and the particle behind it are written as one.
 */
const UNSPACED = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}]]`;
const SPACED = String.raw`[[\p{L}\p{N}\p{Co}]--${UNSPACED}]`;
const LETTER = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;
// A mark belongs to what it follows; one that follows nothing, as behind an emoji, is no word.
const WORD = new RegExp(
  [
    String.raw`${UNSPACED}\p{M}*`,
    String.raw`${SPACED}(?:${SPACED}|\p{M}){0,${MAX_WORD_LENGTH - 1}}`,
    String.raw`(?<=${LETTER})_+(?=[${LETTER}--\p{M}])`,
  ].join('|'),
  'gv',
);
const ASCII_WORD = new RegExp(`[a-z0-9]{1,${MAX_WORD_LENGTH}}|(?<=[a-z0-9])_+(?=[a-z0-9])`, 'g');
const ASCII = /^\p{ASCII}*$/u;

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  const folded = foldLetters(text);
  const words: string[] = folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
  return folded.includes('__') ? words.map(asWord) : words;
}

function asWord(found: string): string {
  return found.startsWith(JOINT) ? JOINT : found;
}

/** The words of a text and where they are in it. */
export function wordsOf(text: string): Word[] {
  const { text: folded, place } = foldWithPlaces(text);
  return Array.from(folded.matchAll(ASCII.test(folded) ? ASCII_WORD : WORD), (match) => ({
    word: asWord(match[0]),
    ...place(match.index, match.index + match[0].length),
  }));
}
