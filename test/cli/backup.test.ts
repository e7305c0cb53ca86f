import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS, serve } from '../support/processes.ts';
import { bundleOf, registerAgent, signInAt, submitNext, TestService, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let paths = 0;
const newPath = (ending = ''): string => join(folder, `path-${paths++}${ending}`);

/** A ledger whose file is so large that a copy of it takes its time, in a row that no submission writes again. */
const made = await TestService.start();
const owner = await made.signUp();
const large = await made.signUp();
const signers = await Promise.all(['a', 'b', 'c'].map((name) => registerAgent(owner, name)));
for (const signer of signers) await submitNext(owner, signer);
const { dataDir, kid } = made;
await made.stop();
made.sql.prepare('UPDATE organizations SET description = hex(zeroblob(40000000)) WHERE org_id = ?').run(large.orgId);
await made.stop();

const filesIn = (path: string): string[] => readdirSync(path).toSorted();

describe('backup', { timeout: 2 * PATIENCE_MS }, () => {
  it('holds every record answered before it began, of a service that keeps running; the restored ledger continues too', async () => {
    const service = serve(dataDir, '--epoch-max-leaves', '50', '--log-level', 'silent');
    const client = new Client(await service.listening(), owner.client.token);
    const receipts: Receipt[] = [];
    let stop = false;
    const sending = signers.map(async (signer) => {
      while (!stop) receipts.push(await client.ok('submitOperation', { body: signer.next() }));
    });
    await until('some receipts', () => receipts.length >= 100);
    const [before, to] = [[...receipts], newPath()];
    const { code, stdout, stderr } = await new CommandProcess(['backup', '--data-dir', dataDir, to]).ended;
    const during = receipts.length - before.length;
    stop = true;
    await Promise.all(sending);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('secret keys');
    expect(stdout.replaceAll(' ', '')).toContain(kid);
    expect(during).toBeGreaterThan(0);
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });

    expect(await run('backup', '--verify', to, '--trust', kid)).toMatchObject({ code: 0, stderr: '' });
    expect(filesIn(to)).toEqual(['backup.json', 'ledger.sqlite', 'sealing-key.json', 'service-key.json']);
    const database = new Database(join(to, 'ledger.sqlite'), { readonly: true });
    const held = database.prepare('SELECT receipt_id FROM operations').pluck().all();
    database.close();
    for (const { receipt_id } of before) expect(held).toContain(receipt_id);
    expect(held.length).toBeLessThan(receipts.length + 3);

    const restored = newPath();
    expect(await run('restore', to, '--data-dir', restored)).toMatchObject({ code: 0, stderr: '' });
    const again = serve(restored, '--log-level', 'silent');
    const same = await signInAt(await again.listening(), owner);
    for (const signer of signers) {
      const params = { agent_id: signer.agentId };
      signer.head = (await same.client.ok('agentHead', { params })).chain_hash;
      expect((await submitNext(same, signer)).seq_no).toBeGreaterThan(before.length);
    }
    const report = await verifyWith(kid, await bundleOf(same));
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: held.length + 3 } });
    expect(await again.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it.each(['', '.sqlite'])('that is killed leaves nothing that looks whole: "%s"', async (ending) => {
    const to = newPath(ending);
    const making = new CommandProcess(['backup', '--data-dir', dataDir, to]);
    await until('the copy to begin', () => existsSync(`${to}.part`));
    expect(await making.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    expect([to, `${to}.json`].map((path) => existsSync(path))).toEqual([false, false]);
    expect(await run('backup', '--verify', `${to}.part`)).toMatchObject({ code: 2 });
    const { code, stderr } = await run('backup', '--data-dir', dataDir, to);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${to}.part`) });
    rmSync(`${to}.part`, { recursive: true });
    expect(await run('backup', '--data-dir', dataDir, to)).toMatchObject({ code: 0 });
    expect(await run('backup', '--verify', to)).toMatchObject({ code: 0 });
  });

  it('restore, killed, leaves no data folder', async () => {
    const [to, restored] = [newPath(), newPath()];
    await run('backup', '--data-dir', dataDir, to);
    const making = new CommandProcess(['restore', to, '--data-dir', restored]);
    await until('the copy to begin', () => existsSync(`${restored}.part`));
    await making.kill('SIGKILL');
    expect(existsSync(restored)).toBe(false);
  });
});

describe('what the commands say', () => {
  const sound = newPath();

  it('a backup without keys: that they must be kept, and at the restore that they are missing', async () => {
    const { code, stdout } = await run('backup', '--data-dir', dataDir, '--without-keys', sound);
    expect(code).toBe(0);
    expect(stdout).toContain('keep service-key.json');
    const restored = await run('restore', sound, '--data-dir', newPath());
    expect(restored.code).toBe(0);
    expect(restored.stdout).toContain('service-key.json');
  });

  it('verified: 0; damaged or not of the trusted key: 1; no backup: 2; not signed: 3', async () => {
    expect(await run('backup', '--verify', sound)).toMatchObject({ code: 0, stderr: '' });
    const stranger = await run('backup', '--verify', sound, '--trust', 'A'.repeat(43));
    expect(stranger).toMatchObject({ code: 1, stderr: '' });
    const damaged = newPath();
    cpSync(sound, damaged, { recursive: true });
    writeFileSync(join(damaged, 'ledger.sqlite'), 'x');
    const answer = await run('backup', '--verify', damaged);
    expect(answer).toMatchObject({ code: 1, stderr: '' });
    expect(answer.stdout).toContain('sha256:');
    expect(await run('backup', '--verify', folder)).toMatchObject({ code: 2, stdout: '' });
    const keyless = newPath();
    cpSync(sound, keyless, { recursive: true });
    const unsigned = newPath();
    expect((await run('backup', '--data-dir', keyless, unsigned)).stdout).toContain('not signed');
    expect(await run('backup', '--verify', unsigned)).toMatchObject({ code: 3 });
  });

  it('a ledger that was set back: a sentence, exit code 2', { timeout: PATIENCE_MS }, async () => {
    const newer = newPath();
    cpSync(dataDir, newer, { recursive: true });
    const service = await TestService.start({ dataDir: newer });
    await service
      .client(owner.client.token)
      .ok('registerAgent', { body: { ...signers[0]?.registration, agent_id: 'd' } });
    await service.stop();
    cpSync(join(sound, 'ledger.sqlite'), join(newer, 'ledger.sqlite'));
    const { code, stdout, stderr } = await serve(newer).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign serve: [^\n]+--accept-rollback [0-9a-f]{16}[^\n]+\n$/);
    expect(stderr).toContain('admin event');
  });
});
