// docs/shared-log.md, What it rests on: a node that has no clear answer drops the connection with no word to the server, which must not run full of them.
import { expect, it } from 'vitest';
import { PostgresLog } from '../../src/service/shared/postgres-log.ts';
import { begin, ledger, NOTHING, SEAL } from '../support/log-ledger.ts';
import { postgresPair } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const CONNECTED = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'countersign'";

it('leaves one connection behind, however often nodes try while a commit waits for the standby of the database', async () => {
  const pair = await postgresPair();
  const log = new PostgresLog(pair.url);
  const { id: prev } = await begin(log, [ledger()]);
  await log.close();
  await until('no connection', () => pair.primary.query(CONNECTED)[0] === '0');
  pair.standby.stop('fast');
  for (let attempt = 0; attempt < 5; attempt++) {
    const node = new PostgresLog(pair.url);
    const entry = SEAL.sealed({ no: 2, prev, kept: 1, schema: 1, kind: 'term' }, NOTHING);
    await expect(node.append(entry)).rejects.toMatchObject({ name: 'LogDoubt' });
    await node.close();
  }
  // The first, whose place is taken once the standby is back.
  await until('one connection', () => pair.primary.query(CONNECTED)[0] === '1');
});
