import { foldedWords, foldText, type PartQuery } from '../../query/index.ts';
import type { Bits } from './bits.ts';
import { eachRecord } from './posting-walks.ts';
import type { SegmentFile } from './segment-file.ts';
import { addNamed, addPaths, type Scope } from './text-terms.ts';

/** Words of this length may be a piece of a longer run of letters. */
const CUT_LENGTH = 128;

/** A text of letters and digits that words are written with which are told apart by what is between them. */
const INSIDE_A_WORD = /^[a-z0-9]+$/;

function isCut(word: string): boolean {
  // Code points are at most as many as units.
  return word.length >= CUT_LENGTH;
}

/**
 * Records in a segment that may have this text somewhere in a value or name.
 * @param must is given those that certainly have it
 */
export function partIn(segment: SegmentFile, { field, text }: PartQuery, scope: Scope, must: Bits, may: Bits): void {
  const paths = scope.paths(segment);
  if (paths === null) {
    const fits = (name: string): boolean => foldText(name).includes(text);
    addNamed(segment, fits, must);
    addNamed(segment, fits, may);
  }
  const words = foldedWords(text);
  if (words.length === 0) {
    addPaths(segment, paths ?? segment.paths(scope.path), may);
    return;
  }
  // The words of the text are in the value's, the outer ones as parts of them: only the longest is looked for.
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long), '');
  const isSure = field === null && INSIDE_A_WORD.test(text) && text.length < CUT_LENGTH;
  for (const { term, bytes, base } of segment.postings(scope.word, (term) => fitsWord(term.slice(1), longest))) {
    const isThere = isSure && term.includes(text, 1);
    eachRecord(scope.word, bytes, base, (n) => {
      may.add(n);
      if (isThere) must.add(n);
    });
  }
}

/** Folding may join what the text begins or ends with to what is around it; then the word there is another one. */
function fitsWord(word: string, part: string): boolean {
  return word.includes(part) || isCut(word) || !INSIDE_A_WORD.test(part);
}
