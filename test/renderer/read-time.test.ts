// Times as people type them into the filters.
import { describe, expect, it } from 'vitest';
import { readTime } from '../../src/renderer/lib/read-time.ts';

const NOW = Date.parse('2026-11-21T23:37:05.120Z');

describe('a time that is typed', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    [' 2026-01-31 12:05 ', '2026-01-31T12:05:00.000Z'],
    ['2026-01-31T12:05:06.789Z', '2026-01-31T12:05:06.789Z'],
    ['2026-01-31T12:05:06.789123Z', '2026-01-31T12:05:06.789Z'],
    ['2026-01-31T12:05+02:00', '2026-01-31T10:05:00.000Z'],
    ['2026-01-31 12:05 -0530', '2026-01-31T17:35:00.000Z'],
    ['2026-01-31 12:05:06,7 UTC', '2026-01-31T12:05:06.700Z'],
    ['10:00', '2026-11-21T10:00:00.000Z'],
    ['9:05:30', '2026-11-21T09:05:30.000Z'],
    // By the clock of who is two hours ahead it is tomorrow already.
    ['01:00+02:00', '2026-11-21T23:00:00.000Z'],
    ['24:00', '2026-11-22T00:00:00.000Z'],
    ['today', '2026-11-21T00:00:00.000Z'],
    ['Yesterday', '2026-11-20T00:00:00.000Z'],
    ['yesterday 14:30', '2026-11-20T14:30:00.000Z'],
    ['tomorrow', '2026-11-22T00:00:00.000Z'],
    ['now', '2026-11-21T23:37:05.120Z'],
    ['-15m', '2026-11-21T23:22:05.120Z'],
    ['- 2 h', '2026-11-21T21:37:05.120Z'],
    ['3d ago', '2026-11-18T23:37:05.120Z'],
    ['-1w', '2026-11-14T23:37:05.120Z'],
    ['31.1.2026', '2026-01-31T00:00:00.000Z'],
    ['31.01.2026, 12:05', '2026-01-31T12:05:00.000Z'],
    ['2026/1/31 12:05', '2026-01-31T12:05:00.000Z'],
  ])('is read from %j', (typed, time) => {
    expect(readTime(typed, NOW, true)).toBe(time);
  });

  it('has day and month in the order of the place where slashes part them', () => {
    expect(readTime('1/2/2026', NOW, true)).toBe('2026-02-01T00:00:00.000Z');
    expect(readTime('1/2/2026', NOW, false)).toBe('2026-01-02T00:00:00.000Z');
  });

  it.each([
    '',
    'noon',
    '2026-13-01',
    '2026-02-30',
    '31.1.2026 99:00',
    '24:01',
    '10:60',
    '-15',
    '-15y',
    '15m',
    '2026-01-31 12:05 13:05',
    'today tomorrow',
    '99999-01-01',
    '1'.repeat(400),
  ])('is not a time in %j', (typed) => {
    expect(readTime(typed, NOW, false)).toBeNull();
  });
});
