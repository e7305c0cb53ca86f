/**
 * What a reader of a text does not see or takes for something else: hidden characters, names of mixed scripts, disguised words, names that
 * resemble each other; and what errors say. Below the protocol, which needs none of it; for screens, terminals, reports and searches.
 */
export { alignedPairs, matchesOf } from './alignment.ts';
export { directionPieces, RIGHT_TO_LEFT } from './direction.ts';
export { hasDisguisedWord, MIXED_WORDS, mayMixLetters } from './disguised-words.ts';
export { codeOf, hasCode, messageOf } from './error-text.ts';
export {
  codePointName,
  ESCAPE_CLOSE,
  ESCAPE_OPEN,
  hiddenCharacterTitle,
  isHiddenCharacter,
  type TextForm,
  textParts,
  visibleText,
} from './hidden-characters.ts';
export { escapeHtml } from './html-text.ts';
export { LATIN_LOOKALIKES } from './look-alikes.ts';
export { scriptWarning } from './mixed-scripts.ts';
export { PLAIN_LETTERS } from './plain-letters.ts';
export { namesResemble } from './resembling-names.ts';
export { sizeText } from './size-text.ts';
