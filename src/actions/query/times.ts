/** A stretch of time as somebody wrote it, in milliseconds since 1970; `end` is after its last millisecond. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** A day as such: what is after it begins with the next one. */
  readonly wholeDay: boolean;
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** IANA name. */
  readonly zone: string;
}

const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 86_400 * SECOND,
  w: 7 * 86_400 * SECOND,
};

const DATE = String.raw`(?<date>(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|today|yesterday)`;
const TIME = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?`;
const MOMENT = new RegExp(String.raw`^(?:${DATE}(?:(?:[Tt]|\s+)${TIME}(?<offset>[Zz]|[+-]\d\d:\d\d)?)?)$`, 'i');
const CLOCK_TIME = new RegExp(`^${TIME}$`);
const AGO = /^-(\d{1,9})([smhdw])$/;

/** The first half of a time that may go on behind a blank: `2026-11-21 10:00`. */
export const DAY_ALONE = new RegExp(`^${DATE}$`, 'i');

/**
 * Reads a time: RFC 3339, a date, a date or `today` or `yesterday` with a time of day, a time of day, which is today's, `now`, or
 * how long ago (`-15m`, `-2h`, `-3d`). What has no offset is in the clock's zone.
 */
export function readTime(text: string, clock: Clock): Span | undefined {
  if (/^now$/i.test(text)) return instant(clock.now);
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count !== undefined) return instant(clock.now - Number(count) * (UNITS[unit] ?? 0));
  const found = (MOMENT.exec(text) ?? CLOCK_TIME.exec(text))?.groups;
  if (found === undefined) return undefined;
  const day = dayOf(found, clock);
  return day && spanOf(found, day, clock.zone);
}

/** Reads how long something took, in milliseconds: a number of them, or with `ms`, `s`, `m`, `h` or `d` behind it. */
export function readDuration(text: string): number | undefined {
  const [, number, unit = 'ms'] = /^(\d{1,15}(?:\.\d{1,9})?)(ms|[smhd])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}

/** Whether this is the name of a time zone. */
export function isZone(name: string): boolean {
  try {
    wallClock(0, name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A time for a query's text, which reads back as the same millisecond in every zone. */
export function writeTime(time: number): string {
  return new Date(time).toISOString();
}

type Found = Readonly<Record<string, string | undefined>>;

/** Year, month from 0, day. */
type Day = readonly [number, number, number];

function dayOf(found: Found, { now, zone }: Clock): Day | undefined {
  const { year, month, day, date = 'today' } = found;
  if (year === undefined) {
    const [thisYear, thisMonth, today] = wallClock(now, zone);
    return [thisYear, thisMonth, date.toLowerCase() === 'yesterday' ? today - 1 : today];
  }
  const read: Day = [Number(year), Number(month) - 1, Number(day)];
  const real = new Date(Date.UTC(...read));
  real.setUTCFullYear(read[0]);
  return real.getUTCMonth() === read[1] && real.getUTCDate() === read[2] ? read : undefined;
}

function spanOf(found: Found, day: Day, zone: string): Span | undefined {
  const { hour, minute, second, fraction, offset } = found;
  const at = (days: number, ms: number): number => momentIn(zone, utc([day[0], day[1], day[2] + days], ms));
  if (hour === undefined) return { start: at(0, 0), end: at(1, 0), wholeDay: true };
  const [h, m, s] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  const sinceMidnight = ((h * 60 + m) * 60 + s) * SECOND + Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const length =
    second === undefined ? 60 * SECOND : fraction === undefined ? SECOND : 10 ** Math.max(0, 3 - fraction.length);
  const start = offset === undefined ? at(0, sinceMidnight) : utc(day, sinceMidnight) - offsetOf(offset);
  // A time that clocks skip is the moment at which they do, and takes none.
  const isSkipped = offset === undefined && at(0, sinceMidnight + 1) === start;
  return { start, end: isSkipped ? start : start + length, wholeDay: false };
}

function instant(start: number): Span {
  return { start, end: start + 1, wholeDay: false };
}

function offsetOf(offset: string): number {
  if (/z/i.test(offset)) return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60 * SECOND;
}

function utc([year, month, day]: Day, ms: number): number {
  const midnight = new Date(Date.UTC(2000, month, day));
  midnight.setUTCFullYear(year, month, day);
  return midnight.getTime() + ms;
}

/**
 * The moment at which clocks of a zone show what those in UTC show at another: the earlier of two. Where none does, since clocks are
 * put forward over it, the moment at which they are: everything shown before and after it lies on its side.
 */
export function momentIn(zone: string, shown: number): number {
  const before = shown - offsetAt(zone, shown - UNITS_A_DAY);
  const after = shown - offsetAt(zone, shown + UNITS_A_DAY);
  for (const moment of [before, after]) if (moment + offsetAt(zone, moment) === shown) return moment;
  let [low, high] = [after, before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + offsetAt(zone, middle) < shown) low = middle;
    else high = middle;
  }
  return high;
}

const UNITS_A_DAY = 86_400 * SECOND;

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
export function offsetAt(zone: string, moment: number): number {
  const [year, month, day, ms] = wallClock(moment, zone);
  return utc([year, month, day], ms) - Math.floor(moment / SECOND) * SECOND;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks of the zone show: year, month from 0, day, milliseconds since midnight, to the second. */
export function wallClock(moment: number, zone: string): readonly [number, number, number, number] {
  let format = formats.get(zone);
  if (format === undefined) {
    const two = '2-digit';
    format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const seconds = (part('hour') * 60 + part('minute')) * 60 + part('second');
  return [part('year'), part('month') - 1, part('day'), seconds * SECOND];
}
