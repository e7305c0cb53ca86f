import { Seen } from './seen.tsx';

/** A moment as `2026-01-31 23:59:59.123` in UTC, or its text where it is no time. */
export function timeText(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace('T', ' ').replace('Z', '');
}

/** A moment in UTC; the text it was given in its title. */
export function Time({ value }: { readonly value: string | number }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <Seen text={String(value)} />;
  return (
    <time className="number" dateTime={date.toISOString()} title={`${value} · ${date.toLocaleString()} here`}>
      {timeText(value)}
    </time>
  );
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago a moment was. */
export function agoText(time: string | number, now: number): string {
  const distance = new Date(time).getTime() - now;
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', 1000] as const);
  return relative.format(Math.trunc(distance / length), unit);
}

const numbers = new Intl.NumberFormat('en');
export const count = (n: number): string => numbers.format(n);
