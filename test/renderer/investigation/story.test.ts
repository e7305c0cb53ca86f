// A session as a story: pauses, sessions below it, retries, and the picture of who did what when.
import { describe, expect, it } from 'vitest';
import { lanesOf, nearestBar, timeScale } from '../../../src/renderer/screens/sessions/lanes.ts';
import { firstTryOf, nextTrouble, storyOf } from '../../../src/renderer/screens/sessions/story.ts';
import { stepAt } from './steps.ts';

const NONE: ReadonlySet<string> = new Set();
const kinds = (rows: ReturnType<typeof storyOf>): string[] => rows.map(({ kind }) => kind);

describe('the story of a session', () => {
  it('names a pause that is long, and long for this session', () => {
    const steps = [stepAt(0), stepAt(5), stepAt(10), stepAt(3610)];
    const pause = storyOf(steps, 'main', NONE).find(({ kind }) => kind === 'pause');
    expect(pause).toMatchObject({ ms: 3_600_000 });
    // Every step is a minute after the one before: none of these pauses says anything.
    expect(kinds(storyOf([stepAt(0), stepAt(70), stepAt(140)], 'main', NONE))).not.toContain('pause');
  });

  it('counts the time of a call as no pause', () => {
    const long = stepAt(1, { duration_ms: 3_600_000 });
    expect(kinds(storyOf([stepAt(0), long, stepAt(3602)], 'main', NONE))).not.toContain('pause');
  });

  it('puts steps of sessions below under a heading, which folds them', () => {
    const below = { session: 'sub' };
    const steps = [stepAt(0), stepAt(1, below), stepAt(2, below), stepAt(3), stepAt(4, below)];
    expect(kinds(storyOf(steps, 'main', NONE))).toEqual(['step', 'below', 'step', 'step', 'step', 'below', 'step']);
    expect(storyOf(steps, 'main', NONE)[1]).toMatchObject({ session: 'sub', steps: 2, isFolded: false });
    expect(kinds(storyOf(steps, 'main', new Set(['sub'])))).toEqual(['step', 'below', 'step', 'below']);
  });

  it('finds the try that a retry repeats, in the same session and of the same tool', () => {
    const steps = [
      stepAt(0, { tool: 'book', outcome: 'failed' }),
      stepAt(1, { tool: 'book', session: 'other' }),
      stepAt(2, { tool: 'think' }),
      stepAt(3, { tool: 'book', marks: ['RETRIED'] }),
    ];
    const [first, , , retry] = steps;
    if (retry === undefined) throw new Error('no retry');
    expect(firstTryOf(steps, retry)).toBe(first);
    expect(firstTryOf(steps, { ...retry, marks: [] })).toBeNull();
  });

  it('goes from one trouble to the next, and from the last to the first', () => {
    const steps = [stepAt(0), stepAt(1, { outcome: 'failed' }), stepAt(2), stepAt(3, { outcome: 'refused' })];
    const [, failed, , refused] = steps;
    expect(nextTrouble(steps, null)).toBe(failed);
    expect(nextTrouble(steps, failed?.operation_id ?? '')).toBe(refused);
    expect(nextTrouble(steps, refused?.operation_id ?? '')).toBe(failed);
    expect(nextTrouble([stepAt(0)], null)).toBeNull();
  });
});

describe('the picture of a session', () => {
  it('has people above agents, sub-agents and tools, each in the order of its first step', () => {
    const steps = [
      stepAt(0, { tool: 'Read' }),
      stepAt(1, { lane: { kind: 'sub_agent', id: 'explore' } }),
      stepAt(2, { lane: { kind: 'agent', id: 'coder' } }),
      stepAt(3, { lane: { kind: 'person', id: 'ada' } }),
      stepAt(4, { tool: 'Bash' }),
    ];
    expect(lanesOf(steps).lanes.map(({ id }) => id)).toEqual(['ada', 'coder', 'explore', 'Read', 'Bash']);
  });

  it('puts the tools that are used least on one line where there are many', () => {
    const steps = Array.from({ length: 40 }, (_, n) => stepAt(n, { tool: `tool-${n % 20 === 0 ? 0 : n}` }));
    const { lanes } = lanesOf(steps);
    expect(lanes).toHaveLength(9);
    expect(lanes[0]).toMatchObject({ id: 'tool-0' });
    expect(lanes.at(-1)?.id).toBeNull();
    expect(lanes.reduce((sum, { bars }) => sum + bars.length, 0)).toBe(40);
  });

  it('draws a long pause shortened, and everything between 0 and 1', () => {
    const steps = [stepAt(0), stepAt(10), stepAt(20), stepAt(36_020), stepAt(36_030)];
    const { at, breaks } = timeScale(steps);
    const places = steps.map((step) => at(Date.parse(step.at)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBe(1);
    expect(breaks).toHaveLength(1);
    expect(breaks[0]?.ms).toBe(36_000_000);
    expect((places[3] ?? 0) - (places[2] ?? 0)).toBeLessThan(0.1);
  });

  it('has every bar at the same place where no time passes', () => {
    const [lane] = lanesOf([stepAt(0), { ...stepAt(0), operation_id: 'second' }]).lanes;
    expect(lane?.bars.every(({ start, end }) => start === 0 && end === 0)).toBe(true);
  });

  it('leads from a place to the nearest step', () => {
    const [lane] = lanesOf([stepAt(0), stepAt(50), stepAt(100)]).lanes;
    expect(nearestBar(lane?.bars ?? [], 0.6)?.step.operation_id).toBe('operation at 50');
    expect(nearestBar([], 0.6)).toBeNull();
  });
});
