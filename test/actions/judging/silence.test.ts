// When an agent is silent by its own rhythm: docs/agent-actions.md (Needs a look).
import { describe, expect, it } from 'vitest';
import { silencesOf } from '../../../src/actions/judging/index.ts';

/** Monday, 2026-10-05 00:00 UTC, in hours since 1970. */
const MONDAY = Date.UTC(2026, 9, 5) / 3_600_000;
const HOURS = Array.from({ length: 9 }, (_, n) => n + 8);

interface Worked {
  readonly weeks: number;
  readonly days: readonly number[];
  readonly hours: readonly number[];
  /** Days since the first Monday on which it did nothing. */
  readonly without?: readonly number[];
}

function worked({ weeks, days, hours, without = [] }: Worked): number[] {
  return Array.from({ length: weeks * 7 }, (_, day) => day)
    .filter((day) => days.includes(day % 7) && !without.includes(day))
    .flatMap((day) => hours.map((hour) => MONDAY + day * 24 + hour));
}

const OFFICE = { days: [0, 1, 2, 3, 4], hours: HOURS };

describe('an agent is silent', () => {
  it('on a working day without a record', () => {
    const found = silencesOf(worked({ weeks: 3, ...OFFICE, without: [16] }), null);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ after: MONDAY + 15 * 24 + 16, until: MONDAY + 17 * 24 + 8 });
    expect(found[0]?.expected).toBeCloseTo(9);
  });

  it('for weeks, which do not make the silence its rhythm', () => {
    const without = Array.from({ length: 14 }, (_, n) => n + 14);
    const found = silencesOf(worked({ weeks: 6, ...OFFICE, without }), null);
    expect(found).toHaveLength(1);
    expect(found[0]?.expected).toBeCloseTo(90);
  });

  it('since its last record, while others have newer ones', () => {
    const hours = worked({ weeks: 2, ...OFFICE });
    const end = MONDAY + 14 * 24 + 13;
    expect(silencesOf(hours, end)).toMatchObject([{ after: hours.at(-1), until: null }]);
    expect(silencesOf(hours, end - 6)).toEqual([]);
  });

  it('where a job of each night is missing for three of them', () => {
    const job = { weeks: 4, days: [0, 1, 2, 3, 4, 5, 6], hours: [3] };
    expect(silencesOf(worked({ ...job, without: [10, 11] }), null)).toEqual([]);
    expect(silencesOf(worked({ ...job, without: [10, 11, 12] }), null)).toHaveLength(1);
  });
});

describe('an agent is not silent', () => {
  it.each([
    ['at night and on weekends', { weeks: 8, ...OFFICE }],
    ['on the days of another working week', { weeks: 8, days: [0, 1, 2, 3, 6], hours: HOURS }],
    [
      'on a Saturday on which it works every other week',
      { weeks: 8, ...OFFICE, days: [0, 1, 2, 3, 4, 5], without: [12, 26, 40, 54] },
    ],
  ])('%s', (_, given: Worked) => {
    expect(silencesOf(worked(given), null)).toEqual([]);
  });

  it('before it was active on seven days', () => {
    expect(silencesOf(worked({ weeks: 1, ...OFFICE, days: [0, 1, 2, 3, 4, 5] }), MONDAY + 1000)).toEqual([]);
  });

  it('in pauses that are no longer than three times what it usually makes', () => {
    // An hour of every five, day and night.
    const hours = Array.from({ length: 200 }, (_, n) => MONDAY + n * 5);
    expect(
      silencesOf(
        hours.filter((_, n) => n < 50 || n > 55),
        null,
      ),
    ).toHaveLength(1);
    expect(
      silencesOf(
        hours.filter((_, n) => n !== 50),
        null,
      ),
    ).toEqual([]);
  });
});
