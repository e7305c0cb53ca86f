import type { Range } from '../../../../actions/index.ts';

/** A part of a text: plain, found by the search, or what was left out between two. */
export interface TextPart {
  readonly kind: 'plain' | 'hit' | 'gap';
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly at: number;
}

/** Longer texts are folded to what is around the hits. */
const SHORT = 320;
/** So much is shown on each side of a hit. */
const AROUND = 90;
/** This many hits of a folded text are shown. */
const MAX_HITS = 5;

/**
 * A text in parts, with its hits told apart.
 * @param ranges in order; null where the whole text was found
 * @param isOpen whether a long one is shown whole
 */
export function markedParts(
  text: string,
  ranges: readonly Range[] | null,
  isOpen: boolean,
): { readonly parts: readonly TextPart[]; readonly isCut: boolean } {
  const hits = ranges ?? [{ start: 0, end: text.length }];
  if (isOpen || text.length <= SHORT) return { parts: between(text, hits, 0, text.length), isCut: false };
  const parts: TextPart[] = [];
  let shownTo = 0;
  for (const hit of hits.slice(0, MAX_HITS)) {
    const from = Math.max(shownTo, hit.start - AROUND);
    const to = Math.min(text.length, Math.min(hit.end, hit.start + SHORT) + AROUND);
    if (to <= shownTo) continue;
    if (from > shownTo) parts.push({ kind: 'gap', text: '', at: -from });
    parts.push(...between(text, hits, from, to));
    shownTo = to;
  }
  if (shownTo < text.length) parts.push({ kind: 'gap', text: '', at: -text.length });
  return { parts, isCut: true };
}

/** A stretch of the text, cut where hits begin and end. */
function between(text: string, hits: readonly Range[], from: number, to: number): TextPart[] {
  const parts: TextPart[] = [];
  let at = from;
  const add = (kind: 'plain' | 'hit', end: number): void => {
    if (end > at) parts.push({ kind, text: text.slice(at, end), at });
    at = Math.max(at, end);
  };
  for (const { start, end } of hits) {
    if (end <= from || start >= to) continue;
    add('plain', Math.max(from, start));
    add('hit', Math.min(to, end));
  }
  add('plain', to);
  return parts;
}
