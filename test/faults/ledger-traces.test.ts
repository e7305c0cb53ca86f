// The model of test/states/ledger.ts and the real service next to each other, step by step: counterexamples of rules that the product keeps, killed at
// the step at which the model loses something, and ways through the model that are drawn.
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../src/protocol/index.ts';
import { explore } from '../states/explore.ts';
import { ALL_LEDGER_RULES, type LedgerBounds, type LedgerRules, ledgerModel } from '../states/ledger.ts';
import type { LedgerState } from '../states/ledger-state.ts';
import { IS_NIGHTLY, seedOf } from '../support/extent.ts';
import { SeededRandom } from '../support/random.ts';
import { bundleOf, verifyWith } from '../support/service.ts';
import { modelled, SteppedLedger } from '../support/stepped-ledger.ts';

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
const ALL: LedgerBounds = {
  ...BOUNDS,
  ...SET_BACK,
  records: 4,
  crashes: 3,
  jumps: 2,
  rotations: 1,
  exports: true,
  erasures: true,
};
const STEPS = IS_NIGHTLY ? 150 : 25;
const PATIENCE_MS = 1_800_000;

/** What a service does between two steps of the model by itself, and nobody can hold: the model is in the middle of it. */
function isUnderWay({ disk, processes, copying }: LedgerState): boolean {
  const running = processes.find((one) => one !== null) ?? null;
  const makes = running !== null && running.making === null && disk.export === 'processing';
  return makes || copying !== null || (running !== null && running.task !== null);
}

async function taken(ledger: SteppedLedger, name: string, state: LedgerState): Promise<void> {
  await ledger.step(name, state);
  if (!isUnderWay(state)) expect(ledger.observe(), name).toEqual(modelled(state));
}

/** Every receipt that was given is in the ledger, once, and no bundle that was given is contradicted. */
async function expectSound(ledger: SteppedLedger): Promise<void> {
  await ledger.sendAll();
  const rows = ledger.observe().rows.map(({ id }) => id);
  expect(new Set(rows).size).toBe(rows.length);
  const receipts = [...ledger.receipts];
  expect(receipts.map(([, { seq_no }]) => rows[seq_no - 1])).toEqual(receipts.map(([id]) => id));
  const text = receipts.map(([, receipt]) => `${JSON.stringify(receipt)}\n`).join('');
  await ledger.letJobsEnd();
  const report = await verifyWith(ledger.kid, await bundleOf(ledger.owner), [
    { name: 'receipts', source: () => [utf8(text)] },
  ]);
  expect(report.findings.filter(({ code }) => code !== 'CLOCK_CORRECTED')).toEqual([]);
  expect(report.verdict).toBe('verified');
}

/** Takes the real service through the same steps with the rules kept: what they forbid, the model cannot do either. */
async function replay(rule: keyof LedgerRules, bounds: Partial<LedgerBounds>): Promise<SteppedLedger> {
  const within = { ...BOUNDS, ...bounds };
  const { counterexample } = explore(ledgerModel({ ...ALL_LEDGER_RULES, [rule]: false }, within));
  const kept = ledgerModel(ALL_LEDGER_RULES, within);
  const ledger = await SteppedLedger.make(within.records);
  let state = kept.initial;
  for (const name of counterexample?.steps ?? []) {
    const [, next] = [...kept.steps(state)].find(([step]) => step === name) ?? [];
    if (next === undefined) continue;
    state = next;
    await taken(ledger, name, state);
  }
  return ledger;
}

describe('the steps at which a ledger without a rule loses something', { timeout: PATIENCE_MS }, () => {
  it.each<[keyof LedgerRules]>([['answersAfterCommit'], ['sealsAfterCommit'], ['headsOfCommitted']])(
    'lose nothing where the service, which keeps %s, is killed there',
    async (rule) => {
      const ledger = await replay(rule, {});
      await ledger.startWhereItDoesNotRun();
      await expectSound(ledger);
    },
  );

  it.each<[keyof LedgerRules]>([['headsAtStop'], ['keepsHeads']])(
    'are noticed by a service that keeps %s: it refuses the older ledger',
    async (rule) => {
      const ledger = await replay(rule, SET_BACK);
      await expect(ledger.start()).rejects.toThrow('--accept-rollback');
    },
  );

  it('leave nothing erased in an export, whose end is a turn of the writer', async () => {
    const ledger = await replay('endsExportInTurn', { exports: true, erasures: true });
    await ledger.step('A makes the export again', ledgerModel(ALL_LEDGER_RULES, BOUNDS).initial);
    await ledger.kill();
    await ledger.start();
    await ledger.letJobsEnd();
    await ledger.step('the bundle is downloaded', ledgerModel(ALL_LEDGER_RULES, BOUNDS).initial);
    expect(ledger.bundles.map((bundle) => bundle.includes('"payload":{'))).toEqual([false]);
    await expectSound(ledger);
  });
});

describe('the real service', () => {
  const seed = seedOf(2041);

  it(`has what the model has, after each of ${STEPS} steps (seed ${seed})`, { timeout: PATIENCE_MS }, async () => {
    const random = new SeededRandom(seed);
    const model = ledgerModel(ALL_LEDGER_RULES, ALL);
    const ledger = await SteppedLedger.make(ALL.records);
    let state = model.initial;
    for (let n = 0; n < STEPS || isUnderWay(state); n++) {
      const [name, next] = drawn(model.steps(state), state, random);
      state = next;
      await taken(ledger, name, state);
    }
    await ledger.startWhereItDoesNotRun();
    await expectSound(ledger);
  });
});

/** What comes by itself, and what nobody would notice. */
const DULL = /reads the heads|writes heads.json/;

function drawn(
  steps: Iterable<readonly [string, LedgerState]>,
  state: LedgerState,
  random: SeededRandom,
): readonly [string, LedgerState] {
  const isOwn = (name: string): boolean => /^[AB] /.test(name) || name.startsWith('the backup copies the key');
  // Of two processes that do not run, either may start.
  const all = [...steps].filter(([name]) => !DULL.test(name) && name !== 'B starts');
  const making = /begins the export|stamps the manifest|is killed|commits the epoch/;
  const isMaking = state.disk.export === 'processing' && isUnderWay(state);
  const possible = isUnderWay(state) ? all.filter(([name]) => isOwn(name) && (!isMaking || making.test(name))) : all;
  const chosen = (possible.length > 0 ? possible : all)[
    random.below(possible.length > 0 ? possible.length : all.length)
  ];
  if (chosen === undefined) throw new Error('the model stands still');
  return chosen;
}
