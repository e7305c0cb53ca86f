import { LATIN_LOOKALIKES } from './look-alikes.ts';
import { PLAIN_LETTERS } from './plain-letters.ts';

/** Longer texts are nobody's name: what comes after this is not looked at. */
const MAX_LENGTH = 2048;

/** Not seen at all: removed. U+2800 is a Braille cell without dots. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Accents and strokes over a letter; the marks of other scripts are letters of theirs and stay. */
const ACCENTS = /[\u0300-\u036f]/gu;
/** What tells no names apart: “Acme, Inc.” is “ACME Inc”. */
const SEPARATORS = /[\p{Z}\p{P}\s]/gu;

/** Signs that stand for a letter within Latin words, before upper and lower case are made one. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['|', 'l'],
  ['I', 'l'],
]);

/** Pairs of letters that run together into another one. */
const RUN_TOGETHER: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
];

function skeleton(text: string): string {
  const letters = [...text].map((letter) => {
    const latin = LATIN_LOOKALIKES.get(letter) ?? letter;
    return SIGNS.get(latin) ?? latin;
  });
  // By way of the capitals: so ß and ſ become one with their spelled-out forms.
  const folded = letters
    .join('')
    .toUpperCase()
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  const joined = RUN_TOGETHER.reduce((name, [pair, single]) => name.replaceAll(pair, single), folded);
  const compact = joined.replace(SEPARATORS, '');
  return compact === '' ? joined.replace(/\s+/gu, ' ').trim() : compact;
}

/** As it stands, and in either case: capitals resemble other letters than the small ones do. */
function skeletons(name: string): Set<string> {
  const plain = name
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(ACCENTS, '')
    // Letters that fold together with others only by way of the other case.
    .normalize('NFKC');
  return new Set([plain, plain.toUpperCase(), plain.toLowerCase()].map(skeleton));
}

/**
 * Whether a reader may take one name for the other: equal, or different only in case, width, accents, blanks, punctuation,
 * characters that are not seen, or letters that look alike. After the skeletons of UTS #39 §4, with a small table and without
 * its regard for case; it rather calls two names alike that are not (“Ali”, “All”) than the other way round. A mark for
 * people: nothing is allowed or refused by it.
 */
export function namesResemble(one: string, other: string): boolean {
  const known = skeletons(one);
  return [...skeletons(other)].some((form) => form !== '' && known.has(form));
}
