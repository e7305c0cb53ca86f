import type { Leaf } from './queried-record.ts';
import { readTime } from './times.ts';
import { readNumber } from './values.ts';

/** The longest text that is looked at as a number or a time, in UTF-16 units. */
const MAX_LENGTH = 40;
const BEGINS_AS_DATE = /^\d{4}-\d\d-\d\d/;

/**
 * What a member's value is compared as: numbers, also those written as texts (`"12.50"`), and dates and times of RFC 3339, in
 * milliseconds since 1970, in UTC where they have no offset. Both null for all else.
 */
export function comparable(value: Leaf['value']): { readonly number: number | null; readonly time: number | null } {
  if (typeof value === 'number') return { number: value, time: null };
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return { number: null, time: null };
  const number = readNumber(value) ?? null;
  const time = BEGINS_AS_DATE.test(value) ? readTime(value, { now: 0, zone: 'UTC' }) : undefined;
  return { number, time: time?.start ?? null };
}
