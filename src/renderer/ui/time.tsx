import { LOCALE, numberText } from '../lib/locale.ts';
import { momentText, offsetText, type TimeZone, useTimeZone } from '../lib/time-zone.ts';
import { Seen } from './seen.tsx';

/** A moment as `2026-01-31 23:59:59.123`, in UTC unless said otherwise, or its text where it is no time. */
export function timeText(time: string | number, zone: TimeZone = 'utc'): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : momentText(date, zone);
}

/** A moment as it was given, and in local time. */
function titleOf(value: string | number, date: Date): string {
  return `${value} · ${momentText(date, 'local')} ${offsetText(date)}`;
}

interface TimeProps {
  readonly value: string | number;
  /** Whether the zone is named: in a sentence, where no head of a column does. */
  readonly hasZone?: boolean;
}

/** A moment in the zone that the page shows times in; in UTC and in local time in its title. */
export function Time({ value, hasZone = false }: TimeProps) {
  const zone = useTimeZone();
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <Seen text={String(value)} />;
  const suffix = hasZone ? ` ${zone === 'utc' ? 'UTC' : offsetText(date)}` : '';
  return (
    <time className="number" dateTime={date.toISOString()} title={titleOf(value, date)}>
      {momentText(date, zone)}
      {suffix}
    </time>
  );
}

/** Of `2026-01-31`. */
const DAY_LENGTH = 10;

interface ShortTimeProps {
  readonly value: string | number;
  /** The time in the row above: on the same day, the date is only hinted at. */
  readonly above?: string | number | undefined;
}

/** The same where there is little room: without the year, where it is this one. */
export function ShortTime({ value, above }: ShortTimeProps) {
  const zone = useTimeZone();
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <Seen text={String(value)} />;
  const text = momentText(date, zone);
  const isThisYear = text.startsWith(momentText(new Date(), zone).slice(0, 5));
  const day = text.slice(0, DAY_LENGTH);
  const isSameDay = above !== undefined && timeText(above, zone).startsWith(day);
  return (
    <time className="number" dateTime={date.toISOString()} title={titleOf(value, date)}>
      <span className={isSameDay ? 'muted' : undefined}>{isThisYear ? day.slice(5) : day}</span>
      {text.slice(DAY_LENGTH)}
    </time>
  );
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' });

/** How long ago a moment was. */
export function agoText(time: string | number, now: number): string {
  const distance = new Date(time).getTime() - now;
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', 1000] as const);
  return relative.format(Math.trunc(distance / length), unit);
}

export const count = numberText;
