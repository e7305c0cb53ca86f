/** More than this many comparisons are not made, unless a caller has time for more: what is left then counts as changed place by place. */
const MAX_COMPARISONS = 400_000;

/** A place in each of two lists; null where one has nothing to it. */
export type AlignedPair = readonly [number | null, number | null];

/**
 * Two lists next to each other, so that as much as possible that is equal is in one pair. What lies between and differs is
 * paired from its beginning.
 */
export function alignedPairs(one: readonly string[], other: readonly string[]): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let [a, b] = [0, 0];
  const between = (endA: number, endB: number): void => {
    while (a < endA || b < endB) pairs.push([a < endA ? a++ : null, b < endB ? b++ : null]);
  };
  for (const [matchA, matchB] of matchesOf(one, other)) {
    between(matchA, matchB);
    pairs.push([a++, b++]);
  }
  between(one.length, other.length);
  return pairs;
}

/**
 * The pairs of equal items of a longest common subsequence, in order. Its cost is the product of what is left of both once equal beginnings
 * and ends are off, so whoever chose the lists may have chosen that too.
 * @param most comparisons that are made; where it would take more, what lies between the equal ends has no pairs
 */
export function matchesOf(
  one: readonly string[],
  other: readonly string[],
  most = MAX_COMPARISONS,
): [number, number][] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++;
  const matches: [number, number][] = Array.from({ length: start }, (_, n) => [n, n]);
  const [rows, columns] = [one.length - start - end, other.length - start - end];
  if (rows * columns <= most) {
    matches.push(...matchesBetween(one.slice(start, start + rows), other.slice(start, start + columns), start));
  }
  for (let n = end; n > 0; n--) matches.push([one.length - n, other.length - n]);
  return matches;
}

function matchesBetween(one: readonly string[], other: readonly string[], offset: number): [number, number][] {
  const width = other.length + 1;
  // How long the longest common subsequence is of what begins at a place of each.
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      lengths[a * width + b] = one[a] === other[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const matches: [number, number][] = [];
  let [a, b] = [0, 0];
  while (a < one.length && b < other.length) {
    if (one[a] === other[b]) matches.push([offset + a++, offset + b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return matches;
}
