// docs/shared-log.md, What it rests on: the counterexamples of test/states/shared-log.ts on a real pair of servers. Each is shown with its rule,
// and with a log that leaves the rule out: there it goes wrong, so that the rule is what prevents it.
import type Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PostgresPair } from '../../src/cli/shared/postgres-pair.ts';
import type { CommitLog, LogEntry, Place } from '../../src/service/shared/commit-log.ts';
import { PostgresLog } from '../../src/service/shared/postgres-log.ts';
import { atEnd } from '../support/cleanup.ts';
import { logCases } from '../support/log-cases.ts';
import {
  active,
  begin,
  committed,
  contentOf,
  follower,
  ledger,
  logWith,
  NOTHING,
  SEAL,
} from '../support/log-ledger.ts';
import { postgresPair } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const ADA = "INSERT INTO people VALUES (1, 'Ada', NULL)";
const BO = "INSERT INTO people VALUES (2, 'Bo', NULL)";
/** A busy machine answers late, and that is no doubt here: only R3 is about an answer that does not come. */
const ANSWER_MS = 10_000;
const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

const pair = await postgresPair();

describe('a shared log in PostgreSQL', () => {
  let databases = 0;
  const newLog = async (): Promise<PostgresLog> => {
    pair.primary.query(`CREATE DATABASE log${++databases}`);
    const log = new PostgresLog(pair.url.replace(/postgres$/, `log${databases}`), ANSWER_MS);
    atEnd(() => log.close());
    return log;
  };

  logCases(newLog);

  it('sends what was read before not again', async () => {
    const log = await newLog();
    const first = await begin(log, []);
    const [entry] = (await log.read(first, 1)).entries;
    expect((await log.read(first, 1)).entries[0]).toBe(entry);
  });
});

describe('without its rule a shared log goes wrong, and with it not', () => {
  let own: Database.Database;
  let other: Database.Database;
  let log: PostgresLog;
  let first: Place;

  beforeEach(async () => {
    pair.primary.query('DROP TABLE IF EXISTS countersign_log, countersign_beat, countersign_nodes');
    [own, other] = [ledger(), ledger()];
    log = new PostgresLog(pair.url, ANSWER_MS);
    first = await begin(log, [own, other]);
  });
  afterEach(() => log.close());

  const names = (sqlite: Database.Database): unknown =>
    contentOf(sqlite)[0]?.map((row) => (row as { name: string }).name);

  it('R1: a place is taken only upon its predecessor', async () => {
    const setBack = (): void => void pair.primary.query('DELETE FROM countersign_log WHERE no = 2');
    const keeping = active(log, first);
    await committed(keeping, own, ADA);
    setBack();
    await expect(committed(keeping, own, BO)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    expect(names(own)).toEqual(['Ada']);

    const [again] = [ledger()];
    const place = await freshLog(pair, log, again);
    const without = active(logWith(log, { append: (entry) => rawAppend(pair, entry, false) }), place);
    await committed(without, again, ADA);
    setBack();
    await committed(without, again, BO);
    // Its ledger, and every receipt from it, has what no other node will ever read.
    expect(names(again)).toEqual(['Ada', 'Bo']);
    expect(pair.primary.query('SELECT no FROM countersign_log ORDER BY no')).toEqual(['1', '3']);
    await without.leave();
  });

  it('R2: an answer with a notice does not count', async () => {
    const keeping = active(log, first);
    pair.standby.stop('fast');
    const refused = expect(committed(keeping, own, ADA)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    await cancelWaiting(pair);
    await refused;
    expect(names(own)).toEqual([]);
    pair.standby.start();

    const place = await freshLog(pair, log, other);
    const believing = { append: (entry: LogEntry) => rawAppend(pair, entry, true), beat: async () => true };
    const without = active(logWith(log, believing), place);
    pair.standby.stop('fast');
    const taken = committed(without, other, ADA);
    await cancelWaiting(pair);
    await taken;
    expect(names(other)).toEqual(['Ada']);
    await pair.failOver();
    // It gave a receipt for what the log does not have.
    expect(pair.primary.query('SELECT no FROM countersign_log ORDER BY no')).toEqual(['1']);
    await without.leave();
  });

  it('R3: the ledger holds only what is kept', async () => {
    pair.standby.stop('fast');
    const keeping = active(log, first);
    await expect(committed(keeping, own, ADA)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    expect(names(own)).toEqual([]);

    // One that makes the change first, and has it kept afterwards.
    const unkept = new PostgresLog(pair.url, ANSWER_MS);
    atEnd(() => unkept.close());
    other.exec(ADA);
    const entry = SEAL.sealed({ no: 2, prev: first.id, kept: 1, schema: 1, kind: 'changes' }, NOTHING);
    await expect(unkept.append(entry)).rejects.toMatchObject({ name: 'LogDoubt' });
    await pair.failOver();
    expect(names(other)).toEqual(['Ada']);
    expect(pair.primary.query('SELECT no FROM countersign_log ORDER BY no')).toEqual(['1']);
  });

  it('R4: nobody reads on from a log that lacks their last entry', async () => {
    const commits = active(log, first);
    await committed(commits, own, ADA);
    const reading = follower(other, log);
    await until('the other to have it', async () => {
      await reading.step();
      return reading.mark.no === 2;
    });
    await commits.leave();
    // An older copy, on which a node continues that never had the second entry.
    pair.primary.query('DELETE FROM countersign_log WHERE no = 2');
    const late = ledger();
    const anew = active(log, first);
    await committed(anew, late, BO);
    await committed(anew, late, "INSERT INTO people VALUES (3, 'Cy', NULL)");
    await until('both to be said to be kept', async () => (await log.read(first, 9)).beat?.no === 3);
    await expect(follower(other, log).step()).rejects.toMatchObject({ code: 'LOG_SET_BACK' });
    expect(names(other)).toEqual(['Ada']);

    // It reads from before its last entry, and holds nothing against that.
    const careless: CommitLog = logWith(log, { read: (from, most) => log.read(from.no > 1 ? first : from, most) });
    await follower(other, careless).step();
    expect(names(late)).toEqual(['Bo', 'Cy']);
    expect(names(other)).toEqual(['Ada', 'Cy']);
    await anew.leave();
  });

  it('R5: taking over is an entry', async () => {
    // A row that everybody sees and the standby of the database lacks: its node was answered with a notice, and gave no receipt.
    const commits = active(log, first);
    pair.standby.stop('fast');
    const refused = expect(committed(commits, own, ADA)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    await cancelWaiting(pair);
    await refused;
    const next = new PostgresLog(pair.url, ANSWER_MS);
    atEnd(() => next.close());
    const keeping = follower(other, next);
    const { newest } = await keeping.step();
    expect(newest.no).toBe(2);
    const term = SEAL.sealed({ no: 3, prev: newest.id, kept: 1, schema: 1, kind: 'term' }, NOTHING);
    await expect(next.append(term)).rejects.toMatchObject({ name: 'LogDoubt' });
    expect(names(other)).toEqual([]);

    // Without an entry that has to be kept, it takes what it sees.
    await keeping.applyAll();
    await pair.failOver();
    expect(names(other)).toEqual(['Ada']);
    expect(pair.primary.query('SELECT no FROM countersign_log ORDER BY no')).toEqual(['1']);
  });
});

/** Empties the log, and begins it again for a ledger. */
async function freshLog({ primary }: PostgresPair, log: PostgresLog, sqlite: Database.Database): Promise<Place> {
  primary.query('DELETE FROM countersign_log');
  return begin(log, [sqlite]);
}

async function cancelWaiting({ primary }: PostgresPair): Promise<void> {
  await until('a commit to wait', () => primary.query(WAITING).length > 0);
  primary.query(`SELECT pg_cancel_backend(pid) FROM (${WAITING}) AS w`);
}

/** As an engine has it that hears no notice, and looks at the predecessor or not. */
async function rawAppend({ primary }: PostgresPair, entry: LogEntry, looks: boolean): Promise<boolean> {
  const { no, id, prev, kept, schema, kind, sealed } = entry;
  const client = new pg.Client({ host: '127.0.0.1', port: primary.port, user: 'cs', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const follows = looks ? 'EXISTS (SELECT FROM countersign_log WHERE no = $1::bigint - 1 AND id = $3::uuid)' : 'true';
    const { rowCount } = await client.query(
      `INSERT INTO countersign_log (no, id, prev, kept, schema, kind, sealed)
       SELECT $1::bigint, $2::uuid, $3::uuid, $4::bigint, $5::integer, $6::text, $7::bytea WHERE ${follows} ON CONFLICT DO NOTHING`,
      [no, id, prev, kept, schema, kind, sealed],
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}
