import { momentIn, offsetAt, offsetText, wallClock } from './times.ts';

/** Lengths of time by which records are grouped, as clocks and calendars of a zone have them. */
export const TIME_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

const two = (number: number): string => String(number).padStart(2, '0');

const HOUR_MS = 3_600_000;

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
  return step === 'hour' ? `${text}T${two(Math.floor(ms / HOUR_MS))}:00${offsetText(offsetAt(zone, moment))}` : text;
}

/** When a step that `timeStep` names begins, and when the next one does; null for what names none. */
export function spanOfStep(name: string, step: TimeStep, zone: string): readonly [from: number, to: number] | null {
  if (step === 'hour') {
    const from = Date.parse(name);
    return Number.isNaN(from) ? null : [from, from + HOUR_MS];
  }
  const [year = Number.NaN, month = 1, day = 1] = name.split('-').map(Number);
  const midnight = (months: number, days: number): number => {
    const date = new Date(Date.UTC(2000, 0, 1));
    date.setUTCFullYear(year, month - 1 + months, day + days);
    return date.getTime();
  };
  const from = midnight(0, 0);
  const to = step === 'month' ? midnight(1, 0) : midnight(0, step === 'week' ? 7 : 1);
  return Number.isNaN(from) ? null : [momentIn(zone, from), momentIn(zone, to)];
}
