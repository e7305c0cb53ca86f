// protocol F112: a service that is killed again and again while its key is rotated and agents submit. Whatever the moment, one
// key counts, every receipt verifies for who pinned the very first key, and no receipt is of a key that the ledger lacks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { utf8 } from '../../src/protocol/index.ts';
import { AgentLoad } from '../support/agent-load.ts';
import { Client } from '../support/client.ts';
import { seedOf, share } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/processes.ts';
import { SeededRandom } from '../support/random.ts';
import { type Account, bundleOf, firstOwner, registerAgent, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

const KILLS = share(6);
/** How long after the rotation is asked for the service is killed at most, in milliseconds: it takes some of them. */
const LATEST_MS = 60;

it('one key counts, whenever the service is killed', async () => {
  const random = new SeededRandom(seedOf(7));
  const dataDir = join(temporaryFolder(), 'data');
  let first = '';
  let owner: Account | null = null;
  let agent: AgentLoad | null = null;
  for (let round = 0; round <= KILLS; round++) {
    const service = serve(dataDir, '--log-level', 'silent');
    const url = await service.listening();
    // No moment leaves a key beside the one that counts.
    expect(existsSync(join(dataDir, 'service-key-next.json'))).toBe(false);
    owner ??= await firstOwner(url, dataDir);
    owner = { ...owner, client: new Client(url, owner.client.token) };
    agent ??= new AgentLoad(await registerAgent(owner, 'agent'), { batch: 4, characters: 500 }, random);
    const { client } = owner;
    const kid = (await client.ok('jwks')).keys[0]?.kid ?? '';
    if (first === '') first = kid;
    if (round === KILLS) break;
    let isGone = false;
    const load = agent;
    const sending = load.run(client, () => isGone);
    // However busy the machine is, there are receipts of the very first key.
    if (round === 0) await until('the first receipt', () => load.receipts.size > 0);
    const rotating = client.call('rotateServiceKey', { body: { kid } }).catch(() => null);
    // The first is killed right after its answer: a rotation that was answered must hold.
    await (round === 0 ? rotating : pause(random.below(LATEST_MS)));
    isGone = true;
    expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    await Promise.all([sending, rotating]);
  }
  if (owner === null || agent === null) throw new Error('there was no round');
  await agent.settle(owner.client);
  const receipts = [...agent.receipts.values()];
  const { keys } = await owner.client.ok('listServiceKeys');
  expect(receipts.length).toBeGreaterThan(0);
  expect(keys.length).toBeGreaterThan(1);
  expect(keys.filter(({ status }) => status === 'active')).toHaveLength(1);
  const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  const report = await verifyWith(first, await bundleOf(owner), [{ name: 'receipts', source: () => [utf8(text)] }]);
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('verified');
  const chain = await owner.client.ok('adminChain');
  expect(chain.verified).toBe(chain.events);
});
