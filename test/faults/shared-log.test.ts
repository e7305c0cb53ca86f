// docs/shared-log.md: one ledger on several nodes. What is kept in the log is on every node; what is not has left none.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { writeBackup } from '../../src/service/operator/backup/write-backup.ts';
import { beginLog, endLog, joinLog } from '../../src/service/shared/membership.ts';
import { markOf } from '../../src/service/shared/row-images.ts';
import { rowsOf } from '../support/captured-changes.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';
import { TestNode } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

const placeOf = (dataDir: string): number => {
  const sqlite = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true });
  try {
    return markOf(sqlite)?.no ?? 0;
  } finally {
    sqlite.close();
  }
};

it('is carried on by another node when the active one leaves, and nothing is missing', async () => {
  const root = temporaryFolder();
  const [a, b, log] = ['a', 'b', 'log'].map((name) => join(root, name)) as [string, string, string];
  const service = await TestService.start({ dataDir: a });
  const owner = await service.signUp();
  await service.stop();
  await beginLog({ log, dataDir: a, passphraseFile: null });
  await writeBackup({ dataDir: a, to: join(root, 'backup'), withoutKeys: false, now: Date.now });
  await joinLog({ log, dataDir: b, passphraseFile: null }, join(root, 'backup'), []);
  await expect(startService({ dataDir: a, port: 0, logLevel: 'silent' })).rejects.toMatchObject({
    code: 'LEDGER_SHARED',
  });

  const first = await new TestNode('a', log, a).becomes('active');
  const second = await new TestNode('b', log, b).becomes('standby');
  const made = await first.client(owner.client.token).ok('createToken', { body: { ttl_seconds: 3600, name: 'one' } });
  expect(made).toBeDefined();
  await until('the standby to have it', () => placeOf(b) === placeOf(a));
  expect((await second.client(owner.client.token).call('listTokens')).status).toBe(503);
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
