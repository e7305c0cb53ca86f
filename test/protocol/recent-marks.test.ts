// Protocol V36: memory for the newest marks, and for no more.
import { describe, expect, it } from 'vitest';
import { RecentMarks } from '../../src/protocol/verify/recent-marks.ts';

const run = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => `mark ${from + n}`);

describe('recent marks', () => {
  it('meet what was there before, and what a record has twice', () => {
    const marks = new RecentMarks();
    expect(marks.meet(['a', 'b'])).toBe(false);
    expect(marks.meet(['c', 'a'])).toBe(true);
    expect(marks.meet(['d', 'd'])).toBe(true);
    expect(marks.meet([])).toBe(false);
  });

  it('are remembered over 65,536 others at least, and forgotten behind twice as many', () => {
    const marks = new RecentMarks();
    expect(marks.meet(run(0, 65_536))).toBe(false);
    expect(marks.meet(run(65_536, 65_535))).toBe(false);
    expect(marks.meet(['mark 0'])).toBe(true);
    // That one was put into the newer set, which was filled with it.
    expect(marks.meet(['mark 1'])).toBe(false);
    expect(marks.meet(['mark 0'])).toBe(true);
  });
});
