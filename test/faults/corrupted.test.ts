import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Receipt, type SubmittedRecord, utf8 } from '../../src/protocol/index.ts';
import { StartError } from '../../src/service/index.ts';
import { type Client, expectError } from '../support/client.ts';
import { seedOf, share } from '../support/extent.ts';
import { copyOfRunning, temporaryFolder } from '../support/folders.ts';
import { SeededRandom } from '../support/random.ts';
import { type Account, bundleOf, registerAgent, TestService, verifyWith } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

const EPOCH = 9;

const folder = temporaryFolder();
let folders = 0;

interface Sound {
  readonly dataDir: string;
  readonly owner: Account;
  readonly signer: Signer;
  readonly records: readonly SubmittedRecord[];
  readonly receipts: readonly Receipt[];
}

/** A folder as a crash leaves it, with its write-ahead logs, or as a stop does. */
async function makeLedger(stopped: boolean): Promise<Sound> {
  const service = await TestService.start({ epochMaxLeaves: EPOCH });
  const owner = await service.signUp();
  const signer = await registerAgent(owner, 'agent');
  const records: SubmittedRecord[] = [];
  const receipts: Receipt[] = [];
  for (let n = 0; n < 40; n++) {
    const record = signer.next({ payload: { text: 'x'.repeat(n % 7 === 0 ? 5000 : 50) } });
    records.push(record);
    receipts.push(await owner.client.ok('submitOperation', { body: record }));
  }
  const { dataDir } = service;
  const index = new Database(join(dataDir, 'index.sqlite'));
  const taken = index.prepare('SELECT 1 FROM orgs WHERE indexed_seq = 40');
  await until('the index', () => taken.get() !== undefined);
  index.close();
  if (stopped) await service.stop();
  const copy = join(folder, `sound-${folders++}`);
  copyOfRunning(dataDir, copy);
  await service.stop();
  return { dataDir: copy, owner, signer, records, receipts };
}

const stopped = await makeLedger(true);
const crashed = await makeLedger(false);

/** A copy with one bit, or a run of bytes, turned over. */
function flipped({ dataDir }: Sound, file: string, offset: number, random: SeededRandom): string {
  const copy = join(folder, `data-${folders++}`);
  cpSync(dataDir, copy, { recursive: true });
  const bytes = readFileSync(join(copy, file));
  if (random.next() < 0.5) bytes[offset] = (bytes[offset] ?? 0) ^ (1 << random.below(8));
  else for (let at = offset; at < Math.min(offset + 16, bytes.length); at++) bytes[at] = (bytes[at] ?? 0) ^ 0xa5;
  writeFileSync(join(copy, file), bytes);
  return copy;
}

/**
 * What became of a damaged folder: the start was refused, the verification found it, the caller's account was hit, the newest
 * records are gone, as after a power cut on a disk that lies, or it was in a place that holds nothing.
 */
type Outcome = 'refused' | 'found' | 'locked out' | 'set back' | 'sound';

async function outcomeOf(dataDir: string, sound: Sound): Promise<Outcome> {
  let service: TestService;
  try {
    service = await TestService.start({ dataDir, epochMaxLeaves: EPOCH });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    expect(error.message).toMatch(/\S/);
    return 'refused';
  }
  try {
    return await outcomeOfRunning(service, sound);
  } finally {
    // Sealing may fail on what is damaged; the folder is left all the same.
    await service.stop().catch(() => undefined);
  }
}

async function outcomeOfRunning(service: TestService, { owner, records, receipts, signer }: Sound): Promise<Outcome> {
  const account = { ...owner, client: service.client(owner.client.token) };
  const { client } = account;
  const begun = await client.call('verifyLedger');
  if ([401, 403].includes(begun.status)) return 'locked out';
  // The envelope of an error, which send has seen to.
  if (begun.status !== 202) return 'found';
  const state = await verification(client);
  if (state.valid !== true) return 'found';
  if (state.records_checked < receipts.length) {
    // What is left is sound. That something is missing shows by what others hold.
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    const named = [{ name: 'receipts', source: () => [utf8(text)] }];
    expect(await verifyWith(service.kid, await bundleOf(account), named)).toMatchObject({ verdict: 'failed' });
    return 'set back';
  }
  // Green: then every receipt is there, and everything is answered as ever.
  for (const [index, record] of records.entries()) {
    const { operation_id, nonce } = record;
    const found = await client.ok('getOperation', { params: { operation_id } });
    expect(found).toMatchObject({ ear: receipts[index], eor: record });
    expect(found.epoch?.inclusion).not.toBeNull();
    const again = await client.call('submitOperation', { body: record });
    expect(again).toMatchObject({ status: 200, body: receipts[index] });
    for (const used of [{ nonce }, { operation_id }]) {
      expectError(await client.call('submitOperation', { body: signer.record(used) }), 'REPLAY_DETECTED');
    }
  }
  const next = await client.ok('submitOperation', { body: signer.record() });
  expect(next.seq_no).toBe(receipts.length + 1);
  return 'sound';
}

/** Starts, verifies the whole ledger, which is sound, and stops. */
async function verifyOnce(dataDir: string, { owner }: Sound): Promise<void> {
  const service = await TestService.start({ dataDir, epochMaxLeaves: EPOCH });
  expect(await verification(service.client(owner.client.token))).toMatchObject({ valid: true });
  await service.stop();
}

async function verification(client: Client) {
  await client.ok('verifyLedger');
  return until('the verification', async () => {
    const asked = await client.ok('ledgerVerification');
    return asked.status !== 'running' && asked;
  });
}

/** Places all over a file, one in each of so many equal parts. */
function offsetsIn({ dataDir }: Sound, file: string, count: number, random: SeededRandom): number[] {
  const { size } = statSync(join(dataDir, file));
  return Array.from({ length: count }, (_, part) => Math.floor(((part + random.next()) / count) * size));
}

describe.each<[string, string, Sound, number, readonly Outcome[]]>([
  ['the ledger', 'ledger.sqlite', stopped, 24, ['refused', 'found', 'locked out', 'sound']],
  ["the ledger's log", 'ledger.sqlite-wal', crashed, 10, ['refused', 'found', 'locked out', 'set back', 'sound']],
  ['the index', 'index.sqlite', stopped, 16, ['sound']],
  ["the index's log", 'index.sqlite-wal', crashed, 6, ['sound']],
  ['the heads', 'heads.json', stopped, 6, ['refused']],
  ['the service key', 'service-key.json', stopped, 6, ['refused', 'sound']],
  ['the sealing key', 'sealing-key.json', stopped, 3, ['sound']],
])('%s, with bytes turned over at random places', (_, file, sound, count, allowed) => {
  const seed = seedOf(7_2026);
  const random = new SeededRandom(seed);
  /** A damage that no structure gives away is found by a verification, and gone after the next start. */
  const heals = file.startsWith('index');

  it.each(offsetsIn(sound, file, share(count), random))(`at %i (seed ${seed}): never a wrong green`, async (offset) => {
    const dataDir = flipped(sound, file, offset, random);
    if (heals) await verifyOnce(dataDir, sound);
    const outcome = await outcomeOf(dataDir, sound);
    expect(allowed).toContain(outcome);
  });
});

describe('an index that lacks a record and does not look it', () => {
  const lacking = (table: 'names' | 'agents'): string => {
    const dataDir = join(folder, `data-${folders++}`);
    cpSync(stopped.dataDir, dataDir, { recursive: true });
    const index = new Database(join(dataDir, 'index.sqlite'));
    expect(index.prepare(`DELETE FROM ${table} WHERE seq_no = 17`).run().changes).toBeGreaterThan(0);
    index.close();
    return dataDir;
  };
  const record = () => stopped.records[16];

  it('by its names, is found out by the verification of the whole ledger, and rebuilt by the next start', async () => {
    const params = { operation_id: record()?.operation_id ?? '' };
    const service = await TestService.start({ dataDir: lacking('names'), epochMaxLeaves: EPOCH });
    const client = service.client(stopped.owner.client.token);
    expectError(await client.call('getOperation', { params }), 'NOT_FOUND');
    // The ledger itself has nothing wrong.
    expect(await verification(client)).toMatchObject({ valid: true });
    await service.restart();
    const again = service.client(stopped.owner.client.token);
    expect((await again.ok('getOperation', { params })).ear).toEqual(stopped.receipts[16]);
    const used = stopped.signer.record({ nonce: record()?.nonce ?? '' });
    expectError(await again.call('submitOperation', { body: used }), 'REPLAY_DETECTED');
  });

  it('by its agent, likewise', async () => {
    const service = await TestService.start({ dataDir: lacking('agents'), epochMaxLeaves: EPOCH });
    const client = service.client(stopped.owner.client.token);
    const asked = { params: { agent_id: record()?.agent_id ?? '' }, query: { limit: '200' } };
    const found = async (by: typeof client) => (await by.ok('agentOperations', asked)).data.map(({ seq_no }) => seq_no);
    expect(await found(client)).not.toContain(17);
    expect(await verification(client)).toMatchObject({ valid: true });
    await service.restart();
    expect(await found(service.client(stopped.owner.client.token))).toContain(17);
  });
});
