const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz'];
/** By the letter of the alphabet; there is none for X. */
const SMALL_CAPITALS = [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ ʏᴢ'];
/** Where the white letters on a disc and on a square begin: other enclosed ones decompose. */
const ENCLOSED = [0x1f150, 0x1f170];

/**
 * Letters that Unicode does not decompose, each with what it is written as where there is no key for it. The capitals fold to
 * these first.
 */
export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ...ALPHABET.flatMap((letter, at): [string, string][] => [
    ...(letter === 'x' ? [] : [[SMALL_CAPITALS[at] ?? letter, letter] as [string, string]]),
    ...ENCLOSED.map((first): [string, string] => [String.fromCodePoint(first + at), letter]),
  ]),
]);
