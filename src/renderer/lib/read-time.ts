import { momentIn, momentsIn, offsetAt, offsetText } from '../../actions/light.ts';
import { READ_TIME } from './texts.ts';
import { type TimeZone, UTC } from './time-zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** The accepted forms, as the screens name them. */
export const TIME_FORMS = READ_TIME.forms;

/** The answer to a value that is not a time. */
export const NOT_A_TIME = READ_TIME.notATime(TIME_FORMS);

/** Whether people where this browser is write the day before the month. */
function localDayFirst(): boolean {
  const parts = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'numeric' }).formatToParts(0);
  return parts.findIndex(({ type }) => type === 'day') < parts.findIndex(({ type }) => type === 'month');
}

/** Midnight UTC of a date; null where there is no such day. */
function dayOf(year: number, month: number, day: number): number | null {
  // Date.UTC() takes years below 100 for those of the twentieth century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

/** Midnight UTC of a day as people write it. */
function readDay(text: string, today: number, dayFirst: boolean): number | null {
  const distance = DAYS_FROM_TODAY[text.toLowerCase()];
  if (distance !== undefined) return today + distance * DAY;
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst !== null) return dayOf(Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4]));
  const yearLast = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(text);
  if (yearLast === null) return null;
  const [, first, mark, second, year] = yearLast;
  // With dots the day comes first wherever dates are written so; with slashes it depends on where one is.
  const isDayFirst = mark === '.' || dayFirst;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return dayOf(Number(year), Number(month), Number(day));
}

/** Milliseconds since midnight of a time of day. */
function readClock(text: string): number | null {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3})\d*)?)?$/.exec(text);
  if (parts === null) return null;
  const [hours, minutes, seconds] = [parts[1], parts[2], parts[3] ?? 0].map(Number) as [number, number, number];
  if (hours > 24 || minutes > 59 || seconds > 59) return null;
  const time = hours * HOUR + minutes * MINUTE + seconds * SECOND + Number((parts[4] ?? '').padEnd(3, '0'));
  return time > DAY ? null : time;
}

/** Minutes, hours or days before now: -15m, 15m ago. */
function readDistance(text: string, now: number): number | null {
  const parts = /^(?:-\s*(\d{1,6})\s*([smhdw])|(\d{1,6})\s*([smhdw])\s+ago)$/i.exec(text);
  const unit = UNITS[(parts?.[2] ?? parts?.[4] ?? '').toLowerCase()];
  return unit === undefined ? null : now - Number(parts?.[1] ?? parts?.[3]) * unit;
}

/** Whether a time means the same wherever it is read. */
function isAnywhere(text: string, now: number): boolean {
  return (
    /^now$/i.test(text) || readDistance(text, now) !== null || /(?:Z|UTC)$|:.*[+-]\d{2}:?\d{2}(?::\d{2})?$/i.test(text)
  );
}

/** What clocks of a zone are to show, in milliseconds as if it were UTC; null where the text says its offset or is no time. */
function shownIn(zone: TimeZone, text: string, now: number, dayFirst: boolean): number | null {
  return isAnywhere(text, now) ? null : momentOf(text, now + offsetAt(zone, now), dayFirst);
}

function momentOf(text: string, now: number, dayFirst: boolean): number | null {
  if (/^now$/i.test(text)) return now;
  const distance = readDistance(text, now);
  if (distance !== null) return distance;
  const zoned = /^(.*\d)\s*(?:(Z|UTC)|([+-])(\d{2}):?(\d{2})(?::(\d{2}))?)$/i.exec(text);
  // A date ends like an offset does: only after a time of day there is one.
  const isZoned = zoned !== null && (zoned[2] !== undefined || zoned[1]?.includes(':') === true);
  const plain = (isZoned ? (zoned[1] ?? '') : text).trim();
  const offset =
    isZoned && zoned[3] !== undefined
      ? (zoned[3] === '-' ? -1 : 1) *
        (Number(zoned[4]) * HOUR + Number(zoned[5]) * MINUTE + Number(zoned[6] ?? 0) * SECOND)
      : 0;
  const today = Math.floor((now + offset) / DAY) * DAY;
  const clockAlone = readClock(plain);
  if (clockAlone !== null) return today + clockAlone - offset;
  const [dayText = '', clockText, ...rest] = plain.split(/^\d/.test(plain) ? /T|,?\s+/i : /,?\s+/);
  if (rest.length > 0) return null;
  const day = readDay(dayText, today, dayFirst);
  const clock = clockText === undefined ? 0 : readClock(clockText);
  return day === null || clock === null ? null : day + clock - offset;
}

/**
 * A time as people type it, in a zone unless it says otherwise, as the interface takes it; null where it is not a time. It may be a
 * date, a time of day, both, one of yesterday, today, tomorrow and now, or a distance back from now such as -15m.
 * @param now milliseconds since 1970
 * @param dayFirst whether 1/2/2026 is in February
 */
export function readTime(
  typed: string,
  now: number = Date.now(),
  dayFirst: boolean = localDayFirst(),
  zone: TimeZone = UTC,
): string | null {
  const text = typed.trim();
  const shown = shownIn(zone, text, now, dayFirst);
  const moment = shown === null ? momentOf(text, now, dayFirst) : momentIn(zone, shown);
  if (moment === null) return null;
  const date = new Date(moment);
  const year = date.getUTCFullYear();
  return Number.isNaN(moment) || year < 0 || year > 9999 ? null : date.toISOString();
}

/** A time that was read, or why it was not, in a sentence. */
export type Typed =
  | { readonly time: string; readonly problem?: undefined }
  | { readonly time?: undefined; readonly problem: string };

/**
 * A time as people type it, in a zone unless it says otherwise. A time of day that clocks there show twice or never is not taken: whoever
 * typed it is asked which is meant.
 */
export function readTyped(typed: string, zone: TimeZone, now: number = Date.now()): Typed {
  const text = typed.trim();
  const dayFirst = localDayFirst();
  const time = readTime(text, now, dayFirst, zone);
  if (time === null) return { problem: NOT_A_TIME };
  const shown = /\d:\d/.test(text) ? shownIn(zone, text, now, dayFirst) : null;
  if (shown === null) return { time };
  const [first, later] = momentsIn(zone, shown);
  if (first === undefined) return { problem: READ_TIME.skipped(text, zone) };
  if (later === undefined) return { time };
  const offsets = [first, later].map((moment) => offsetText(offsetAt(zone, moment))) as [string, string];
  return { problem: READ_TIME.twice(text, zone, ...offsets) };
}
