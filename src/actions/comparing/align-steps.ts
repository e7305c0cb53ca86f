import { matchesOf } from '../../protocol/text/index.ts';

/** Comparisons for all steps, and for those between two that were given the same: 2,000 by 2,000. */
const MOST = 4_000_000;

/** What steps are paired by. */
export interface ComparableStep {
  /** What was called, or of which kind a step is that is no call. */
  readonly name: string;
  /** The same with what it was given. */
  readonly given: string;
}

/** A place in each of two lists of steps; null where one has nothing to it. */
export type AlignedSteps = readonly [left: number | null, right: number | null];

/**
 * The steps of two sessions next to each other, in the order of both: first as many as possible that were given the same, then, between
 * these, as many as possible of the same name. All others stand alone. Its cost is bounded by that of `matchesOf`: where that is
 * exceeded, fewer steps are paired.
 */
export function alignSteps(left: readonly ComparableStep[], right: readonly ComparableStep[]): AlignedSteps[] {
  const pairs: AlignedSteps[] = [];
  let [a, b] = [0, 0];
  const alone = (endA: number, endB: number): void => {
    while (a < endA) pairs.push([a++, null]);
    while (b < endB) pairs.push([null, b++]);
  };
  const between = (endA: number, endB: number): void => {
    const [fromA, fromB] = [a, b];
    const names = (steps: readonly ComparableStep[], from: number, to: number): string[] =>
      steps.slice(from, to).map(({ name }) => name);
    for (const [matchA, matchB] of matchesOf(names(left, fromA, endA), names(right, fromB, endB), MOST)) {
      alone(fromA + matchA, fromB + matchB);
      pairs.push([a++, b++]);
    }
    alone(endA, endB);
  };
  const given = (steps: readonly ComparableStep[]): string[] => steps.map((step) => step.given);
  for (const [matchA, matchB] of matchesOf(given(left), given(right), MOST)) {
    between(matchA, matchB);
    pairs.push([a++, b++]);
  }
  between(left.length, right.length);
  return pairs;
}
