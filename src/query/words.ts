/**
 * Words of a text, and the one folding under which texts are compared. The index, the evaluation and the marking of hits
 * all call this file, so that they find the same.
 */
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

/** Scripts without spaces between words: each character is a word, so that a phrase finds any part of a sentence. */
const UNSPACED = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}]]`;
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

/**
 * A piece that folds apart from its neighbours: a character with what may combine with it. Besides marks that is Hangul
 * from its vowels on, and the half-width forms that decompose into such.
 */
const PIECE =
  /[\s\S](?:[\p{M}\u0e33\u0eb3\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7ff\uff9e-\uffdc]|[\u{16d63}\u{16d67}-\u{16d6a}])*/gu;

/** A text as it is compared: NFKC, lower case. Diacritics count. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // The final sigma would make a word depend on what follows it.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  const folded = foldText(text);
  const words: string[] = folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
  return folded.includes('__') ? words.map(asWord) : words;
}

function asWord(found: string): string {
  return found.startsWith(JOINT) ? JOINT : found;
}

/** The words of a text and where they are in it. */
export function wordsOf(text: string): Word[] {
  const { folded, place } = foldWithPlaces(text);
  return Array.from(folded.matchAll(ASCII.test(folded) ? ASCII_WORD : WORD), (match) => ({
    word: asWord(match[0]),
    ...place(match.index, match.index + match[0].length),
  }));
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A folded text, and where in the text itself a range of it comes from. */
export function foldWithPlaces(text: string): { folded: string; place: (start: number, end: number) => Range } {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), place: (start, end) => ({ start, end }) };
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const part = foldText(piece);
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(index);
      ends.push(index + piece.length);
    }
    folded += part;
  }
  return { folded, place: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }) };
}
