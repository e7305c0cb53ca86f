/** A stretch of time as somebody wrote it, in milliseconds since 1970; `end` is after its last millisecond. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** A day as such: what is after it begins with the next one. */
  readonly wholeDay: boolean;
  /** Of a time of day without an offset that clocks of its zone do not show once: how often they do. */
  readonly shown?: 'twice' | 'never';
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
  const real = new Date(utc(read, 0));
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
  if (offset !== undefined) {
    const start = utc(day, sinceMidnight) - offsetOf(offset);
    return { start, end: start + length, wholeDay: false };
  }
  const start = at(0, sinceMidnight);
  const { length: times } = momentsIn(zone, utc(day, sinceMidnight));
  // A time that clocks skip is the moment at which they do, and takes none.
  if (times === 0) return { start, end: start, wholeDay: false, shown: 'never' };
  return { start, end: start + length, wholeDay: false, ...(times > 1 ? { shown: 'twice' as const } : {}) };
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

/** What clocks of a zone go by a day before and after they show something, as the moments at which they would show it. */
function candidates(zone: string, shown: number): readonly [before: number, after: number] {
  return [shown - offsetAt(zone, shown - UNITS_A_DAY), shown - offsetAt(zone, shown + UNITS_A_DAY)];
}

/**
 * The moments at which clocks of a zone show what those in UTC show at another, the earlier first: two where clocks are put back over
 * it, none where they are put forward over it.
 */
export function momentsIn(zone: string, shown: number): number[] {
  return [...new Set(candidates(zone, shown))].filter((moment) => moment + offsetAt(zone, moment) === shown);
}

/**
 * The moment at which clocks of a zone show what those in UTC show at another: the earlier of two. Where none does, since clocks are
 * put forward over it, the moment at which they are: everything shown before and after it lies on its side.
 */
export function momentIn(zone: string, shown: number): number {
  const [only] = momentsIn(zone, shown);
  if (only !== undefined) return only;
  const [before, after] = candidates(zone, shown);
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

/** How far clocks are ahead of UTC, such as `+01:00`; with seconds in times before standard time, such as `+00:53:28`. */
export function offsetText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / SECOND);
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ];
  return `${ms < 0 ? '-' : '+'}${parts.map((part) => digits(part)).join(':')}`;
}

/** A moment as clocks of a zone show it: `2026-01-31 23:59:59.123`. */
export function wallText(moment: number, zone: string): string {
  const [year, month, day, ms] = wallClock(moment, zone);
  const seconds = Math.floor(ms / SECOND);
  const time = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => digits(Math.floor(part))).join(':');
  const fraction = digits(((moment % SECOND) + SECOND) % SECOND, 3);
  return `${digits(year, 4)}-${digits(month + 1)}-${digits(day)} ${time}.${fraction}`;
}

function digits(number: number, count = 2): string {
  return String(number).padStart(count, '0');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The beginning of the year 2. Before it years of a calendar are counted down, and 400 years later clocks show the same. */
const YEAR_2 = -62_104_060_800_000;
const YEARS_400 = 146_097 * UNITS_A_DAY;

/** What clocks of the zone show: year, month from 0, day, milliseconds since midnight, to the second. @throws RangeError for no zone */
export function wallClock(moment: number, zone: string): readonly [number, number, number, number] {
  if (moment < YEAR_2) {
    const [year, ...rest] = wallClock(moment + YEARS_400, zone);
    return [year - 400, ...rest];
  }
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
