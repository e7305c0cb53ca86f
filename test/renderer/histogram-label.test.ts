// What a chart says of its bars and of the stretch that is drawn on it.
import { describe, expect, it } from 'vitest';
import { axisTexts } from '../../src/renderer/components/histogram.tsx';
import { barText } from '../../src/renderer/components/histogram-label.ts';
import { agentParts, stacked } from '../../src/renderer/components/histogram-parts.ts';
import { stretchText } from '../../src/renderer/ui/time.tsx';

const START = Date.parse('2026-11-21T23:36:34.000Z');
/** All records were looked at. */
const coverage = { indexed_to: 4, pending: 0, complete: true };
const counts = { start_time: '2026-11-21T23:36:34.000Z', bucket_ms: 500, counts: [3, 1, 0], total: 4, coverage };

describe('the label of a chart', () => {
  it('names the bar under the pointer and its operations', () => {
    expect(barText(counts, START + 499, 'UTC')).toBe('2026-11-21 23:36:34.000 – 23:36:34.500 · 3 operations');
    expect(barText(counts, START + 500, 'UTC')).toBe('2026-11-21 23:36:34.500 – 23:36:35.000 · 1 operation');
  });

  it('names the agents that a bar is made of', () => {
    const parts = [
      { name: 'billing-bot', colour: '--agent-1', counts: [2, 1, 0] },
      { name: 'archive', colour: '--agent-2', counts: [1, 0, 0] },
    ];
    expect(barText(counts, START, 'UTC', parts)).toMatch(/ · 3 operations: billing-bot 2, archive 1$/);
    expect(barText(counts, START + 500, 'UTC', parts)).toMatch(/ · 1 operation: billing-bot 1$/);
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

  it('counts agents that are not named together', () => {
    const [most] = agentParts({
      ...counts,
      agents: { data: [...'ab'].map((agent_id) => ({ agent_id, counts: [1, 1, 0] })), others: 2 },
    });
    expect(most?.name).toBe('a');
    expect(barText(counts, START, 'UTC', [{ name: 'a', colour: '--agent-1', counts: [1, 0, 0] }])).toMatch(
      / · 3 operations: a 1, others 2$/,
    );
  });

  it('of one agent alone has no parts', () => {
    expect(agentParts(counts)).toEqual([]);
    expect(agentParts({ ...counts, agents: { data: [{ agent_id: 'a', counts: [3, 1, 0] }], others: 0 } })).toEqual([]);
  });

  it('says nothing beside the bars', () => {
    expect(barText(counts, START - 1, 'UTC')).toBeNull();
    expect(barText(counts, START + 1500, 'UTC')).toBeNull();
    expect(barText({ ...counts, start_time: null }, START, 'UTC')).toBeNull();
  });

  it('leaves milliseconds out where there are none, and names the second day', () => {
    expect(stretchText(START, START + 60_000, 'UTC')).toBe('2026-11-21 23:36:34 – 23:37:34');
    expect(stretchText(START, START + 3_600_000, 'UTC')).toBe('2026-11-21 23:36:34 – 2026-11-22 00:36:34');
  });

  it('has the offset once where it is the same, and both where clocks change in between', () => {
    const night = Date.parse('2026-10-25T00:30:00.000Z');
    expect(stretchText(night, night + 60_000, 'Europe/Berlin')).toBe('2026-10-25 02:30:00 – 02:31:00 +02:00');
    expect(stretchText(night, night + 3_600_000, 'Europe/Berlin')).toBe('2026-10-25 02:30:00 +02:00 – 02:30:00 +01:00');
  });

  it('has hours and days of the zone on its axis', () => {
    const night = Date.parse('2026-10-24T22:00:00.000Z') / 1000;
    expect(axisTexts([night, night + 3600], 3600, 'Europe/Berlin')).toEqual(['10-25 00:00', '01:00']);
    expect(axisTexts([night], 86_400, 'Europe/Berlin')).toEqual(['2026-10-25']);
    expect(axisTexts([night], 3600, 'UTC')).toEqual(['10-24 22:00']);
  });
});
