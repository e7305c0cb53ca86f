import { describe, expect, it } from 'vitest';
import type { DamageRun, DamageState } from '../../src/protocol/index.ts';
import { barParts, numbersByState } from '../../src/renderer/report/damage-bar.ts';

const run = (first_seq_no: number, last_seq_no: number, state: DamageState): DamageRun => ({
  first_seq_no,
  last_seq_no,
  state,
});

describe('the bar of a damage map', () => {
  it('shows one damaged record among a million', () => {
    const runs = [run(1, 499_999, 'proven'), run(500_000, 500_000, 'damaged'), run(500_001, 1_000_000, 'proven')];
    expect(barParts(runs, 500)).toEqual([
      { first: 0, last: 248, state: 'proven' },
      { first: 249, last: 249, state: 'damaged' },
      { first: 250, last: 499, state: 'proven' },
    ]);
  });

  it('lets the gravest of what shares a column be seen, whatever the order', () => {
    const states: readonly DamageState[] = ['damaged', 'proven', 'missing', 'unproven'];
    const runs = states.map((state, n) => run(n + 1, n + 1, state));
    expect(barParts(runs, 1)).toEqual([{ first: 0, last: 0, state: 'damaged' }]);
    expect(barParts(runs.slice(1), 1)).toEqual([{ first: 0, last: 0, state: 'missing' }]);
  });

  it('stretches few numbers over the whole bar, and leaves holes where nothing is known', () => {
    expect(barParts([run(7, 7, 'proven'), run(10, 10, 'missing')], 8)).toEqual([
      { first: 0, last: 1, state: 'proven' },
      { first: 6, last: 7, state: 'missing' },
    ]);
  });

  it('counts the numbers of each state', () => {
    const runs = [run(1, 10, 'proven'), run(11, 11, 'damaged'), run(12, 20, 'proven')];
    expect([...numbersByState(runs)]).toEqual([
      ['proven', 19],
      ['damaged', 1],
    ]);
  });
});
