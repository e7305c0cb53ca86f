// docs/operations.md, "A wrong clock": nothing is signed while the clock is in doubt, and there is nothing to mend once it is right. Jobs wait.
import { afterEach, expect, it } from 'vitest';
import { expectError } from '../../support/client.ts';
import { AT_ONCE, certificateOf, ended } from '../../support/retention.ts';
import { ALWAYS, bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { Signer } from '../../support/signer.ts';
import { until } from '../../support/until.ts';

const HOUR = 3_600_000;

const real = Date.now;
let shift = 0;
Date.now = () => real() + shift;

/** Called after each commit, and after each that failed, with the action of the newest administrative event. */
let seen: (action: unknown) => void = () => undefined;
const service = await TestService.start(
  {},
  {
    aroundCommit: (sqlite, transaction) => {
      try {
        return transaction();
      } finally {
        seen(sqlite.prepare('SELECT action FROM admin_events ORDER BY rowid DESC LIMIT 1').pluck().get());
      }
    },
  },
);
const owner = await service.signUp();
const signer = await registerAgent(owner);
for (let n = 0; n < 3; n++) await submitNext(owner, signer);

afterEach(setRight);

function setRight(): void {
  seen = () => undefined;
  shift = 0;
}

it('leaves a sweep under way that has erased already, and its certificate names all of it', async () => {
  const { client } = owner;
  await client.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  let since = 0;
  seen = (action) => {
    if (action !== 'retention.erase') return;
    shift = 2 * HOUR;
    since++;
  };
  const { sweep } = await client.ok('beginSweep', { body: {} });
  const params = { sweep_id: sweep.sweep_id };
  // The one that erases, and one that should have kept the certificate.
  await until('the certificate to be held back', async () => since >= 2);
  await inOrder();
  const held = (await client.ok('getSweep', { params })).sweep;
  expect(held.status).toBe('running');
  // As many as one step had time for.
  expect(held.erased).toBeGreaterThan(0);
  setRight();
  const end = await ended(owner, sweep);
  expect(end).toMatchObject({ status: 'completed', erased: 3 });
  expect(await certificateOf(owner, end)).toMatchObject({ records: 3 });
});

it('leaves an export under way, which is made once the clock is right', async () => {
  const { client } = owner;
  // Seals all that there is.
  await bundleOf(owner);
  let since = 0;
  seen = (action) => {
    if (action !== 'export.create') return;
    shift = 2 * HOUR;
    since++;
  };
  const { exportId } = await client.ok('createExport', { body: ALWAYS });
  const statusOf = async () => (await client.ok('getExport', { params: { export_id: exportId } })).status;
  await until('the moment of the bundle to be held back', async () => since >= 2);
  await inOrder();
  expect(await statusOf()).toBe('processing');
  setRight();
  await until('the export', async () => (await statusOf()) !== 'processing');
  expect(await statusOf()).toBe('completed');
});

it('leaves a verification of the ledger under way, which ends once the clock is right', async () => {
  const { client } = owner;
  // What is not sealed is sealed first.
  await submitNext(owner, signer);
  shift = 2 * HOUR;
  await client.ok('verifyLedger');
  await inOrder();
  expect(await client.ok('ledgerVerification')).toMatchObject({ status: 'running' });
  setRight();
  await until('the verification', async () => (await client.ok('ledgerVerification')).status !== 'running');
  expect(await client.ok('ledgerVerification')).toMatchObject({ status: 'completed', valid: true });
});

/** Waits behind what the writer has to do: each change is held back after what asked before it. */
async function inOrder(): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const { registration } = new Signer(owner.orgId, `another-${n}`);
    expectError(await owner.client.call('registerAgent', { body: registration }), 'CLOCK_IN_DOUBT');
  }
}
