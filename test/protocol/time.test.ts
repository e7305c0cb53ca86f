import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime, parseTime } from '../../src/protocol/index.ts';
import { runs } from '../support/extent.ts';
import { outcome } from '../support/refusals.ts';

describe('RFC 3339: times', () => {
  it.each([
    ['§5.8', '1985-04-12T23:20:50.52Z', Date.UTC(1985, 3, 12, 23, 20, 50, 520)],
    ['§5.8', '1996-12-19T16:39:57-08:00', Date.UTC(1996, 11, 20, 0, 39, 57)],
    ['§5.8', '1937-01-01T12:00:27.87+00:20', Date.UTC(1937, 0, 1, 11, 40, 27, 870)],
    ['§5.8, a leap second', '1990-12-31T23:59:60Z', Date.UTC(1991, 0, 1)],
    ['§5.8, the same leap second', '1990-12-31T15:59:60-08:00', Date.UTC(1991, 0, 1)],
    ['within a leap second', '2016-12-31T23:59:60.75Z', Date.UTC(2017, 0, 1, 0, 0, 0, 750)],
    ['a leap second before 1970', '1960-12-31T23:59:60Z', Date.UTC(1961, 0, 1)],
    ['§5.6, lower-case t and z', '2026-03-01t09:00:04.137z', Date.UTC(2026, 2, 1, 9, 0, 4, 137)],
    ['the largest offset', '2026-03-01T23:59:00+23:59', Date.UTC(2026, 2, 1)],
    ['§4.3, an unknown offset', '2026-03-01T00:00:00-00:00', Date.UTC(2026, 2, 1)],
    ['digits beyond milliseconds', '2026-03-01T00:00:00.9999999999999999999Z', Date.UTC(2026, 2, 1, 0, 0, 0, 999)],
    ['one digit of a second', '2026-03-01T00:00:00.5Z', Date.UTC(2026, 2, 1, 0, 0, 0, 500)],
    ['a leap day', '2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['a leap day in a year divisible by 400', '2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
    ['the first year of all', '0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['a year of two digits in four', '0099-12-31T23:59:59Z', -59_011_459_201_000],
    ['the last second of all', '9999-12-31T23:59:59Z', 253_402_300_799_000],
    ['the epoch', '1970-01-01T00:00:00Z', 0],
  ])('%s: %s', (_, text, instant) => {
    expect(parseTime(text)).toBe(instant);
  });

  it.each([
    ['a leap second where UTC has none', '2016-12-31T12:00:60Z'],
    ['a leap second that the offset moves elsewhere', '2016-12-31T23:59:60+01:00'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['minute 60', '2026-03-01T00:60:00Z'],
    ['hour 24', '2026-03-01T24:00:00Z'],
    ['day 0', '2026-03-00T00:00:00Z'],
    ['day 32', '2026-03-32T00:00:00Z'],
    ['April 31', '2026-04-31T00:00:00Z'],
    ['February 29 of a common year', '2026-02-29T00:00:00Z'],
    ['February 29, 1900', '1900-02-29T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['an offset of 24 hours', '2026-03-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-03-01T00:00:00+00:60'],
    ['no offset', '2026-03-01T00:00:00'],
    ['an offset without colon', '2026-03-01T00:00:00+0100'],
    ['an offset of hours alone', '2026-03-01T00:00:00+01'],
    ['a space for the T', '2026-03-01 00:00:00Z'],
    ['a comma for the point', '2026-03-01T00:00:00,5Z'],
    ['a point without digits', '2026-03-01T00:00:00.Z'],
    ['no seconds', '2026-03-01T00:00Z'],
    ['a date alone', '2026-03-01'],
    ['a year of five digits', '12026-03-01T00:00:00Z'],
    ['a sign before the year', '+002026-03-01T00:00:00Z'],
    ['a month of one digit', '2026-3-01T00:00:00Z'],
    ['digits of another script', '２０２６-03-01T00:00:00Z'],
    ['white space before', ' 2026-03-01T00:00:00Z'],
    ['a line break after', '2026-03-01T00:00:00Z\n'],
    ['a week date', '2026-W09-7T00:00:00Z'],
    ['milliseconds since the epoch', '1772323200000'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(outcome(() => parseTime(text))).toBe('ENCODING_INVALID');
  });

  const instants = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  it('is written in UTC with milliseconds, also where they are zero', () => {
    expect(formatTime(0)).toBe('1970-01-01T00:00:00.000Z');
  });

  it('gives back what the service writes', () => {
    fc.assert(
      fc.property(instants, (date) => {
        expect(formatTime(date.getTime())).toBe(date.toISOString());
        expect(parseTime(formatTime(date.getTime()))).toBe(date.getTime());
      }),
      runs(),
    );
  });

  it('reads the same instant from every offset', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000);
        if (local.getUTCFullYear() < 0 || local.getUTCFullYear() > 9999) return;
        const two = (value: number): string => String(value).padStart(2, '0');
        const size = Math.abs(minutes);
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(parseTime(local.toISOString().replace('Z', offset))).toBe(date.getTime());
      }),
      runs(),
    );
  });
});
