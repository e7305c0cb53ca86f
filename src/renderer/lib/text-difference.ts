import { alignedPairs } from '../../protocol/text/index.ts';

/** A stretch of a text, and whether the other text lacks it. */
export interface TextPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Words, runs of blanks, and every other character by itself. */
const TOKENS = /[\p{L}\p{N}\p{M}_]+|\s+|./gsu;

const WORD = /^[\p{L}\p{N}\p{M}_]/u;

/** A single word that differs is shown letter by letter from this length on, such as a digest. */
const LONG_WORD = 16;

/** Texts of which less than this part is in both have nothing to do with each other: all of each counts as changed. */
const RELATED = 0.25;

/** Two texts as pieces: what of each the other lacks, word by word, and letter by letter within a long word. */
export function textDifference(one: string, other: string): { one: TextPiece[]; other: TextPiece[] } {
  const [left, right] = [one.match(TOKENS) ?? [], other.match(TOKENS) ?? []];
  const pairs = alignedPairs(left, right);
  const common = pairs.reduce((sum, [a, b]) => sum + lettersInBoth(left[a ?? -1], right[b ?? -1]), 0);
  const words = (tokens: readonly string[]): number => tokens.filter((token) => WORD.test(token)).length;
  if (words(left) > 4 && words(right) > 4 && common < RELATED * Math.min(one.length, other.length)) {
    return { one: [{ text: one, isChanged: true }], other: [{ text: other, isChanged: true }] };
  }
  const pieces = { one: [] as TextPiece[], other: [] as TextPiece[] };
  for (const [a, b] of pairs) {
    const [inOne, inOther] = [a === null ? '' : (left[a] ?? ''), b === null ? '' : (right[b] ?? '')];
    if (inOne === inOther) {
      add(pieces.one, inOne, false);
      add(pieces.other, inOther, false);
    } else if (Math.min(inOne.length, inOther.length) >= LONG_WORD) {
      const [start, end] = commonEnds([...inOne], [...inOther]);
      addWord(pieces.one, [...inOne], start, end);
      addWord(pieces.other, [...inOther], start, end);
    } else {
      add(pieces.one, inOne, true);
      add(pieces.other, inOther, true);
    }
  }
  return pieces;
}

/** How many letters two words have in common: blanks and signs relate no texts to each other. */
function lettersInBoth(one = '', other = ''): number {
  return one === other && WORD.test(one) ? one.length : 0;
}

function add(pieces: TextPiece[], text: string, isChanged: boolean): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last?.isChanged === isChanged) pieces[pieces.length - 1] = { text: last.text + text, isChanged };
  else pieces.push({ text, isChanged });
}

function addWord(pieces: TextPiece[], letters: readonly string[], start: number, end: number): void {
  const cut = letters.length - end;
  add(pieces, letters.slice(0, start).join(''), false);
  add(pieces, letters.slice(start, cut).join(''), true);
  add(pieces, letters.slice(cut).join(''), false);
}

/** How many letters both begin with, and how many they end with. */
function commonEnds(one: readonly string[], other: readonly string[]): [number, number] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [start, end];
}
