import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  fromBase64Url,
  merkleRoot,
  parseTime,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { type Client, expectError } from '../support/client.ts';
import { type Account, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

async function allEpochs(client: Client): Promise<Epoch[]> {
  const { data } = await client.ok('listEpochs', { query: { limit: '200' } });
  const epochs = await Promise.all(data.map(({ epoch_id }) => client.ok('getEpoch', { params: { epoch_id } })));
  return epochs.reverse();
}

/** Checks epochs from the first on against all receipts: protocol F70, sentence by sentence. */
async function expectSound(client: Client, epochs: readonly Epoch[], receipts: readonly Receipt[]): Promise<void> {
  const { keys } = await client.ok('jwks');
  const publicKey = fromBase64Url(keys[0]?.x ?? '', 32);
  const bySeqNo = new Map(receipts.map((receipt) => [receipt.seq_no, receipt]));
  let previous: Epoch | null = null;
  const log: Uint8Array[] = [];
  for (const epoch of epochs) {
    const run: Receipt[] = [];
    for (let seqNo = epoch.first_seq_no; seqNo <= epoch.last_seq_no; seqNo++) {
      const receipt = bySeqNo.get(seqNo);
      if (receipt === undefined)
        throw new Error(`epoch ${epoch.epoch_no} covers ${seqNo}, for which nobody has a receipt`);
      run.push(receipt);
    }
    const leaves = run.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt), nodeCrypto.sha256));
    log.push(...leaves);
    expect(epoch).toMatchObject({
      epoch_no: (previous?.epoch_no ?? 0) + 1,
      first_seq_no: (previous?.last_seq_no ?? 0) + 1,
      leaf_count: run.length,
      root_hash: formatDigest(merkleRoot(leaves)),
      log_root: formatDigest(merkleRoot(log)),
      hash_alg: 'SHA-256',
      prev_epoch_hash: previous === null ? null : epochHash(epochSignedBytes(previous)),
      start_time: run[0]?.server_received_at,
    });
    expect(run.length).toBeGreaterThan(0);
    expect(parseTime(epoch.end_time)).toBeGreaterThanOrEqual(parseTime(run.at(-1)?.server_received_at ?? ''));
    expect(parseTime(epoch.end_time)).toBeGreaterThanOrEqual(parseTime(previous?.end_time ?? epoch.end_time));
    const message = epochSignedBytes(epoch);
    const signature = fromBase64Url(epoch.signature_by_service, 64);
    expect(verifyEd25519({ publicKey, message, signature })).toBe(true);
    previous = epoch;
  }
}

async function submitMany(account: Account, signers: readonly Signer[], each: number): Promise<Receipt[]> {
  const receipts = await Promise.all(
    signers.map(async (signer) => {
      const own: Receipt[] = [];
      for (let n = 0; n < each; n++) own.push(await submitNext(account, signer));
      return own;
    }),
  );
  return receipts.flat();
}

describe('an epoch closes', () => {
  it('an interval after its first record, by itself', async () => {
    const service = await TestService.start({ epochIntervalSeconds: 0.2 });
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const receipts: Receipt[] = [];
    for (let round = 1; round <= 2; round++) {
      receipts.push(await submitNext(owner, signer), await submitNext(owner, signer));
      const sealed = await until('the timer', async () => {
        const epochs = await allEpochs(owner.client);
        return epochs.at(-1)?.last_seq_no === receipts.length && epochs;
      });
      await expectSound(owner.client, sealed, receipts);
      const [first] = sealed;
      // A timer may be a moment early by the clock.
      expect(parseTime(first?.end_time ?? '') - parseTime(first?.start_time ?? '')).toBeGreaterThanOrEqual(190);
    }
    // Empty epochs do not exist: the admin log goes on, the ledger does not.
    const count = (await allEpochs(owner.client)).length;
    await registerAgent(owner);
    await exportOf(owner);
    expect((await allEpochs(owner.client)).length).toBe(count);
  });

  it('at the largest number of leaves, and at no other, also under concurrent load', async () => {
    const service = await TestService.start({ epochMaxLeaves: 7 });
    const owner = await service.signUp();
    const signers = await Promise.all(Array.from({ length: 12 }, () => registerAgent(owner)));
    const receipts = await submitMany(owner, signers, 6);
    const epochs = await allEpochs(owner.client);
    expect(epochs.map(({ leaf_count }) => leaf_count)).toEqual(Array(Math.floor(72 / 7)).fill(7));
    await expectSound(owner.client, epochs, receipts);
    await exportOf(owner);
    const last = (await allEpochs(owner.client)).at(-1);
    expect(last).toMatchObject({ first_seq_no: 71, last_seq_no: 72, leaf_count: 2 });
  });

  it('of one leaf each where the setting says so', async () => {
    const service = await TestService.start({ epochMaxLeaves: 1 });
    const owner = await service.signUp();
    const receipts = await submitMany(owner, [await registerAgent(owner), await registerAgent(owner)], 3);
    const epochs = await allEpochs(owner.client);
    expect(epochs.map(({ leaf_count }) => leaf_count)).toEqual(Array(6).fill(1));
    await expectSound(owner.client, epochs, receipts);
  });

  it('of one organization apart from those of others', async () => {
    const service = await TestService.start({ epochMaxLeaves: 3 });
    const accounts = [await service.signUp('one'), await service.signUp('two')];
    const made = await Promise.all(
      accounts.map(async (account) => submitMany(account, [await registerAgent(account, 'same')], 7)),
    );
    for (const [index, account] of accounts.entries()) {
      const epochs = await allEpochs(account.client);
      expect(epochs.map(({ org_id, leaf_count }) => [org_id, leaf_count])).toEqual(Array(2).fill([account.orgId, 3]));
      await expectSound(account.client, epochs, made[index] ?? []);
    }
  });
});

describe('a stop and a start', () => {
  it('seals at the stop what is open, and continues where the chain ended', async () => {
    const service = await TestService.start({ epochMaxLeaves: 4 });
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const receipts = await submitMany(owner, [signer], 5);
    const { token } = owner.client;
    for (let round = 0; round < 2; round++) {
      await service.restart();
      const account = { ...owner, client: service.client(token) };
      expect((await allEpochs(account.client)).at(-1)?.last_seq_no).toBe(receipts.length);
      receipts.push(...(await submitMany(account, [signer], 3)));
    }
    await service.restart();
    const epochs = await allEpochs(service.client(token));
    expect(epochs.map(({ leaf_count }) => leaf_count)).toEqual([4, 1, 3, 3]);
    await expectSound(service.client(token), epochs, receipts);
  });

  it('restores an epoch that a crash left open, and seals it in its time', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const receipts = await submitMany(owner, [await registerAgent(owner)], 5);
    await service.stop();
    // As after a crash: the records are there, the epoch that the stop made is not, nor the heads that tell of it.
    service.sql.exec('DROP TRIGGER epochs_keep_rows; DELETE FROM epochs;');
    rmSync(join(service.dataDir, 'heads.json'));
    await service.restart({ epochIntervalSeconds: 0.01, epochMaxLeaves: 3 });
    const client = service.client(owner.client.token);
    const epochs = await until('the timer', async () => {
      const found = await allEpochs(client);
      return found.at(-1)?.last_seq_no === 5 && found;
    });
    // In one epoch, though it may hold fewer by now: a second one would begin before the end of the first.
    expect(epochs.map(({ leaf_count }) => leaf_count)).toEqual([5]);
    await expectSound(client, epochs, receipts);
  });
});

describe('GET /v1/epochs', async () => {
  const service = await TestService.start({ epochMaxLeaves: 1 });
  const owner = await service.signUp();
  const ROW = [
    'end_time',
    'epoch_id',
    'epoch_no',
    'first_seq_no',
    'hash_alg',
    'last_seq_no',
    'leaf_count',
    'root_hash',
    'start_time',
  ];

  it('is empty at first', async () => {
    expect(await owner.client.ok('listEpochs')).toEqual({ data: [], nextCursor: null, hasMore: false });
    await submitMany(owner, [await registerAgent(owner)], 53);
  });

  it('lists 50 unless told otherwise, newest first, without what only Get Epoch shows', async () => {
    const { data, nextCursor, hasMore } = await owner.client.ok('listEpochs');
    expect(data.map(({ epoch_no }) => epoch_no)).toEqual(Array.from({ length: 50 }, (_, index) => 53 - index));
    expect(hasMore).toBe(true);
    expect(nextCursor).toEqual(expect.any(String));
    for (const row of data) {
      expect(Object.keys(row)).toEqual(expect.arrayContaining(ROW));
      expect(row).not.toHaveProperty('org_id');
      expect(row).not.toHaveProperty('signature_by_service');
    }
  });

  it.each([1, 7, 52, 53, 54, 200])('can be read in pages of %i, each epoch once', async (limit) => {
    const seen: number[] = [];
    let query: Record<string, string> = { limit: String(limit) };
    for (;;) {
      const { data, nextCursor, hasMore } = await owner.client.ok('listEpochs', { query });
      expect(hasMore).toBe(nextCursor !== null);
      expect(data.length).toBe(Math.min(limit, 53 - seen.length));
      seen.push(...data.map(({ epoch_no }) => epoch_no));
      expect(hasMore).toBe(seen.length < 53);
      if (nextCursor === null) break;
      query = { limit: String(limit), cursor: nextCursor };
    }
    expect(seen).toEqual(Array.from({ length: 53 }, (_, index) => 53 - index));
  });

  it('keeps its place while epochs are added', async () => {
    const { nextCursor } = await owner.client.ok('listEpochs', { query: { limit: '2' } });
    await submitMany(owner, [await registerAgent(owner)], 2);
    const { data } = await owner.client.ok('listEpochs', { query: { limit: '2', cursor: nextCursor ?? '' } });
    expect(data.map(({ epoch_no }) => epoch_no)).toEqual([51, 50]);
  });

  it.each(['0', '201', '-1', '1.5', '', 'ten', '1e1', '٣', ' 5'])('refuses the limit "%s"', async (limit) => {
    expectError(await owner.client.call('listEpochs', { query: { limit } }), 'VALIDATION_ERROR', 'limit');
  });

  it('refuses a limit that is given twice', async () => {
    expectError(await owner.client.send({ path: '/v1/epochs?limit=1&limit=2' }), 'VALIDATION_ERROR', 'limit');
  });

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    '',
    'nonsense',
    '💥',
    encode('1'),
    encode(0),
    encode(-1),
    encode(1.5),
    encode(null),
    encode({ epoch_no: 1 }),
    encode(1e300),
    'x'.repeat(513),
  ])('refuses the cursor "%s"', async (cursor) => {
    expectError(await owner.client.call('listEpochs', { query: { cursor } }), 'VALIDATION_ERROR', 'cursor');
  });

  it('refuses the cursor of another list', async () => {
    for (let n = 0; n < 2; n++) await exportOf(owner);
    const { nextCursor } = await owner.client.ok('listExports', { query: { limit: '1' } });
    const query = { cursor: nextCursor ?? '' };
    expectError(await owner.client.call('listEpochs', { query }), 'VALIDATION_ERROR', 'cursor');
  });

  it('refuses an unknown parameter', async () => {
    expectError(await owner.client.call('listEpochs', { query: { page: '1' } }), 'VALIDATION_ERROR', 'page');
  });
});

describe('GET /v1/epochs/:epoch_id', async () => {
  const service = await TestService.start({ epochMaxLeaves: 1 });
  const owner = await service.signUp();

  it('shows an epoch whole, with the administrative log as it was', async () => {
    await submitNext(owner, await registerAgent(owner));
    const adminHead = service.sql.prepare('SELECT event_hash FROM admin_events ORDER BY event_no DESC').pluck().get();
    await registerAgent(owner);
    const [row] = (await owner.client.ok('listEpochs')).data;
    const epoch = await owner.client.ok('getEpoch', { params: { epoch_id: row?.epoch_id ?? '' } });
    expect(epoch).toEqual({
      ...row,
      org_id: owner.orgId,
      admin_head_hash: adminHead,
      signature_by_service: expect.any(String),
    });
  });

  it.each(['1', '00000000-0000-4000-8000-000000000000', '%'])('does not know %s', async (epoch_id) => {
    expectError(await owner.client.call('getEpoch', { params: { epoch_id } }), 'NOT_FOUND');
  });
});
