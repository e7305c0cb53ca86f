import { LIFETIMES_TEXTS } from './texts.ts';

const DAY = 86_400;

/** Lifetimes to choose from, in seconds; null never ends. */
export const LIFETIMES: readonly (readonly [label: string, seconds: number | null])[] = [
  [LIFETIMES_TEXTS.hour, 3_600],
  [LIFETIMES_TEXTS.day, DAY],
  [LIFETIMES_TEXTS.days30, 30 * DAY],
  [LIFETIMES_TEXTS.days90, 90 * DAY],
  [LIFETIMES_TEXTS.year, 365 * DAY],
  [LIFETIMES_TEXTS.untilRevoked, null],
];

/** A lifetime in words. */
export function lifetimeText(seconds: number | null): string {
  const known = LIFETIMES.find(([, value]) => value === seconds);
  if (known !== undefined) return known[0];
  const length = seconds ?? 0;
  if (length % DAY === 0) return LIFETIMES_TEXTS.days(length / DAY);
  return length % 3_600 === 0 ? LIFETIMES_TEXTS.hours(length / 3_600) : LIFETIMES_TEXTS.seconds(length);
}
