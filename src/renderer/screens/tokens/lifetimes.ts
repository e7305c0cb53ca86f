const DAY = 86_400;

/** Lifetimes to choose from, in seconds; null never ends. */
export const LIFETIMES: readonly (readonly [label: string, seconds: number | null])[] = [
  ['1 hour', 3_600],
  ['1 day', DAY],
  ['30 days', 30 * DAY],
  ['90 days', 90 * DAY],
  ['1 year', 365 * DAY],
  ['Until it is revoked', null],
];

/** A lifetime in words. */
export function lifetimeText(seconds: number | null): string {
  const known = LIFETIMES.find(([, value]) => value === seconds);
  if (known !== undefined) return known[0];
  const length = seconds ?? 0;
  if (length % DAY === 0) return `${length / DAY} days`;
  return length % 3_600 === 0 ? `${length / 3_600} hours` : `${length} seconds`;
}
