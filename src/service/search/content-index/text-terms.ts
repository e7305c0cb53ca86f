import { type Field, reaches, textTest, type WordsQuery } from '../../../actions/index.ts';
import type { Bits } from './bits.ts';
import {
  addWordRecords,
  eachRecord,
  eachRecordWithin,
  eachRecordWithWord,
  type Places,
  pairPlaces,
  placesBefore,
  wordPlaces,
} from './posting-walks.ts';
import { KIND, PLACES } from './postings.ts';
import type { FoundTerm, SegmentFile } from './segment-file.ts';
import type { TermNames } from './term-names.ts';

/** Records that are certainly meant, and those that may be: what lies between has to be read. */
export interface Bound {
  readonly must: Bits;
  readonly may: Bits;
}

export function exactly(bits: Bits): Bound {
  return { must: bits, may: bits };
}

/** Where the texts of a query's field are: the kinds of terms, and the names of the paths that it reaches; null for all of them. */
export interface Scope {
  readonly word: string;
  readonly path: string;
  /** Paths of a segment that the field reaches, as terms; null for everything in the payload. */
  readonly paths: (segment: SegmentFile) => readonly string[] | null;
}

export function scopeOf(field: Field | null, names: TermNames, how: 'at' | 'within' = 'within'): Scope {
  if (field === null) return { word: KIND.word, path: KIND.path, paths: () => null };
  if (field.of === 'record') {
    return { word: KIND.fieldWord, path: KIND.field, paths: () => [KIND.field + field.name] };
  }
  return {
    word: KIND.word,
    path: KIND.path,
    paths: (segment) => segment.paths(KIND.path).filter((term) => reaches(field, names.pathOf(term), how)),
  };
}

function addRecords(kind: string, found: FoundTerm | null, bits: Bits): void {
  if (found === null) return;
  if (kind === KIND.word || kind === KIND.fieldWord) addWordRecords(found.bytes, found.base, bits);
  else eachRecord(kind, found.bytes, found.base, (n) => bits.add(n));
}

/** Adds every record that has one of some paths. */
export function addPaths(segment: SegmentFile, paths: readonly string[], bits: Bits): void {
  for (const term of paths) addRecords(term.charAt(0), segment.find(term), bits);
}

function sorted(parts: readonly Places[]): Places {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** Places at which a word is, or any that begins with it, or any that fits. */
type WordTest = { readonly word: string; readonly prefix: boolean };

function termsOf(segment: SegmentFile, kind: string, { word, prefix }: WordTest): FoundTerm[] {
  if (prefix) return [...segment.postings(kind + word)];
  const found = segment.find(kind + word);
  return found === null ? [] : [found];
}

/** Where any of some words is. */
export function placesOf(terms: readonly FoundTerm[]): Places {
  return sorted(terms.map(({ bytes, base }) => wordPlaces(bytes, base)));
}

/** Those of some places at which one of some words is this many places further on. */
function kept(places: Places, terms: readonly FoundTerm[], step: number): Places {
  return sorted(terms.map(({ bytes, base }) => placesBefore(bytes, base, places, step)));
}

function length(terms: readonly FoundTerm[]): number {
  return terms.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Where words begin that stand one after the other. @param lists for each of them the terms that fit */
function phrasePlaces(lists: readonly (readonly FoundTerm[])[]): Places {
  // The rarest first: of the others only what is next to it counts.
  const byLength = [...lists.entries()].sort(([, a], [, b]) => length(a) - length(b));
  const [[rarest, terms] = [0, []], [next, others] = [0, []]] = byLength;
  const [[word, ...moreWords], [other, ...moreOthers]] = [terms, others];
  const isPair = word !== undefined && other !== undefined && moreWords.length + moreOthers.length === 0;
  let places = isPair ? pairPlaces(word.bytes, other.bytes, word.base, next - rarest) : placesOf(terms);
  if (rarest > 0) places = places.map((place) => place - rarest);
  for (const [step, more] of byLength.slice(isPair ? 2 : 1)) {
    if (places.length === 0) break;
    places = kept(places, more, step);
  }
  return places;
}

/** Records in a segment with these words one after the other. */
export function wordsIn(segment: SegmentFile, query: WordsQuery, scope: Scope, bits: Bits): void {
  const { words, lastIsPrefix } = query;
  const paths = scope.paths(segment);
  const tests = words.map((word, index) => ({ word, prefix: lastIsPrefix && index === words.length - 1 }));
  const lists = tests.map((test) => termsOf(segment, scope.word, test));
  if (lists.every((terms) => terms.length > 0)) {
    const [first = []] = lists;
    const [only] = first;
    if (paths === null && lists.length === 1) {
      for (const found of first) addRecords(scope.word, found, bits);
    } else if (paths !== null && lists.length === 1 && first.length === 1 && only !== undefined) {
      // By far the most asked: no list of places is made for it.
      for (const term of paths) {
        const found = segment.find(term);
        if (found !== null) eachRecordWithWord(found.bytes, only.bytes, found.base, (n) => bits.add(n));
      }
    } else {
      const places = phrasePlaces(lists);
      if (paths === null) for (const place of places) bits.add(Math.floor(place / PLACES));
      else addRecordsWithin(segment, paths, places, words.length, bits);
    }
  }
  if (paths === null) addNamed(segment, textTest(query), bits);
}

/** Adds records in which one of some places begins this many words within a value under one of some paths. */
export function addRecordsWithin(
  segment: SegmentFile,
  paths: readonly string[],
  places: Places,
  count: number,
  bits: Bits,
): void {
  for (const term of places.length === 0 ? [] : paths) {
    const found = segment.find(term);
    if (found !== null) eachRecordWithin(found.bytes, found.base, places, count, (n) => bits.add(n));
  }
}

/** Adds records that have a member whose name fits. */
export function addNamed(segment: SegmentFile, fits: (name: string) => boolean, bits: Bits): void {
  const known = new Map<string, boolean>();
  const test = (name: string): boolean => {
    let is = known.get(name);
    if (is === undefined) {
      is = fits(name);
      known.set(name, is);
    }
    return is;
  };
  const paths = segment.paths(KIND.path).filter((term) => (JSON.parse(term.slice(1)) as string[]).some(test));
  addPaths(segment, paths, bits);
}
