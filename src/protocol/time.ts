import { ProtocolError } from './protocol-error.ts';

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

function refuse(text: string): never {
  throw new ProtocolError('ENCODING_INVALID', `"${text.slice(0, 64)}" is not an RFC 3339 time with offset or Z`);
}

/** Value of two decimal digits, or NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/**
 * The instant of a time in the one spelling that formatTime writes; null where it is another spelling or might not be a
 * time at all. Five times faster than the whole rule, for nearly every time there is.
 */
function parseCommonTime(text: string): number | null {
  if (text.length !== 24 || text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':') return null;
  if (text[16] !== ':' || text[19] !== '.' || text[23] !== 'Z') return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // Ends of months, leap seconds and the years that Date.UTC takes for others are left to the whole rule.
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return null;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return null;
  const hundreds = text.charCodeAt(20) - 0x30;
  const milliseconds = hundreds * 100 + twoDigits(text, 21);
  if (!(hundreds >= 0 && hundreds <= 9 && milliseconds >= 0)) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
}

/**
 * The instant of an RFC 3339 §5.6 time, in milliseconds since the Unix epoch, later digits cut off. A leap second (:60,
 * only where UTC reads 23:59:60) is the instant that follows it.
 * @throws ProtocolError ENCODING_INVALID
 */
export function parseTime(text: string): number {
  const common = parseCommonTime(text);
  if (common !== null) return common;
  const match = RFC3339.exec(text);
  if (!match) return refuse(text);
  const field = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [field(1), field(2), field(3), field(4), field(5), field(6)];
  const offsetHour = field(9);
  const offsetMinute = field(10);
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) refuse(text);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that its month lacks would have rolled over into the next one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) refuse(text);
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  const instant = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - offset;
  if (second === 60 && Math.floor(instant / 1000) % 86_400 !== 0) refuse(text);
  return instant;
}

/** The one spelling the service writes: RFC 3339 in UTC with milliseconds. */
export function formatTime(instant: number): string {
  return new Date(instant).toISOString();
}

/** Beyond this a Date is invalid (ECMAScript §21.4.1.1). */
const MAX_INSTANT = 8.64e15;

/** An instant for a message, in milliseconds since the Unix epoch: also one that no time in text can say. */
export function instantText(instant: number): string {
  return Math.abs(instant) <= MAX_INSTANT ? formatTime(instant) : `${instant} ms`;
}
