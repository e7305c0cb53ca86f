// docs/shared-log.md, When something happens: the disk of a node is full. What was answered is kept, what could not be kept was not answered, another node takes
// over, and the one whose disk it was catches up by itself once there is room.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { utf8 } from '../../src/protocol/index.ts';
import { type Account, bundleOf, registerAgent, submitNext, verifyWith } from '../support/service.ts';
import { TestPair } from '../support/shared-nodes.ts';
import type { Signer } from '../support/signer.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const LARGE = { text: 'x'.repeat(20_000) };

/** Two nodes, of which one has its folder on a disk that can be full, and an agent. */
async function twoNodes(full: 'active' | 'standby') {
  const disk = new SmallDisk(16);
  const pair = await TestPair.start({}, { [full === 'active' ? 'a' : 'b']: join(disk.folder, 'node') });
  return { disk, pair, kid: pair.active.running.kid, signer: await registerAgent(pair.ownerAt(pair.active), 'agent') };
}

/** Sends until a record has no receipt, and the same one to the other node once that is active. @returns all that was answered */
async function sendUntilFull(pair: TestPair, signer: Signer): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (;;) {
    const body = signer.next({ payload: LARGE });
    const answer = await pair.ownerAt(pair.active).client.call('submitOperation', { body });
    if (answer.status === 201) receipts.push(answer.body);
    else {
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'NOT_ACTIVE' } } });
      await pair.standby.becomes('active');
      const again = await pair.ownerAt(pair.standby).client.call('submitOperation', { body });
      // The log may have it already.
      expect([200, 201]).toContain(again.status);
      return [...receipts, again.body as Receipt];
    }
  }
}

async function judge(account: Account, kid: string, receipts: readonly Receipt[]): Promise<void> {
  const kept = utf8(receipts.map((receipt) => JSON.stringify(receipt)).join('\n'));
  const report = await verifyWith(kid, await bundleOf(account), [{ name: 'receipts', source: () => [kept] }]);
  expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: receipts.length } });
}

describe.skipIf(!canMount())('the disk of a node that is full (needs a separate tmpfs, so root)', () => {
  it.each([0, 50_000, 600_000])(
    'of the active one, but for %i bytes: the other takes over, and it comes back',
    async (left) => {
      const { disk, pair, kid, signer } = await twoNodes('active');
      disk.fill(left);
      const receipts = await sendUntilFull(pair, signer);
      receipts.push(await submitNext(pair.ownerAt(pair.standby), signer));
      expect(pair.active.changes).toContainEqual({ state: 'standby', why: 'database or disk is full' });

      disk.clear();
      await pair.areEqual();
      await pair.standby.stop();
      await pair.active.becomes('active');
      receipts.push(await submitNext(pair.ownerAt(pair.active), signer));
      await judge(pair.ownerAt(pair.active), kid, receipts);
    },
  );

  it('of the standby: it answers what it has, says why it has no more, and leaves taking over to others', async () => {
    const { disk, pair, kid, signer } = await twoNodes('standby');
    const owner = pair.ownerAt(pair.active);
    const receipts = [await submitNext(owner, signer)];
    await pair.areEqual();
    disk.fill();
    receipts.push(await submitNext(owner, signer, { payload: LARGE }));
    await until('the standby to say why', () => pair.standby.changes.at(-1)?.why === 'database or disk is full');
    const reader = pair.ownerAt(pair.standby);
    const [operation_id = '', missing = ''] = receipts.map((receipt) => receipt.operation_id);
    expect((await reader.client.ok('getOperation', { params: { operation_id } })).ear).toEqual(receipts[0]);
    expect((await reader.client.call('getOperation', { params: { operation_id: missing } })).status).toBe(404);
    disk.clear();
    await pair.areEqual();
    await pair.active.stop();
    await pair.standby.becomes('active');
    receipts.push(await submitNext(pair.ownerAt(pair.standby), signer));
    await judge(pair.ownerAt(pair.standby), kid, receipts);
  });
});
