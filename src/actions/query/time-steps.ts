import { offsetAt, offsetText, wallClock } from './times.ts';

/** Lengths of time by which records are grouped, as clocks and calendars of a zone have them. */
export const TIME_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

const two = (number: number): string => String(number).padStart(2, '0');

/**
 * The step that a moment is in: `2026-10-25T02:00+02:00`, `2026-10-25`, the Monday of its week, or `2026-10`. An hour has its offset, by
 * which the two of a night on which clocks are put back are told apart.
 */
export function timeStep(moment: number, step: TimeStep, zone: string): string {
  const [year, month, day, ms] = wallClock(moment, zone);
  if (step === 'month') return `${String(year).padStart(4, '0')}-${two(month + 1)}`;
  const date = new Date(Date.UTC(2000, month, day));
  date.setUTCFullYear(year, month, day);
  if (step === 'week') date.setUTCDate(day - ((date.getUTCDay() + 6) % 7));
  const text = date.toISOString().slice(0, 10);
  return step === 'hour' ? `${text}T${two(Math.floor(ms / 3_600_000))}:00${offsetText(offsetAt(zone, moment))}` : text;
}
