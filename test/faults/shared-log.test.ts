// docs/shared-log.md: one ledger on several nodes. What is kept in the log is on every node; what is not has left none.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { endLog } from '../../src/service/shared/membership.ts';
import { rowsOf } from '../support/captured-changes.ts';
import { TestService } from '../support/service.ts';
import { pairOfFolders, TestNode } from '../support/shared-nodes.ts';
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
