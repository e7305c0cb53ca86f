import { pointerStep } from '../../protocol/light.ts';
import { isBeyond, isEqual, phraseAt, regexOf } from './evaluate.ts';
import { foldWithPlaces, type Range, type TracedText } from './folding.ts';
import { type Leaf, reaches, textOfValue } from './queried-record.ts';
import type { Field, MatchesQuery, PartQuery, Query, TermQuery, WordsQuery } from './query.ts';
import { readingsWithPlaces, within } from './readings.ts';
import { wordsOf } from './words.ts';

/** Something of a payload that a query names, to be marked. */
export interface Hit {
  /** JSON Pointer of the member. */
  readonly pointer: string;
  readonly on: 'name' | 'value';
  /** Which parts of the name or of the value as text, in UTF-16 units, left to right; null for the whole. */
  readonly ranges: readonly Range[] | null;
}

/** What to mark in a payload with these leaves: each term that asks for something there, not those under `not`. */
export function hitsOf(query: Query, leaves: readonly Leaf[]): readonly Hit[] {
  const hits = new Map<string, Hit>();
  collect(query, true, leaves, (hit) => {
    const key = `${hit.on} ${hit.pointer}`;
    const known = hits.get(key);
    hits.set(key, known === undefined ? hit : { ...hit, ranges: united(known.ranges, hit.ranges) });
  });
  return [...hits.values()];
}

type Add = (hit: Hit) => void;

function collect(query: Query, asked: boolean, leaves: readonly Leaf[], add: Add): void {
  switch (query.kind) {
    case 'all':
      return;
    case 'and':
    case 'or':
      for (const part of query.parts) collect(part, asked, leaves, add);
      return;
    case 'not':
      collect(query.part, !asked, leaves, add);
      return;
    case 'session':
      collect(query.part, asked, leaves, add);
      return;
    default:
      if (asked) for (const leaf of leaves) collectOf(query, leaf, add);
  }
}

function collectOf(term: TermQuery, leaf: Leaf, add: Add): void {
  const { field } = term;
  if (field?.of === 'record') return;
  if (term.kind === 'equals' || term.kind === 'compare') {
    const fits = term.kind === 'equals' ? isEqual(term, leaf.value) : isBeyond(term, leaf.value);
    if (fits && isReached(field, leaf, 'at')) add({ pointer: leaf.pointer, on: 'value', ranges: null });
    return;
  }
  if (!isReached(field, leaf, term.kind === 'exists' && term.itself ? 'at' : 'within')) return;
  if (term.kind === 'exists') {
    add({ pointer: leaf.pointer, on: 'value', ranges: null });
    return;
  }
  addRanges(add, leaf.pointer, 'value', rangesIn(textOfValue(leaf.value), term));
  if (field !== null) return;
  for (const [index, name] of leaf.path.entries()) addRanges(add, pointerTo(leaf, index), 'name', rangesIn(name, term));
}

function isReached(field: Field | null, { path }: Leaf, how: 'at' | 'within'): boolean {
  return field === null || (field.of === 'payload' && reaches(field, path, how));
}

function addRanges(add: Add, pointer: string, on: Hit['on'], ranges: readonly Range[]): void {
  if (ranges.length > 0) add({ pointer, on, ranges });
}

/** Where a text has what a query over texts looks for, in any of its readings, left to right. */
export function rangesIn(text: string, query: WordsQuery | PartQuery | MatchesQuery): readonly Range[] {
  if (query.kind === 'matches') return regexOf(query).ranges(text);
  const [plain = [], ...others] = readingsWithPlaces(text).map((reading) => rangesOfReading(reading, query));
  const known = new Set(plain.map(({ start, end }) => `${start} ${end}`));
  const more = others.flat().filter(({ start, end }) => !known.has(`${start} ${end}`));
  return more.length === 0 ? plain : (united(plain, more) ?? []);
}

function rangesOfReading(reading: TracedText, query: WordsQuery | PartQuery): Range[] {
  const ranges: Range[] = [];
  if (query.kind === 'part') {
    const { text: folded, place } = within(reading, foldWithPlaces(reading.text));
    const { length } = query.text;
    for (let at = folded.indexOf(query.text); at >= 0; at = folded.indexOf(query.text, at + length)) {
      ranges.push(place(at, at + length));
    }
    return ranges;
  }
  const words = wordsOf(reading.text);
  const folded = words.map(({ word }) => word);
  for (let at = phraseAt(folded, query); at >= 0; at = phraseAt(folded, query, at + 1)) {
    const [first, last] = [words[at], words[at + query.words.length - 1]];
    if (first !== undefined && last !== undefined) ranges.push(reading.place(first.start, last.end));
  }
  return ranges;
}

/** Ranges of both, those that touch as one. */
function united(left: Hit['ranges'], right: Hit['ranges']): Hit['ranges'] {
  if (left === null || right === null) return null;
  const ranges: Range[] = [];
  for (const range of [...left, ...right].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = ranges.at(-1);
    if (last === undefined || range.start > last.end) ranges.push(range);
    else ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return ranges;
}

/** The pointer of the member that a leaf's path names at this place: the pointer's steps less those below it. */
function pointerTo({ path, pointer }: Leaf, index: number): string {
  const steps = pointer.split('/');
  let step = 0;
  for (const name of path.slice(0, index + 1)) {
    const written = pointerStep(name).slice(1);
    do step++;
    while (step < steps.length - 1 && steps[step] !== written);
  }
  return steps.slice(0, step + 1).join('/');
}
