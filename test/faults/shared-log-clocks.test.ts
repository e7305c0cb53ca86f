// docs/shared-log.md, What it rests on: clocks decide when a node takes over, never what is kept. One node's clock is an hour off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { instantText, parseTime, type Receipt, utf8 } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, serving } from '../support/processes.ts';
import { type Account, bundleOf, registerAgent, submitNext, verifyWith } from '../support/service.ts';
import { pairOfFolders, TestNode } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60 * 1000;
const SHIFTED_CLOCK = new URL('../support/shifted-clock.ts', import.meta.url).href;

/** A ledger with an agent and a record, which a node with the right clock has left to one whose clock is off. */
async function takenOver(by: number) {
  const { a, b, log, owner } = await pairOfFolders();
  const first = await new TestNode('a', log, a).becomes('active');
  const shift = join(temporaryFolder(), 'shift');
  writeFileSync(shift, String(by));
  const second = new CommandProcess(serving(b, '--shared-log', log, '--node', 'b', '--recorder', 'off'), {
    NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
    CLOCK_SHIFT_FILE: shift,
  });
  const role = (name: string) => new RegExp(`^node b is ${name}, at (http:\\S+)$`, 'm').exec(second.stdout)?.[1];
  await until('it to be a standby', () => role('standby'));
  const at = (url: string): Account => ({ ...owner, client: new Client(url, owner.client.token) });
  const signer = await registerAgent(at(first.url), 'agent-1');
  const before = await submitNext(at(first.url), signer);
  await first.stop();
  const account = at(await until('it to be active', () => role('active')));
  /** Stops the other one. @returns the owner at the node with the right clock, which is active again, and its kid */
  const goBack = async () => {
    await second.kill('SIGTERM');
    const again = await new TestNode('a', log, a).becomes('active');
    return { account: at(again.url), kid: again.running.kid };
  };
  return { account, signer, before, goBack };
}

async function judge(account: Account, kid: string, receipts: readonly Receipt[]): Promise<void> {
  const kept = utf8(receipts.map((receipt) => JSON.stringify(receipt)).join('\n'));
  const report = await verifyWith(kid, await bundleOf(account), [{ name: 'receipts', source: () => [kept] }]);
  expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: receipts.length } });
}

it('takes records where its clock is an hour behind, and no time of the ledger decreases', async () => {
  const { account, signer, before, goBack } = await takenOver(-HOUR_MS);
  const there = await submitNext(account, signer);
  expect(parseTime(there.server_received_at)).toBeGreaterThanOrEqual(parseTime(before.server_received_at));
  const back = await goBack();
  const after = await submitNext(back.account, signer);
  expect(parseTime(after.server_received_at)).toBeGreaterThanOrEqual(parseTime(there.server_received_at));
  await judge(back.account, back.kid, [before, there, after]);
}, 120_000);

it('signs nothing where its clock is an hour ahead of the log and the other node, says so, and the next node takes the same records', async () => {
  const { account, signer, before, goBack } = await takenOver(HOUR_MS);
  const body = signer.next({ ttl_ms: 24 * HOUR_MS });
  const refused = await account.client.call('submitOperation', { body });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'CLOCK_IN_DOUBT' } } });
  const token = await account.client.call('createToken', { body: { ttl_seconds: 60, name: 'one' } });
  expect(token).toMatchObject({ status: 503, body: { error: { code: 'CLOCK_IN_DOUBT' } } });
  const health = await account.client.call('deepHealth');
  expect(health).toMatchObject({ status: 503, body: { checks: { clock: { status: 'bad' } } } });
  expect(health.body.checks.clock.detail).toContain('the other nodes and the shared log tell another time');
  expect(await account.client.ok('getClock')).toMatchObject({ state: 'in_doubt', cause: 'nodes' });
  const back = await goBack();
  const after = await back.account.client.ok('submitOperation', { body });
  await judge(back.account, back.kid, [before, after]);
}, 120_000);

it('signs again once a person has confirmed the clock, and as long as that clock runs on', async () => {
  const { account, signer } = await takenOver(HOUR_MS);
  const { id } = await account.client.ok('getClock');
  await account.client.ok('confirmClock', { body: { id: id ?? '', reason: 'by the radio' } });
  await submitNext(account, signer, { issued_at: instantText(Date.now() + HOUR_MS) });
  expect(await account.client.ok('getClock')).toMatchObject({ state: 'right' });
}, 120_000);
