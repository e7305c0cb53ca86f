// What a chart says of its bars and of the stretch that is drawn on it.
import { describe, expect, it } from 'vitest';
import { barText, stretchText } from '../../src/renderer/components/histogram-label.ts';
import { countsWithin, stacked } from '../../src/renderer/components/histogram-parts.ts';

const START = Date.parse('2026-11-21T23:36:34.000Z');
/** All records were looked at. */
const coverage = { indexed_to: 4, pending: 0, complete: true };
const counts = { start_time: '2026-11-21T23:36:34.000Z', bucket_ms: 500, counts: [3, 1, 0], total: 4, coverage };

describe('the label of a chart', () => {
  it('names the bar under the pointer and its operations', () => {
    expect(barText(counts, START + 499)).toBe('2026-11-21 23:36:34.000 – 23:36:34.500 · 3 operations');
    expect(barText(counts, START + 500)).toBe('2026-11-21 23:36:34.500 – 23:36:35.000 · 1 operation');
  });

  it('names the agents that a bar is made of', () => {
    const parts = [
      { name: 'billing-bot', colour: '--agent-1', counts: [2, 1, 0] },
      { name: 'archive', colour: '--agent-2', counts: [1, 0, 0] },
    ];
    expect(barText(counts, START, 'utc', parts)).toMatch(/ · 3 operations: billing-bot 2, archive 1$/);
    expect(barText(counts, START + 500, 'utc', parts)).toMatch(/ · 1 operation: billing-bot 1$/);
  });

  it('stacks parts up to the whole, whose rest comes last', () => {
    const part = (of: readonly number[]) => ({ name: 'one', colour: '--agent-1', counts: of });
    expect(stacked(counts, [part([1, 1, 0]), part([1, 0, 0])])).toEqual([
      [1, 1, 0],
      [2, 1, 0],
      [3, 1, 0],
    ]);
    // What came in between two counts does not grow beyond the bar.
    expect(stacked(counts, [part([5, 0, 0])])[0]).toEqual([3, 0, 0]);
  });

  it('puts the counts of a part into the bars of the whole', () => {
    const later = { start_time: '2026-11-21T23:36:34.500Z', bucket_ms: 500, counts: [7], total: 7, coverage };
    expect(countsWithin(counts, later)).toEqual([0, 7, 0]);
    expect(countsWithin(counts, { ...later, bucket_ms: 200 })).toEqual([0, 0, 0]);
    expect(countsWithin(counts, { start_time: null, bucket_ms: 1, counts: [], total: 0, coverage })).toEqual([0, 0, 0]);
  });

  it('says nothing beside the bars', () => {
    expect(barText(counts, START - 1)).toBeNull();
    expect(barText(counts, START + 1500)).toBeNull();
    expect(barText({ ...counts, start_time: null }, START)).toBeNull();
  });

  it('leaves milliseconds out where there are none, and names the second day', () => {
    expect(stretchText(START, START + 60_000)).toBe('2026-11-21 23:36:34 – 23:37:34');
    expect(stretchText(START, START + 3_600_000)).toBe('2026-11-21 23:36:34 – 2026-11-22 00:36:34');
  });
});
