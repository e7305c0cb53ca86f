import { LATIN_LOOKALIKES } from './look-alikes.ts';

const SEEMING = [...LATIN_LOOKALIKES.keys()].join('');
const WORD_PART = String.raw`\p{L}\p{M}\p{Cf}`;

/** Words in which Latin letters stand next to letters of other scripts that look like Latin ones. */
export const MIXED_WORDS = new RegExp(
  String.raw`(?<![${WORD_PART}])(?=[${WORD_PART}]*[${SEEMING}])(?=[${WORD_PART}]*[\p{sc=Latn}--[${SEEMING}]])[${WORD_PART}]+`,
  'gv',
);

/**
 * A Latin letter next to one of Cyrillic or Greek, by their blocks: without it, which is found fast, there is no mixed word. What is
 * not seen may stand between.
 */
const LATIN_BLOCKS = String.raw`[A-Za-z\u00aa-\u02af\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff5a]`;
const OTHER_BLOCKS = String.raw`[\u0251\u0370-\u052f]`;
const BETWEEN = String.raw`[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*`;
const MIXED_PAIR = new RegExp(`${LATIN_BLOCKS}${BETWEEN}${OTHER_BLOCKS}|${OTHER_BLOCKS}${BETWEEN}${LATIN_BLOCKS}`);

/** Whether MIXED_WORDS may find something. */
export function mayMixLetters(text: string): boolean {
  return MIXED_PAIR.test(text);
}

const PLAIN = /^\p{ASCII}*$/u;
const UNSEEN = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]`;
const HIDDEN = new RegExp(UNSEEN, 'v');
/** Scripts whose words are letter after letter, with nothing between that is not seen; in others joiners shape letters. */
const LETTER = String.raw`[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{Nd}]`;
/** From the first of a run only, so that a long one, which an attacker may choose, is gone through once. */
const HIDDEN_WITHIN = new RegExp(
  String.raw`(?<=${LETTER}[\p{M}--${UNSEEN}]{0,4})(?<!${UNSEEN})${UNSEEN}+(?=${LETTER})`,
  'v',
);

/**
 * Whether a word of a text is not what it seems to be: with characters within that nobody sees (soft hyphens, zero width, marks of
 * direction), or with letters of another script among Latin ones. After UTS #39 §5.1, for the letters that are taken for Latin ones.
 */
export function hasDisguisedWord(text: string): boolean {
  if (PLAIN.test(text)) return false;
  if (HIDDEN.test(text) && HIDDEN_WITHIN.test(text)) return true;
  return mayMixLetters(text) && text.search(MIXED_WORDS) !== -1;
}
