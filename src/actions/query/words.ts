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
const ASCII = /^\p{ASCII}*$/u;
const UNDERSCORE = JOINT.charCodeAt(0);

/** Learns about a word, which is in the folded text from `start` to `end`, in UTF-16 units; `behind` is after all the underscores that it stands for. */
export type TakeWord = (folded: string, start: number, end: number, behind: number) => void;

/** Tells of each word of a text that is folded, in order. No text is made of any: an index takes millions of them. */
function eachWord(folded: string, take: TakeWord): void {
  if (ASCII.test(folded)) {
    eachAsciiWord(folded, take);
    return;
  }
  for (const { 0: found, index } of folded.matchAll(WORD)) {
    const behind = index + found.length;
    take(folded, index, found.startsWith(JOINT) ? index + JOINT.length : behind, behind);
  }
}

/** What `WORD` finds where there is nothing beyond ASCII. */
function eachAsciiWord(folded: string, take: TakeWord): void {
  const { length } = folded;
  for (let at = 0; at < length; ) {
    const start = at;
    while (at < length && isAsciiLetter(folded.charCodeAt(at))) at++;
    for (let from = start; from < at; from += MAX_WORD_LENGTH) {
      const end = Math.min(at, from + MAX_WORD_LENGTH);
      take(folded, from, end, end);
    }
    const joint = at;
    while (at < length && folded.charCodeAt(at) === UNDERSCORE) at++;
    if (joint > start && at > joint && at < length && isAsciiLetter(folded.charCodeAt(at))) {
      take(folded, joint, joint + JOINT.length, at);
    }
    if (at === start) at++;
  }
}

/** Of a folded text, which has no capitals: a letter or a digit. */
function isAsciiLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Tells of each folded word of a text, in order. */
export function eachFoldedWord(text: string, take: TakeWord): void {
  eachWord(foldLetters(text), take);
}

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  const words: string[] = [];
  eachFoldedWord(text, (folded, start, end) => words.push(folded.slice(start, end)));
  return words;
}

/** The words of a text and where they are in it. */
export function wordsOf(text: string): Word[] {
  const { text: folded, place } = foldWithPlaces(text);
  const words: Word[] = [];
  eachWord(folded, (_, start, end, behind) => words.push({ word: folded.slice(start, end), ...place(start, behind) }));
  return words;
}
