import { LATIN_LOOKALIKES } from './look-alikes.ts';

/** Scripts with letters that are taken for each other's, and those that are written among them. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['Latin', /\p{sc=Latin}/u],
  ['Cyrillic', /\p{sc=Cyrillic}/u],
  ['Greek', /\p{sc=Greek}/u],
  ['Armenian', /\p{sc=Armenian}/u],
  ['Cherokee', /\p{sc=Cherokee}/u],
  ['Coptic', /\p{sc=Coptic}/u],
  ['Georgian', /\p{sc=Georgian}/u],
  ['Hebrew', /\p{sc=Hebrew}/u],
  ['Arabic', /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/u],
  // Written together, and with Latin letters among them: none of theirs is taken for a Latin one.
  ['East Asian', /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}]/u],
];
const OTHER = 'another script';

const ASCII = /^\p{ASCII}*$/u;
const WORDS = /[\p{L}\p{M}]+/gu;
const LETTER = /\p{L}/u;

/** A word of such letters alone. */
const SEEMS_LATIN = new RegExp(`^[${[...LATIN_LOOKALIKES.keys()].join('')}]+$`, 'u');
/** Latin letters in the shape of signs: mathematical, full width, circled. */
const STYLED = /[\u{1d400}-\u{1d7cb}\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u{1f130}-\u{1f169}]/u;

/**
 * Why the letters of a name may not be the ones they seem to be, as the end of the sentence "this name …"; null where
 * nothing suggests it. After UTS #39 §5.1, by word: a Latin word next to a Cyrillic one is a name in two languages, a
 * Cyrillic letter within a Latin word is not.
 */
export function scriptWarning(text: string): string | null {
  if (ASCII.test(text)) return null;
  if (STYLED.test(text)) return 'has signs that look like Latin letters';
  const all = new Set<string>();
  let seeming: string | null = null;
  let others = '';
  for (const [word] of text.matchAll(WORDS)) {
    const scripts = scriptsOf(word);
    for (const script of scripts) all.add(script);
    if (isMixed(scripts)) return `mixes ${[...scripts].join(' and ')} letters in one word`;
    const [script] = scripts;
    if (script !== undefined && script !== 'Latin' && SEEMS_LATIN.test(word)) seeming = script;
    else if (script !== undefined && script !== 'Latin') others += word;
  }
  // A word such as “сор” is Russian among Russian words, and “cop” is what it seems to be anywhere else.
  return seeming !== null && others === '' ? `is in ${seeming} letters that look like Latin ones` : null;
}

function scriptsOf(word: string): Set<string> {
  const found = new Set<string>();
  for (const letter of word) {
    if (!LETTER.test(letter) || /\p{sc=Common}|\p{sc=Inherited}/u.test(letter)) continue;
    found.add(SCRIPTS.find(([, script]) => script.test(letter))?.[0] ?? OTHER);
  }
  return found;
}

function isMixed(scripts: ReadonlySet<string>): boolean {
  if (scripts.size < 2) return false;
  return scripts.size > 2 || !(scripts.has('East Asian') && scripts.has('Latin'));
}
