import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult } from 'pg';
import { messageOf } from '../../protocol/light.ts';
import {
  type Beat,
  type CommitLog,
  LogDoubt,
  type LogEntry,
  LogError,
  type Met,
  type NodeSign,
  type Place,
  READ_BYTES,
  type Slice,
} from './commit-log.ts';
import { setBack } from './folder-log.ts';

/** How long the engine may take for one answer, in milliseconds: past it the connection is dropped, and nothing is known. */
const ANSWER_MS = 1500;
const CONNECT_MS = 1500;

const TABLES = `
  CREATE TABLE IF NOT EXISTS countersign_log (
    no bigint PRIMARY KEY, id uuid NOT NULL, prev uuid NOT NULL, kept bigint NOT NULL, schema integer NOT NULL,
    kind text NOT NULL, at timestamptz NOT NULL DEFAULT now(), sealed bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS countersign_beat (
    one integer PRIMARY KEY CHECK (one = 1), no bigint NOT NULL, id uuid NOT NULL, count uuid NOT NULL,
    proof text NOT NULL, has_left boolean NOT NULL);
  CREATE TABLE IF NOT EXISTS countersign_nodes (
    key text PRIMARY KEY, sealed bytea NOT NULL, at timestamptz NOT NULL DEFAULT now())`;

/** R1: a place is taken once, and only upon its predecessor. */
const APPEND = `
  INSERT INTO countersign_log (no, id, prev, kept, schema, kind, sealed)
  SELECT $1, $2, $3, $4, $5, $6, $7
  WHERE $1::bigint = 1 OR EXISTS (SELECT FROM countersign_log WHERE no = $1::bigint - 1 AND id = $3::uuid)
  ON CONFLICT DO NOTHING`;

/** What was read before is not sent again: a standby asks ten times a second for what it has. */
const READ = `
  SELECT no, id, prev, kept, schema, kind, CASE WHEN id = $4 THEN NULL ELSE sealed END AS sealed FROM (
    SELECT *, sum(octet_length(sealed)) FILTER (WHERE no > $1) OVER (
      ORDER BY no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT * FROM countersign_log WHERE no >= $1 ORDER BY no LIMIT $2) AS asked) AS read
  WHERE coalesce(before, 0) < $3 ORDER BY no`;

const BEAT = `
  INSERT INTO countersign_beat (one, no, id, count, proof, has_left)
  SELECT 1, $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM countersign_log WHERE no > $1::bigint)
  ON CONFLICT (one) DO UPDATE SET no = $1, id = $2, count = $3, proof = $4, has_left = $5`;

const MEET = `
  INSERT INTO countersign_nodes (key, sealed) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET sealed = $2, at = now()`;

/** One row at least, for the size. */
const MET = `
  SELECT key, sealed, extract(epoch FROM now() - at) * 1000 AS heard, bytes, extract(epoch FROM now()) * 1000 AS now
  FROM pg_total_relation_size('countersign_log') AS bytes
  LEFT JOIN countersign_nodes ON key <> $1 AND at > now() - interval '1 day'`;

type EntryRow = Omit<LogEntry, 'no' | 'kept'> & { readonly no: string; readonly kept: string };

const entryOf = ({ no, kept, ...rest }: EntryRow): LogEntry => ({ ...rest, no: Number(no), kept: Number(kept) });

/** One connection. A notice, an error, silence or its end is doubt (R2), and it is dropped with no word to the engine. */
class Connection {
  readonly #client: Client;
  /** Why nothing that it answers counts any more. */
  readonly #answerMs: number;
  #doubt: string | null = null;

  constructor(client: Client, answerMs: number) {
    this.#client = client;
    this.#answerMs = answerMs;
    client.on('notice', ({ message }) => this.#drop(`a notice: ${message ?? ''}`));
    client.on('error', (error) => this.#drop(error.message));
    client.on('end', () => this.#drop('the connection ended'));
  }

  get isOver(): boolean {
    return this.#doubt !== null;
  }

  /** @throws LogDoubt */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const silence = new AbortController();
    try {
      if (this.#doubt !== null) throw new LogDoubt(this.#doubt);
      const answer = this.#client.query<Row>(text, [...values]);
      const late = sleep(this.#answerMs, undefined, { signal: silence.signal }).then(() => {
        throw new LogDoubt(`no answer within ${this.#answerMs} ms`);
      });
      // Whichever loses says nothing more to anybody.
      for (const one of [answer, late]) one.catch(() => undefined);
      const result = await Promise.race([answer, late]);
      // A notice comes before the answer that it is about: a commit that was cancelled while it waited for the standby is
      // answered with success, and the warning is all that tells.
      if (this.isOver) throw new LogDoubt(this.#doubt ?? '');
      return result;
    } catch (error) {
      this.#drop(messageOf(error));
      throw error instanceof LogDoubt ? error : new LogDoubt(this.#doubt ?? '', { cause: error });
    } finally {
      silence.abort();
    }
  }

  close(): void {
    this.#drop('closed');
  }

  #drop(why: string): void {
    this.#doubt ??= why;
    // No cancel, no farewell: either could have a commit that waits answered as if it were kept.
    this.#client.connection.stream.destroy();
  }
}

/**
 * PostgreSQL 15 and later as the log, a database for each ledger. Its operator keeps it alive; what is kept is what it
 * answers without a word besides. Several hosts may be named, of which the one that takes writes is used.
 */
export class PostgresLog implements CommitLog {
  readonly #hosts: readonly string[];
  readonly #answerMs: number;
  #connection: Connection | null = null;
  /** The entry that the newest reading began with: mostly the next one does as well. */
  #held: LogEntry | null = null;

  /** @param url postgres://user:password@host,host:port/database; what it leaves out comes from the environment, as psql has it @param answerMs what is later is doubt */
  constructor(url: string, answerMs = ANSWER_MS) {
    this.#answerMs = answerMs;
    const [, scheme = '', user = '', hosts = '', rest = ''] =
      /^(postgres(?:ql)?:\/\/)([^@/]*@)?([^/?]*)(.*)$/.exec(url) ?? [];
    this.#hosts = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
  }

  async append({ no, id, prev, kept, schema, kind, sealed }: LogEntry): Promise<boolean> {
    const { rowCount } = await (await this.#open()).query(APPEND, [no, id, prev, kept, schema, kind, sealed]);
    return rowCount === 1;
  }

  async read(from: Place, most: number, bytes = READ_BYTES): Promise<Slice> {
    const connection = await this.#open();
    // Before the entries: what it says is kept is among them.
    const beats = await connection.query<Omit<Beat, 'no' | 'left'> & { no: string; has_left: boolean }>(
      'SELECT no, id, count, proof, has_left FROM countersign_beat',
    );
    const held = this.#held;
    const asked = [from.no, most, bytes, held?.id ?? null];
    const { rows } = await connection.query<EntryRow>(READ, asked);
    const entries = rows.map((row) => (row.id === held?.id ? held : entryOf(row)));
    // R4, with each read: nobody continues on a log that lacks what they have.
    if (from.no > 0 && (entries[0]?.no !== from.no || entries[0].id !== from.id)) throw setBack(from);
    this.#held = entries[0] ?? null;
    const [beat] = beats.rows;
    if (beat === undefined) return { entries, beat: null };
    const { no, has_left: left, ...said } = beat;
    return { entries, beat: { ...said, no: Number(no), left } };
  }

  async beat({ no, id, count, proof, left }: Beat): Promise<boolean> {
    const { rowCount } = await (await this.#open()).query(BEAT, [no, id, count, proof, left]);
    return rowCount === 1;
  }

  async newest(): Promise<LogEntry | null> {
    const { rows } = await (await this.#open()).query<EntryRow>(
      'SELECT no, id, prev, kept, schema, kind, sealed FROM countersign_log ORDER BY no DESC LIMIT 1',
    );
    const [row] = rows;
    return row === undefined ? null : entryOf(row);
  }

  async cut(before: number): Promise<void> {
    // Few at once: an answer that takes long is doubt.
    await (await this.#open()).query(
      `DELETE FROM countersign_log WHERE no IN (
        SELECT no FROM countersign_log WHERE no < $1 AND at < now() - interval '1 day' ORDER BY no LIMIT 2000)`,
      [before],
    );
  }

  async meet(own: NodeSign | null): Promise<Met> {
    const connection = await this.#open();
    if (own !== null) await connection.query(MEET, [own.key, own.sealed]);
    type Row = { key: string | null; sealed: Buffer; heard: string; bytes: string; now: string };
    const { rows } = await connection.query<Row>(MET, [own?.key ?? '']);
    const nodes = rows.flatMap(({ key, sealed, heard }) =>
      key === null ? [] : [{ key, sealed, heardMs: Number(heard) }],
    );
    return { nodes, bytes: Number(rows[0]?.bytes ?? 0), now: Number(rows[0]?.now ?? 0) };
  }

  async close(): Promise<void> {
    this.#connection?.close();
    this.#connection = null;
  }

  async #open(): Promise<Connection> {
    if (this.#connection !== null && !this.#connection.isOver) return this.#connection;
    const reasons: string[] = [];
    for (const host of this.#hosts) {
      try {
        this.#connection = await connect(host, this.#answerMs);
        return this.#connection;
      } catch (error) {
        if (error instanceof LogError) throw error;
        reasons.push(messageOf(error));
      }
    }
    throw new LogDoubt(`no database of the shared log takes writes: ${reasons.join('; ')}`);
  }
}

async function connect(url: string, answerMs: number): Promise<Connection> {
  // Loaded where a shared log is asked for: no other start needs it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'countersign',
    keepAlive: true,
  });
  const early = (): void => undefined;
  client.on('error', early);
  try {
    await client.connect();
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
  const connection = new Connection(client, answerMs);
  client.off('error', early);
  const { rows } = await connection.query<{ standby: boolean; sync: string; fsync: string; version: string }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('synchronous_commit') AS sync,
      current_setting('fsync') AS fsync, current_setting('server_version_num') AS version`,
  );
  const [server] = rows;
  if (server === undefined || server.standby) {
    connection.close();
    throw new LogDoubt('it is a standby');
  }
  if (server.fsync !== 'on' || !['on', 'remote_apply'].includes(server.sync) || Number(server.version) < 150_000) {
    connection.close();
    throw new LogError(
      'LOG_UNUSABLE',
      'the database of the shared log must be PostgreSQL 15 or later with fsync = on and synchronous_commit = on or remote_apply',
    );
  }
  // Who waits here for a commit that itself waits for a standby would be left behind by every node that gave up: a hundred, and the database lets nobody in.
  await connection.query(`SET lock_timeout = ${answerMs}`);
  for (const text of TABLES.split(';')) {
    const [, table] = /EXISTS (\w+)/.exec(text) ?? [];
    const found = await connection.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
    // IF NOT EXISTS says so in a notice, which would be doubt.
    if (found.rows[0]?.there !== true) await connection.query(text);
  }
  return connection;
}
