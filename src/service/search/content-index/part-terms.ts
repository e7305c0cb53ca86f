import { foldedWords, foldText, type PartQuery, textTest } from '../../../actions/index.ts';
import type { Bits } from './bits.ts';
import { addWordRecords } from './posting-walks.ts';
import type { FoundTerm, SegmentFile } from './segment-file.ts';
import type { TermReader } from './term-reader.ts';
import { addNamed, addPaths, addRecordsWithin, placesOf, type Scope } from './text-terms.ts';

const CUT_LENGTH = 128;

/** A text of letters and digits that words are written with which are told apart by what is between them. */
const INSIDE_A_WORD = /^[a-z0-9]+$/;

/**
 * Records in a segment that may have this text somewhere in a value or name.
 * @param must is given those that certainly have it
 */
export function partIn(segment: SegmentFile, query: PartQuery, scope: Scope, must: Bits, may: Bits): void {
  const { text } = query;
  const paths = scope.paths(segment);
  if (paths === null) {
    addNamed(segment, textTest(query), must);
    may.or(must);
  }
  const words = foldedWords(text);
  if (words.length === 0) {
    addPaths(segment, paths ?? segment.paths(scope.path), may);
    return;
  }
  // The words of the text are in the value's, the outer ones as parts of them: only the longest is looked for.
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long), '');
  // What the text itself is in is there for certain; for a field, where it is within the field.
  const isSure = INSIDE_A_WORD.test(text) && text.length < CUT_LENGTH;
  const certain: FoundTerm[] = [];
  // A text that folds to another one by itself may have other words than where it stands.
  const fits = foldText(text) === text ? (word: TermReader) => word.includes(longest, 1) || isCut(word) : undefined;
  for (const found of segment.postings(scope.word, fits)) {
    if (isSure && found.term.includes(text, 1)) certain.push(found);
    else addWordRecords(found.bytes, found.base, may);
  }
  if (paths === null) {
    for (const { bytes, base } of certain) addWordRecords(bytes, base, must);
  } else addRecordsWithin(segment, paths, placesOf(certain), 1, must);
  may.or(must);
}

/** Words of this length may be a piece of a longer run of letters; their code points are at most as many as units. */
function isCut(word: TermReader): boolean {
  return word.length > CUT_LENGTH;
}
