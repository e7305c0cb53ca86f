// The rules of a ledger on several nodes, in every state within bounds. test/states/shared-log.ts says what is left out.
import { describe, expect, it } from 'vitest';
import { IS_NIGHTLY } from '../support/extent.ts';
import { explore } from './explore.ts';
import { ALL_RULES, type Bounds, type Rules, sharedLog } from './shared-log.ts';

const BOUNDS: Bounds = {
  nodes: 2,
  places: 3,
  faults: 2,
  restores: false,
  rotations: false,
  cuts: false,
  beats: false,
};

const QUICK: [string, Partial<Bounds>][] = [
  ['with faults of nodes and engine', {}],
  ['with rotations', { rotations: true, places: 4, faults: 1 }],
  ['with beats', { beats: true }],
  ['with cuts', { cuts: true }],
  ['with an older copy of the engine', { restores: true }],
];
const DEEP: [string, Partial<Bounds>][] = [
  ['with three nodes', { nodes: 3 }],
  ['with more places and faults', { places: 4, faults: 3 }],
  ['with everything', { places: 4, rotations: true, cuts: true, beats: true }],
  ['with an older copy of the engine, and more places', { places: 4, restores: true, cuts: true }],
];

const SHOWN_AND_LOST = 'a record was shown that the log may lose';
const ON_ANOTHER = 'a ledger has an entry behind another than it was made for';
const OTHER_KEY = 'a record is signed by another key than the ledger has at its place';

describe('a ledger on several nodes', () => {
  it.each([...QUICK, ...(IS_NIGHTLY ? DEEP : [])])(
    'loses nothing and has one record for each number, in every state %s',
    (_, bounds) => {
      const { counterexample, isWhole, states } = explore(sharedLog(ALL_RULES, { ...BOUNDS, ...bounds }));
      expect(counterexample).toBeNull();
      expect(isWhole).toBe(true);
      expect(states).toBeGreaterThan(15_000);
    },
    IS_NIGHTLY ? 3_600_000 : undefined,
  );

  // A rule that nothing depends on could go, or the model is blind.
  it.each<[keyof Rules, Partial<Bounds>, string, string]>([
    ['R1', {}, SHOWN_AND_LOST, 'A learns that it is kept'],
    ['R1', { restores: true }, ON_ANOTHER, "the engine writes B's entry"],
    ['R2', {}, SHOWN_AND_LOST, 'the wait is cancelled'],
    ['R3', {}, SHOWN_AND_LOST, 'A makes a record'],
    ['R4', { cuts: true }, ON_ANOTHER, 'the log is cut up to 2'],
    ['R4', { restores: true, places: 4 }, ON_ANOTHER, 'an older copy is put in place'],
    ['R5', {}, SHOWN_AND_LOST, 'B takes over'],
    ['bringsKey', { rotations: true, places: 4, faults: 1 }, OTHER_KEY, 'B makes a record'],
  ])('does not without %s', (rule, bounds, broken, step) => {
    const { counterexample } = explore(sharedLog({ ...ALL_RULES, [rule]: false }, { ...BOUNDS, ...bounds }));
    expect(counterexample?.rule).toBe(broken);
    expect(counterexample?.steps).toContain(step);
  });
});
