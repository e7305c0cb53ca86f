// docs/shared-log.md, Erasure and the database: what its operator does so that no file of either server holds the sealed entry with an erased payload any more.
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { keysOf } from '../../src/service/shared/open-log.ts';
import { PostgresLog } from '../../src/service/shared/postgres-log.ts';
import { atEnd } from '../support/cleanup.ts';
import { filesWith } from '../support/folders.ts';
import { postgresPair } from '../support/postgres.ts';
import { registerAgent, submitNext } from '../support/service.ts';
import { TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

it('leaves a payload in no file of the servers, and its sealed entry in none once the table is written again', async () => {
  const words = `persimmon ${randomUUID()}`;
  const database = await postgresPair();
  const { primary, standby } = database;
  const folder = dirname(primary.folder);
  const pair = await TestPair.start({}, { log: database.url });
  const owner = pair.ownerAt(pair.active);
  const signer = await registerAgent(owner, 'agent-1');
  const { operation_id } = await submitNext(owner, signer, { payload: { fruit: words } });
  await pair.areEqual();

  const { seal } = await keysOf(pair.folders.a, null, null);
  const log = new PostgresLog(database.url, 10_000);
  atEnd(() => log.close());
  const newest = await log.newest();
  const { entries } = await log.read({ no: 0, id: '' }, newest?.no ?? 0);
  const [entry] = entries.filter((one) => JSON.stringify(seal.opened(one)).includes(words));
  // Larger ones are kept in pieces.
  const sealed = Buffer.from(entry?.sealed.subarray(100, 200) ?? []);
  await owner.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'for the test' } });
  await pair.areEqual();
  primary.query("UPDATE countersign_log SET at = at - interval '2 days'");
  await log.cut((await log.newest())?.no ?? 0);
  expect(primary.query(`SELECT no FROM countersign_log WHERE no = ${entry?.no}`)).toEqual([]);
  expect(filesWith(sealed, folder)).not.toEqual([]);
  expect(filesWith(words, folder)).toEqual([]);

  for (const server of [primary, standby]) {
    server.query('ALTER SYSTEM SET wal_recycle = off');
    server.query('SELECT pg_reload_conf()');
  }
  primary.query('VACUUM FULL countersign_log');
  await until('no file to have it', () => {
    primary.query('SELECT pg_switch_wal()');
    for (const server of [primary, standby]) server.query('CHECKPOINT');
    return filesWith(sealed, folder).length === 0;
  });
  // And the ledger goes on: the node that was active stays so unless the database kept it waiting.
  const body = signer.next();
  const receipt = await until('a node to take a record', async () => {
    const node = [pair.active, pair.standby].find(({ state }) => state === 'active');
    if (node === undefined) return undefined;
    const answer = await pair
      .ownerAt(node)
      .client.call('submitOperation', { body })
      .catch(() => undefined);
    return answer !== undefined && [200, 201].includes(answer.status) && answer.body;
  });
  expect(receipt.seq_no).toBe(2);
}, 300_000);
