// A small part of shared-log.slow.test.ts: the rules of a ledger on several nodes, in every state within narrow bounds.
import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { ALL_RULES, type Bounds, sharedLog } from './shared-log.ts';

const BOUNDS: Bounds = {
  nodes: 2,
  places: 2,
  faults: 1,
  restores: false,
  rotations: false,
  cuts: false,
  beats: false,
};

it('loses nothing by its rules, in every state', () => {
  const { counterexample, isWhole, states } = explore(sharedLog(ALL_RULES, BOUNDS));
  expect([counterexample, isWhole]).toEqual([null, true]);
  expect(states).toBeGreaterThan(500);
});

it.each(['R2', 'R3', 'R5'] as const)('loses something without %s', (rule) => {
  const { counterexample } = explore(sharedLog({ ...ALL_RULES, [rule]: false }, { ...BOUNDS, faults: 2 }));
  expect(counterexample?.rule).toBe('a record was shown that the log may lose');
});
