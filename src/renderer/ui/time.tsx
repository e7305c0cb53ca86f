import { wallText } from '../../actions/light.ts';
import { LOCALE, numberText } from '../lib/locale.ts';
import { offsetText, type TimeZone, UTC, useTimeZone } from '../lib/time-zone.ts';
import { Seen } from './seen.tsx';

/** The text of a moment: `2026-01-31 23:59:59.123` in UTC, with the offset behind it in every other zone; its own text where it is no time. */
export function timeText(time: string | number, zone: TimeZone): string {
  const moment = new Date(time).getTime();
  if (Number.isNaN(moment)) return String(time);
  const text = wallText(moment, zone);
  return zone === UTC ? text : `${text} ${offsetText(moment, zone)}`;
}

/** The same for a sentence, where no head of a column says UTC. */
export function timeWords(time: string | number, zone: TimeZone): string {
  const text = timeText(time, zone);
  return zone === UTC && !Number.isNaN(new Date(time).getTime()) ? `${text} ${UTC}` : text;
}

/** A stretch of time in as few words as are exact: day and offset once where they are the same, milliseconds only where they matter. */
export function stretchText(from: number, to: number, zone: TimeZone): string {
  const [start, end] = [wallText(from, zone), wallText(to, zone)];
  const shorten = (text: string): string => (from % 1000 === 0 && to % 1000 === 0 ? text.slice(0, -4) : text);
  const [before, after] = zone === UTC ? ['', ''] : [from, to].map((moment) => ` ${offsetText(moment, zone)}`);
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return `${shorten(start)}${before === after ? '' : before} – ${shorten(isOneDay ? end.slice(11) : end)}${after}`;
}

/** How a moment was given, where that says more than what is shown of it. */
function titleOf(value: string | number, moment: number, zone: TimeZone): string {
  const utc = zone === UTC ? '' : ` · ${timeWords(moment, UTC)}`;
  return `${value}${utc}`;
}

interface TimeProps {
  readonly value: string | number;
  /** Whether UTC is named: in a sentence, where no head of a column does. */
  readonly hasZone?: boolean;
}

/** What stands behind a time: the offset, or that it is UTC. */
function Zone({
  moment,
  zone,
  isNamed,
}: {
  readonly moment: number;
  readonly zone: TimeZone;
  readonly isNamed: boolean;
}) {
  if (zone === UTC) return isNamed && ` ${UTC}`;
  return <span className="time-offset"> {offsetText(moment, zone)}</span>;
}

/** A moment in the zone that the page shows times in; as it was given, and in UTC, in its title. */
export function Time({ value, hasZone = false }: TimeProps) {
  const zone = useTimeZone();
  const date = new Date(value);
  const moment = date.getTime();
  if (Number.isNaN(moment)) return <Seen text={String(value)} />;
  return (
    <time className="number" dateTime={date.toISOString()} title={titleOf(value, moment, zone)}>
      {wallText(moment, zone)}
      <Zone moment={moment} zone={zone} isNamed={hasZone} />
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
  const moment = date.getTime();
  if (Number.isNaN(moment)) return <Seen text={String(value)} />;
  const text = wallText(moment, zone);
  const isThisYear = text.startsWith(wallText(Date.now(), zone).slice(0, 5));
  const day = text.slice(0, DAY_LENGTH);
  const isSameDay = above !== undefined && timeText(above, zone).startsWith(day);
  return (
    <time className="number" dateTime={date.toISOString()} title={titleOf(value, moment, zone)}>
      <span className={isSameDay ? 'muted' : undefined}>{isThisYear ? day.slice(5) : day}</span>
      {text.slice(DAY_LENGTH)}
      <Zone moment={moment} zone={zone} isNamed={false} />
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
