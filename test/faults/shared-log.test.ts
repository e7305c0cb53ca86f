// docs/shared-log.md: one ledger on several nodes. What is kept in the log is on every node; what is not has left none.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { writeBackup } from '../../src/service/operator/backup/write-backup.ts';
import { READ_BYTES } from '../../src/service/shared/commit-log.ts';
import { beginLog, endLog, joinLog } from '../../src/service/shared/membership.ts';
import { rowsOf } from '../support/captured-changes.ts';
import type { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import {
  type Account,
  bundleOf,
  exportOf,
  registerAgent,
  submitNext,
  TestService,
  verifyWith,
} from '../support/service.ts';
import { pairOfFolders, TestNode, TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

it('is carried on by another node when the active one leaves, and nothing is missing', async () => {
  const { a, b, log, owner } = await pairOfFolders();
  await expect(startService({ dataDir: a, port: 0, logLevel: 'silent' })).rejects.toMatchObject({
    code: 'LEDGER_SHARED',
  });

  const first = await new TestNode('a', log, a).becomes('active');
  const second = await new TestNode('b', log, b).becomes('standby');
  const made = await first.client(owner.client.token).ok('createToken', { body: { ttl_seconds: 3600, name: 'one' } });
  expect(made).toBeDefined();
  await until('the standby to have it', () => first.place === second.place);
  expect((await second.client().call('health')).status).toBe(503);
  await first.stop();
  await second.becomes('active');
  expect(await second.client(owner.client.token).ok('listTokens')).toBeDefined();
  await second.stop();
  const third = await new TestNode('a', log, a).becomes('active');
  await third.stop();
  const fourth = await new TestNode('b', log, b).becomes('active');
  await fourth.stop();
  await endLog({ log, dataDir: b, passphraseFile: null });
  const alone = await TestService.start({ dataDir: b });
  expect(await alone.client(owner.client.token).ok('listTokens')).toBeDefined();
  await alone.stop();
  expect(Object.keys(rowsOf(join(a, 'ledger.sqlite')))).toContain('shared_log');
}, 120_000);

it('keeps what arrives together in entries that an engine takes in time', async () => {
  const pair = await TestPair.start();
  const owner = pair.ownerAt(pair.active);
  const signer = await registerAgent(owner, 'agent-1');
  const records = Array.from({ length: 75 }, () =>
    signer.next({ payload: { text: randomBytes(150_000).toString('base64') } }),
  );
  const { results } = await owner.client.ok('submitBatch', { body: { records } });
  expect(results.map(({ status }) => status)).toEqual(records.map(() => 201));
  const { log } = pair.folders;
  const sizes = readdirSync(log).map((name) => statSync(join(log, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(2 * READ_BYTES);
  expect(Math.max(...sizes)).toBeLessThan(READ_BYTES);
  await pair.areEqual();
});

const recordsOf = (bundle: Buffer) => (JSON.parse(bundle.toString('utf8')) as { records: unknown[] }).records;

it('has the same evidence before, meanwhile and after, and no old copy continues', async () => {
  const root = temporaryFolder();
  const [a, b, log, backup] = ['a', 'b', 'log', 'backup'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  const before = await TestService.start({ dataDir: a });
  const { kid } = before;
  const account = await before.signUp();
  const at = (client: Client): Account => ({ ...account, client });
  const signer = await registerAgent(account, 'agent-1');
  await submitNext(account, signer);
  await submitNext(account, signer);
  const endTime = new Date(Date.now() + 1).toISOString();
  const early = { startTime: '2020-01-01T00:00:00.000Z', endTime };
  const params = { export_id: await exportOf(account, early) };
  const evidence = async (of: Account): Promise<Buffer> => (await of.client.call('downloadExport', { params })).bytes;
  const first = await evidence(account);
  await before.stop();

  await beginLog({ log, dataDir: a, passphraseFile: null });
  await writeBackup({ dataDir: a, to: backup, withoutKeys: false, now: Date.now });
  await joinLog({ log, dataDir: b, passphraseFile: null }, backup, []);
  let active = await new TestNode('a', log, a).becomes('active');
  const take = async (node: TestNode) => submitNext(at(node.client(account.client.token)), signer);
  await take(active);
  const standby = await new TestNode('b', log, b).becomes('standby');
  await active.stop();
  await take(await standby.becomes('active'));
  const atSecond = at(standby.client(account.client.token));
  // The file is on the node that made it.
  expect((await atSecond.client.call('downloadExport', { params })).status).toBe(409);
  expect(recordsOf(await bundleOf(atSecond, early))).toEqual(recordsOf(first));
  active = await new TestNode('a', log, a).becomes('standby');
  await standby.stop();
  await take(await active.becomes('active'));
  expect(await evidence(at(active.client(account.client.token)))).toEqual(first);
  await active.stop();
  await endLog({ log, dataDir: a, passphraseFile: null });

  const alone = await TestService.start({ dataDir: a });
  const owner = at(alone.client(account.client.token));
  await submitNext(owner, signer);
  expect(await evidence(owner)).toEqual(first);
  const whole = await bundleOf(owner);
  expect(await verifyWith(kid, whole)).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: 6 } });
  expect(recordsOf(whole).slice(0, 2)).toEqual(recordsOf(first));
  const old = new TestNode('b', log, b);
  await expect(old.ended).rejects.toMatchObject({ code: 'LOG_ENDED' });
  await alone.stop();
}, 120_000);
