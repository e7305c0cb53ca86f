// A sweep whose service is killed again and again: it continues, erases nothing twice and nothing that is held, and its one
// certificate tells of all of it.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countRuns, mergeRuns, parseRuns } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/processes.ts';
import { AT_ONCE, certificateOf, differenceOf, ended } from '../support/retention.ts';
import { type Account, bundleOf, eventsOf, firstOwner, registerAgent } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const RECORDS = 2000;
const KILLS = 3;

it('is continued by the next start', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const start = () => serve(dataDir, '--log-level', 'silent');
  let service = start();
  let owner = await firstOwner(await service.listening(), dataDir);
  const signer = await registerAgent(owner);
  for (let from = 0; from < RECORDS; from += 500) {
    const records = Array.from({ length: 500 }, (_, n) =>
      signer.next({ payload: { n: from + n, pad: 'p'.repeat(3000) } }),
    );
    await owner.client.ok('submitBatch', { body: { records } });
  }
  const whole = async (account: Account): Promise<Bundle> => JSON.parse((await bundleOf(account)).toString('utf8'));
  const before = await whole(owner);
  await owner.client.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  const selection = { kind: 'range', from_seq_no: 700, to_seq_no: 799 };
  await owner.client.ok('placeHold', { body: { selection, reason: 'Matter 1' } });
  const { sweep } = await owner.client.ok('beginSweep', { body: {} });
  const params = { sweep_id: sweep.sweep_id };
  const examined: number[] = [0];
  for (let kill = 0; kill < KILLS; kill++) {
    const seen = await until('the sweep to come further', async () => {
      const now = (await owner.client.ok('getSweep', { params })).sweep;
      return (now.status !== 'running' || now.examined > (examined.at(-1) ?? 0)) && now;
    });
    examined.push(seen.examined);
    expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    service = start();
    owner = { ...owner, client: new Client(await service.listening(), owner.client.token) };
  }
  // The first kill is in the middle of it.
  expect(examined[1]).toBeLessThan(RECORDS);
  const end = await ended(owner, sweep);
  expect(end).toMatchObject({ status: 'completed', erased: RECORDS - 100, held: 100 });
  const after = await whole(owner);
  expect(await certificateOf(owner, end)).toMatchObject(differenceOf(before, after));
  const runs = (await eventsOf(owner, 'retention.erase')).flatMap(({ details }) =>
    parseRuns(String(details['seq_no'])),
  );
  expect([countRuns(runs), mergeRuns(runs)]).toEqual([
    RECORDS - 100,
    [
      [1, 699],
      [800, RECORDS],
    ],
  ]);
  await owner.client.ok('verifyLedger');
  const verified = await until('the verification', async () => {
    const state = await owner.client.ok('ledgerVerification');
    return state.status === 'running' ? undefined : state;
  });
  expect(verified).toMatchObject({ status: 'completed', valid: true });
  await service.kill('SIGTERM');
});
