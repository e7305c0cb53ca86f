import { LATIN_LOOKALIKES } from './look-alikes.ts';

const SEEMING = [...LATIN_LOOKALIKES.keys()].join('');
const WORD_PART = String.raw`\p{L}\p{M}\p{Cf}`;

/** Words in which Latin letters stand next to letters of other scripts that look like Latin ones. */
export const MIXED_WORDS = new RegExp(
  String.raw`(?<![${WORD_PART}])(?=[${WORD_PART}]*[${SEEMING}])(?=[${WORD_PART}]*[\p{sc=Latn}--[${SEEMING}]])[${WORD_PART}]+`,
  'gv',
);

const PLAIN = /^\p{ASCII}*$/u;
/** Scripts whose words are letter after letter, with nothing between that is not seen; in others joiners shape letters. */
const LETTER = String.raw`[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{Nd}]`;
const HIDDEN_WITHIN = new RegExp(
  String.raw`(?<=${LETTER}\p{M}*)[\p{Cf}\p{Default_Ignorable_Code_Point}]+(?=${LETTER})`,
  'v',
);

/**
 * Whether a word of a text is not what it seems to be: with characters within that nobody sees (soft hyphens, zero width, marks of
 * direction), or with letters of another script among Latin ones. After UTS #39 §5.1, for the letters that are taken for Latin ones.
 */
export function hasDisguisedWord(text: string): boolean {
  return !PLAIN.test(text) && (HIDDEN_WITHIN.test(text) || text.search(MIXED_WORDS) !== -1);
}
