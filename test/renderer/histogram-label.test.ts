// What a chart says of its bars and of the stretch that is drawn on it.
import { describe, expect, it } from 'vitest';
import { barText, stretchText } from '../../src/renderer/components/histogram-label.ts';

const START = Date.parse('2026-11-21T23:36:34.000Z');
const counts = { start_time: '2026-11-21T23:36:34.000Z', bucket_ms: 500, counts: [3, 1, 0], total: 4 };

describe('the label of a chart', () => {
  it('names the bar under the pointer and its operations', () => {
    expect(barText(counts, START + 499)).toBe('2026-11-21 23:36:34.000 – 23:36:34.500 · 3 operations');
    expect(barText(counts, START + 500)).toBe('2026-11-21 23:36:34.500 – 23:36:35.000 · 1 operation');
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
