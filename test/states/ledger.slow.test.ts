// The steps by which the service keeps a ledger, in every state within bounds. test/states/ledger.ts says what is left out.
import { describe, expect, it } from 'vitest';
import { IS_NIGHTLY } from '../support/extent.ts';
import { explore } from './explore.ts';
import { ALL_LEDGER_RULES, type LedgerBounds, type LedgerRules, ledgerModel } from './ledger.ts';

const BOUNDS: LedgerBounds = {
  records: 2,
  epochLeaves: 2,
  crashes: 1,
  powerCuts: 0,
  jumps: 0,
  rotations: 0,
  exports: false,
  erasures: false,
  backups: false,
  setBacks: 0,
  setBackAfterCrash: false,
};
const SET_BACK = { backups: true, setBacks: 1 };
const ERASING = { exports: true, erasures: true };

const QUICK: [string, Partial<LedgerBounds>][] = [
  ['of submissions, seals and two crashes', { records: 3, crashes: 2 }],
  ['with two power cuts', { powerCuts: 2, records: 3 }],
  ['with a power cut, exports, holds and erasures', { ...ERASING, powerCuts: 1, crashes: 0 }],
  ['with a rotation', { rotations: 1, crashes: 2 }],
  ['with a clock that is set', { jumps: 2 }],
  ['with exports, holds and erasures', ERASING],
  ['with a backup that is put in place', { ...SET_BACK, rotations: 1 }],
];
const DEEP: [string, Partial<LedgerBounds>][] = [
  ['with more records and three crashes', { records: 4, crashes: 3 }],
  ['with three power cuts and a clock that is set', { powerCuts: 3, jumps: 1, records: 3 }],
  ['with two rotations', { rotations: 2, records: 3, crashes: 2 }],
  ['with a clock that is set and a rotation', { jumps: 2, rotations: 1, crashes: 2 }],
  ['with exports, holds and erasures of more records', { ...ERASING, records: 3, crashes: 2 }],
  ['with two backups that are put in place', { ...SET_BACK, setBacks: 2, rotations: 1, records: 3 }],
];

const LOST = 'a receipt is lost';
const BEFORE = 'a time is before one that was signed earlier';

describe('a ledger in its folder', () => {
  it.each([...QUICK, ...(IS_NIGHTLY ? DEEP : [])])(
    'loses no receipt, gives no number twice and contradicts no bundle, in every state %s',
    (_, bounds) => {
      const { counterexample, isWhole, states } = explore(ledgerModel(ALL_LEDGER_RULES, { ...BOUNDS, ...bounds }));
      expect(counterexample).toBeNull();
      expect(isWhole).toBe(true);
      expect(states).toBeGreaterThan(15_000);
    },
    IS_NIGHTLY ? 3_600_000 : undefined,
  );

  // A rule that nothing depends on could go, or the model is blind.
  it.each<[keyof LedgerRules, Partial<LedgerBounds>, string, string]>([
    ['answersAfterCommit', {}, LOST, 'A answers before the commit'],
    ['answersOnceOnDisk', { powerCuts: 1 }, LOST, 'the power is cut'],
    ['tellsOnceOnDisk', { powerCuts: 1 }, LOST, 'A tells a reader of it'],
    ['startsOnDisk', { powerCuts: 1 }, 'what a crash left refuses a start', 'the power is cut'],
    ['sealsAfterCommit', {}, 'an epoch seals what the ledger does not have', 'A commits the epoch before its records'],
    ['headsOfCommitted', {}, 'what a crash left refuses a start', 'A writes heads.json'],
    ['headsAtStop', SET_BACK, LOST, 'an older ledger is put in place'],
    ['keepsHeads', SET_BACK, LOST, 'an older ledger is put in place'],
    ['recordsRestore', SET_BACK, LOST, 'the backup is restored'],
    ['endsExportInTurn', ERASING, 'an export holds what was erased', 'A sees that nothing was erased'],
    ['asksHoldsInCommit', { erasures: true }, 'a held record was erased', 'A places the hold'],
    ['findsRepeatsInBatch', {}, 'a record was accepted twice', 'A signs a record twice'],
    ['readsLatestTime', { jumps: 2 }, BEFORE, 'the clock is set to 0'],
    ['ledgerNamesKey', { rotations: 1 }, 'a record is signed by a key that was replaced', 'A is killed'],
    ['locksFolder', {}, 'heads.json went back', 'B starts'],
    ['locksFolder', { rotations: 1 }, 'a record is signed by a key that was replaced', 'B starts'],
  ])('does not without %s', (rule, bounds, broken, step) => {
    const { counterexample } = explore(ledgerModel({ ...ALL_LEDGER_RULES, [rule]: false }, { ...BOUNDS, ...bounds }));
    expect(counterexample?.rule).toBe(broken);
    expect(counterexample?.steps).toContain(step);
  });

  it('can be set back unnoticed within the seconds after a crash that heads.json is behind', () => {
    const { counterexample } = explore(
      ledgerModel(ALL_LEDGER_RULES, { ...BOUNDS, ...SET_BACK, setBackAfterCrash: true }),
    );
    expect(counterexample?.rule).toBe(LOST);
    expect(counterexample?.steps.slice(-4)).toContain('A is killed');
    expect(counterexample?.steps).not.toContain('A writes heads.json');
  });
});
