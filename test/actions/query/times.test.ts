// Times in queries: what somebody writes, in their zone.
import { describe, expect, it } from 'vitest';
import { isZone, readDuration, readTime, writeTime } from '../../../src/actions/query/times.ts';
import { NOW } from '../../support/queries.ts';

const MINUTE = 60_000;
const inZone = (text: string, zone: string): string | undefined => {
  const span = readTime(text, { now: NOW, zone });
  return span && `${writeTime(span.start)} +${span.end - span.start}`;
};

describe('a time', () => {
  it.each([
    ['2026-11-21T10:00:05.123Z', '2026-11-21T10:00:05.123Z +1'],
    ['2026-11-21T10:00:05.1234567Z', '2026-11-21T10:00:05.123Z +1'],
    ['2026-11-21T10:00:05+02:00', '2026-11-21T08:00:05.000Z +1000'],
    ['2026-11-21T10:00-05:30', '2026-11-21T15:30:00.000Z +60000'],
    ['2026-11-21t10:00z', '2026-11-21T10:00:00.000Z +60000'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z +86400000'],
  ])('that says its offset is the same everywhere: %s', (text, read) => {
    expect(inZone(text, 'UTC')).toBe(read);
    if (!text.startsWith('0099')) expect(inZone(text, 'Asia/Kathmandu')).toBe(read);
  });

  it.each([
    ['2026-11-21', '2026-11-20T23:00:00.000Z +86400000'],
    ['2026-11-21 10:00', '2026-11-21T09:00:00.000Z +60000'],
    ['2026-11-21 10:00:05', '2026-11-21T09:00:05.000Z +1000'],
    ['2026-11-21 10:00:05.5', '2026-11-21T09:00:05.500Z +100'],
    ['2026-07-21T10:00', '2026-07-21T08:00:00.000Z +60000'],
    ['10:00', '2026-11-22T09:00:00.000Z +60000'],
    ['9:05', '2026-11-22T08:05:00.000Z +60000'],
    ['today', '2026-11-21T23:00:00.000Z +86400000'],
    ['Yesterday', '2026-11-20T23:00:00.000Z +86400000'],
    ['yesterday 17:30', '2026-11-21T16:30:00.000Z +60000'],
  ])('without an offset is what clocks show in Berlin: %s', (text, read) => {
    expect(inZone(text, 'Europe/Berlin')).toBe(read);
  });

  it.each([
    ['now', NOW],
    ['-90s', NOW - 90_000],
    ['-15m', NOW - 15 * MINUTE],
    ['-2h', NOW - 120 * MINUTE],
    ['-3d', NOW - 3 * 24 * 60 * MINUTE],
    ['-1w', NOW - 7 * 24 * 60 * MINUTE],
  ])('may be counted back from now: %s', (text, start) => {
    expect(readTime(text, { now: NOW, zone: 'UTC' })).toEqual({ start, end: start + 1, wholeDay: false });
  });

  it('of a day of 23 or 25 hours is right', () => {
    expect(inZone('2026-03-29', 'Europe/Berlin')).toBe(`2026-03-28T23:00:00.000Z +${23 * 60 * MINUTE}`);
    expect(inZone('2026-10-25', 'Europe/Berlin')).toBe(`2026-10-24T22:00:00.000Z +${25 * 60 * MINUTE}`);
  });

  it('that clocks show twice is the first of both, and one that they skip is the moment at which they do', () => {
    expect(inZone('2026-10-25 02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z +60000');
    expect(inZone('2026-03-29 02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z +0');
    expect(inZone('2026-03-29 02:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z +0');
    expect(inZone('2026-03-29 03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z +60000');
    expect(inZone('2026-03-29 01:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:00.000Z +60000');
    // A whole day that clocks skip.
    expect(inZone('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z +0');
    expect(inZone('2026-11-01 01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z +60000');
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '24:00',
    '10:60',
    '10:00:60',
    '2026-1-1',
    '15m',
    '-15',
    '10',
    '-15M',
    '',
  ])('is not %j', (text) => {
    expect(readTime(text, { now: NOW, zone: 'UTC' })).toBeUndefined();
  });

  it('has a zone that there is', () => {
    expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isZone)).toEqual([true, true, false, false]);
  });
});

it.each([
  ['250', 250],
  ['250ms', 250],
  ['1.5s', 1500],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['2w', undefined],
  ['-2s', undefined],
  ['s', undefined],
])('reads %j as a duration of %j ms', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});
