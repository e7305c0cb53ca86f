import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import { utf8 } from '../../src/protocol/index.ts';
import { importCase, settled, uploadOf } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { refusedStart } from '../support/refused-start.ts';
import { type Account, ALWAYS, bundleOf, registerAgent, TestService, verifyWith } from '../support/service.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const MEBIBYTES = 8;
const LARGE = { text: 'x'.repeat(20_000) };
const STILL_FREE = 600_000;

async function serviceOn(disk: SmallDisk, epochMaxLeaves = 7): Promise<{ service: TestService; owner: Account }> {
  const service = await TestService.start({ dataDir: join(disk.folder, 'data'), epochMaxLeaves });
  return { service, owner: await service.signUp() };
}

async function expectVerified(service: TestService, owner: Account, receipts: readonly Receipt[]): Promise<void> {
  const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  const bundle = await bundleOf(owner);
  const report = await verifyWith(service.kid, bundle, [{ name: 'receipts', source: () => [utf8(text)] }]);
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
}

describe.skipIf(!canMount())('a disk that is full (needs a separate tmpfs, so root)', () => {
  it('says so of a backup, leaves nothing of it, and makes one once there is room', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const service = await TestService.start({ backupDir: join(disk.folder, 'backups') });
    const { client } = await service.signUp();
    const ended = () =>
      until('the job', async () => {
        const { job } = await client.ok('listBackups');
        return job !== null && job.status !== 'running' && job;
      });
    const pages = service.sql.pragma('page_count', { simple: true }) as number;
    // Not enough for the database, or enough for it and for nothing beside it: said before anything is copied.
    for (const left of [0, pages * 4096 + 8192]) {
      disk.fill(left);
      await client.ok('createBackup');
      const job = await ended();
      expect(job.status).toBe('failed');
      expect(job.failure).toMatch(/full/);
      expect((await client.ok('listBackups')).backups).toEqual([]);
      expect(readdirSync(join(disk.folder, 'backups'))).toEqual([]);
      disk.clear();
    }
    await client.ok('createBackup');
    expect((await ended()).status).toBe('completed');
  });

  it('refuses what it cannot keep, and continues once there is room: while records are sent', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const { service, owner } = await serviceOn(disk);
    const signer = await registerAgent(owner, 'agent');
    const receipts: Receipt[] = [];
    for (let round = 0; round < 3; round++) {
      disk.fill(STILL_FREE);
      let refused: SubmittedRecord | null = null;
      while (refused === null) {
        const record = signer.next({ payload: LARGE });
        const answer = await owner.client.call('submitOperation', { body: record });
        if (answer.status === 201) receipts.push(answer.body);
        else {
          expectError(answer, 'STORAGE_FULL', 'disk');
          refused = record;
        }
      }
      // Reading goes on, and so do the answers that nothing fits.
      const [last] = receipts.slice(-1);
      const found = await owner.client.ok('getOperation', { params: { operation_id: last?.operation_id ?? '' } });
      expect(found.ear).toEqual(last);
      expectError(await owner.client.call('submitBatch', { body: { records: [refused, refused] } }), 'STORAGE_FULL');
      disk.clear();
      receipts.push(await owner.client.ok('submitOperation', { body: refused }));
    }
    await expectVerified(service, owner, receipts);
  });

  it('while the whole ledger is verified: its result is not kept, and it can be begun again', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const { owner } = await serviceOn(disk, 1);
    const signer = await registerAgent(owner, 'agent');
    // To the brim: neither a large record fits any more nor a small one.
    disk.fill();
    for (const payload of [LARGE, { n: 1 }]) {
      let head = signer.head;
      while ((await owner.client.call('submitOperation', { body: signer.next({ payload }) })).status === 201) {
        head = signer.head;
      }
      signer.head = head;
    }
    await owner.client.ok('verifyLedger');
    const state = () => owner.client.ok('ledgerVerification');
    await until('the verification to end', async () => (await state()).status !== 'running');
    expect((await state()).status).toBe('never');
    disk.clear();
    await owner.client.ok('verifyLedger');
    await until('the verification', async () => (await state()).status === 'completed');
    expect(await state()).toMatchObject({ valid: true });
  });

  it('at a stop: it says that it was no clean one, leaves the folder, and the next start seals', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const { service, owner } = await serviceOn(disk);
    const signer = await registerAgent(owner, 'agent');
    const receipts = [await owner.client.ok('submitOperation', { body: signer.next() })];
    disk.fill();
    while (receipts.length < 400) {
      const answer = await owner.client.call('submitOperation', { body: signer.next({ payload: LARGE }) });
      if (answer.status !== 201) break;
      receipts.push(answer.body);
    }
    await expect(service.stop()).rejects.toThrow('did not stop cleanly');
    disk.clear();
    await service.restart();
    await expectVerified(service, { ...owner, client: service.client(owner.client.token) }, receipts);
  });

  it('while an epoch is sealed: the record is answered, and the epoch sealed later', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const { service, owner } = await serviceOn(disk, 5);
    const signer = await registerAgent(owner, 'agent');
    const receipts: Receipt[] = [];
    // At one of these the record fits into what is free, and its epoch does not.
    for (let round = 0; round < 24; round++) {
      for (let n = 0; n < 4; n++) receipts.push(await owner.client.ok('submitOperation', { body: signer.next() }));
      disk.fill(round * 4096);
      const record = signer.next();
      const answer = await owner.client.call('submitOperation', { body: record });
      if (answer.status !== 201) expectError(answer, 'STORAGE_FULL');
      const closing = await owner.client.call('closeEpoch', { body: {} });
      if (closing.status === 507) expectError(closing, 'STORAGE_FULL');
      disk.clear();
      const again = answer.status === 201 ? answer : await owner.client.call('submitOperation', { body: record });
      expect([200, 201]).toContain(again.status);
      receipts.push(again.body as Receipt);
    }
    await expectVerified(service, owner, receipts);
  });

  it('while an export is written: the job fails, nothing of it stays, and the next one succeeds', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const { service, owner } = await serviceOn(disk);
    const signer = await registerAgent(owner, 'agent');
    const receipts: Receipt[] = [];
    for (let n = 0; n < 40; n++) {
      receipts.push(await owner.client.ok('submitOperation', { body: signer.next({ payload: LARGE }) }));
    }
    // Room for the job itself, and not for its file.
    disk.fill(400_000);
    const { exportId } = await owner.client.ok('createExport', { body: ALWAYS });
    const status = await until('the export', async () => {
      const job = await owner.client.ok('getExport', { params: { export_id: exportId } });
      return job.status !== 'processing' && job.status;
    });
    expect(status).toBe('failed');
    expect(readdirSync(join(service.dataDir, 'exports'))).toEqual([]);
    disk.clear();
    await expectVerified(service, owner, receipts);
  });

  it('while a case is imported: it says so, nothing of its index stays, and the next one succeeds', async () => {
    // An upload leaves 256 MiB free.
    const disk = new SmallDisk(320);
    const { service, owner } = await serviceOn(disk);
    const signer = await registerAgent(owner, 'agent');
    for (let n = 0; n < 40; n++) await owner.client.ok('submitOperation', { body: signer.next({ payload: LARGE }) });
    const file = { name: 'bundle', bytes: await bundleOf(owner) };
    const { upload_id } = await uploadOf(owner.client, file);
    // Room for the case itself, and not for what is found in it.
    disk.fill(400_000);
    const { case_id } = await owner.client.ok('createCase', { body: { upload_id } });
    const { state, failure } = await settled(owner.client, case_id);
    expect([state, failure?.code]).toEqual(['failed', 'STORAGE_FULL']);
    expect(readdirSync(join(service.dataDir, 'cases', case_id))).not.toContain('index.new');
    disk.clear();
    expect(await importCase(owner.client, file)).toMatchObject({ state: 'ready' });
  });

  it('at a start: a sentence, and the same folder starts once there is room', async () => {
    const disk = new SmallDisk(MEBIBYTES);
    const dataDir = join(disk.folder, 'data');
    for (const left of [0, 4096, 8192, 40_960, 81_920, 163_840]) {
      disk.fill(left);
      const refused = await refusedStart({ dataDir });
      if (refused !== undefined) expect(refused, `${left} bytes`).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
      if (left === 0) expect(refused).toBeDefined();
      disk.clear();
    }
    const { service, owner } = await serviceOn(disk);
    const signer = await registerAgent(owner, 'agent');
    const receipts = [await owner.client.ok('submitOperation', { body: signer.next() })];
    await service.stop();
    disk.fill();
    const refused = await refusedStart({ dataDir });
    if (refused !== undefined) expect(refused).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
    disk.clear();
    await service.restart();
    await expectVerified(service, { ...owner, client: service.client(owner.client.token) }, receipts);
  });
});
