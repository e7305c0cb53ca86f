import { RIGHT_TO_LEFT } from '../../../protocol/text/index.ts';

/** Scripts in which a letter looks the same whatever is next to it, and signs of all scripts. */
const PLAIN =
  /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}]/u;

/** Scripts whose words may be broken before any letter that a mark does not hold to the one before. */
const BROKEN_ANYWHERE = /[\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}]/u;

/** The sign that joins the letter behind it to the one before it, in scripts of India and their neighbours. */
const JOINS = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]$/u;

/** Vowels and final consonants of Korean that are written one by one, and a vowel of Thai and Lao, belong to the letter before. */
const HANGS_ON = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\u0e33\u0eb3]/u;

/** Whether a character may look different, or stand elsewhere, next to others; all of what is read from right to left does. */
export function isShaped(character: string): boolean {
  return RIGHT_TO_LEFT.test(character) || !PLAIN.test(character);
}

export function isBrokenAnywhere(character: string): boolean {
  return BROKEN_ANYWHERE.test(character);
}

/** A word cut into the least parts that a line may end between. */
export function clusters(word: string): string[] {
  const parts: string[] = [];
  for (const character of word) {
    const last = parts.at(-1);
    if (last !== undefined && (HANGS_ON.test(character) || JOINS.test(last)))
      parts[parts.length - 1] = last + character;
    else parts.push(character);
  }
  return parts;
}

/** As Unicode calls scripts, for telling people which of them no font at hand has. */
const NAMES =
  'Adlam Arabic Armenian Balinese Bengali Bopomofo Buginese Canadian_Aboriginal Cham Cherokee Coptic Cuneiform Devanagari Egyptian_Hieroglyphs Ethiopic Georgian Glagolitic Gothic Gujarati Gurmukhi Han Hangul Hebrew Hiragana Javanese Kannada Katakana Khmer Lao Limbu Lisu Malayalam Meetei_Mayek Mongolian Myanmar New_Tai_Lue Nko Nushu Ogham Ol_Chiki Oriya Osage Phoenician Runic Samaritan Sinhala Sundanese Syriac Tai_Le Tai_Tham Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Yi';

let scripts: (readonly [name: string, form: RegExp])[] | undefined;

/** The name of a letter’s script; null of what is no letter, and of scripts that hardly anybody writes. */
export function scriptName(character: string): string | null {
  if (!/\p{L}/u.test(character)) return null;
  scripts ??= NAMES.split(' ').map((name) => [name.replaceAll('_', ' '), new RegExp(String.raw`\p{sc=${name}}`, 'u')]);
  return scripts.find(([, form]) => form.test(character))?.[0] ?? null;
}
