// What the steps of a proof come to.
import { describe, expect, it } from 'vitest';
import { type Outcome, tallyOf } from '../../src/renderer/proof/outcome.ts';
import type { Step } from '../../src/renderer/proof/step.ts';
import { summaryOf } from '../../src/renderer/proof/summary.ts';

const IDS = ['payload', 'signature', 'time', 'chain-hash', 'previous', 'next', 'receipt', 'countersignature'] as const;

function steps(outcomes: Partial<Record<string, Outcome>> = {}): Step[] {
  return [...IDS, 'inclusion', 'epoch'].map((id) => ({
    id,
    title: id,
    rule: '',
    operands: [],
    outcome: outcomes[id] ?? 'pass',
    sentence: `${id} says so.`,
  }));
}

const WAITING = { inclusion: 'not_checked', epoch: 'not_checked' } as const;

describe('the summary of a proof', () => {
  it('is a success where all pass', () => {
    expect(summaryOf(steps(), true)).toMatchObject({ outcome: 'pass', title: 'All 10 checks passed' });
  });

  it('counts what does not apply for nothing, and says why it does not', () => {
    expect(summaryOf(steps({ next: 'not_applicable' }), true)).toEqual({
      outcome: 'pass',
      title: 'All 9 checks passed',
      detail: 'next says so.',
    });
  });

  it('counts a check that cannot be made as one that is not made', () => {
    expect(
      tallyOf(steps({ previous: 'cannot_check', next: 'not_applicable', epoch: 'fail', time: 'not_checked' })),
    ).toEqual({
      passed: 6,
      failed: 1,
      open: 2,
      notApplicable: 1,
      total: 9,
    });
  });

  it('is a success while sealing alone is to come, and says so', () => {
    expect(summaryOf(steps({ ...WAITING, next: 'not_applicable' }), false)).toEqual({
      outcome: 'pass',
      title: 'Received and countersigned',
      detail: '7 of 9 checks passed, 2 wait for the epoch to be sealed.',
    });
  });

  it('is missing where a file ends before the sealing, or where something else is not checked', () => {
    expect(summaryOf(steps(WAITING), true).outcome).toBe('not_checked');
    expect(summaryOf(steps({ ...WAITING, payload: 'not_checked' }), false).outcome).toBe('not_checked');
    expect(summaryOf(steps({ ...WAITING, previous: 'cannot_check' }), false).outcome).toBe('cannot_check');
  });

  it('fails where any step does, whatever the others are', () => {
    expect(summaryOf(steps({ ...WAITING, time: 'fail', previous: 'cannot_check' }), false)).toEqual({
      outcome: 'fail',
      title: '1 of 10 checks failed',
      detail: '6 of 10 checks passed.',
    });
  });
});
