import pg from 'pg';
import { nodeCrypto } from '../../../src/node/index.ts';
import { signed } from '../native-rate.ts';
import { operationMembers } from '../workspace.ts';
import { PostgresCluster } from './postgres-cluster.ts';

/** What a record of Countersign has, except keys and signatures. */
const COLUMNS = 'org_id, operation_id, agent_id, issued_at, nonce, operation_type, subject, action, payload';

/**
 * A table whose rows a trigger chains: it takes the organization's lock, which is held until the transaction has
 * committed, reads the last row, and sets the next number and SHA-256 of the last row's hash and this row's content.
 */
const SCHEMA = `
  CREATE TABLE operations (
    org_id text NOT NULL,
    seq_no bigint NOT NULL,
    operation_id uuid NOT NULL UNIQUE,
    agent_id text NOT NULL,
    issued_at timestamptz NOT NULL,
    nonce text NOT NULL,
    operation_type text NOT NULL,
    subject text NOT NULL,
    action text NOT NULL,
    payload jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    prev_hash bytea,
    hash bytea NOT NULL,
    PRIMARY KEY (org_id, seq_no)
  );

  CREATE FUNCTION link_to_previous() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    last record;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.org_id, 0));
    SELECT seq_no, hash INTO last FROM operations WHERE org_id = NEW.org_id ORDER BY seq_no DESC LIMIT 1;
    NEW.seq_no := coalesce(last.seq_no, 0) + 1;
    NEW.prev_hash := last.hash;
    NEW.hash := row_hash(NEW);
    RETURN NEW;
  END $$;

  CREATE FUNCTION row_hash(o operations) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(coalesce(o.prev_hash, ''::bytea) || convert_to(jsonb_build_array(o.org_id, o.seq_no, o.operation_id,
      o.agent_id, o.issued_at, o.nonce, o.operation_type, o.subject, o.action, o.payload, o.received_at)::text, 'UTF8'))
  $$;

  CREATE TRIGGER link BEFORE INSERT ON operations FOR EACH ROW EXECUTE FUNCTION link_to_previous();
`;

/** How a variable is written in a statement. */
type At = (variable: string) => string;

const insertOne = (at: At): string => `INSERT INTO operations (${COLUMNS})
  VALUES ('org', gen_random_uuid(), CAST(${at('agent')} AS text) || CAST(${at('client_id')} AS text), clock_timestamp(),
    CAST(gen_random_uuid() AS text), ${at('type')}, ${at('subject')}, ${at('action')}, CAST(${at('payload')} AS jsonb))`;

const insertMany = (at: At): string => `INSERT INTO operations (${COLUMNS})
  SELECT 'org', gen_random_uuid(), CAST(${at('agent')} AS text) || CAST(${at('client_id')} AS text), clock_timestamp(),
    CAST(gen_random_uuid() AS text), operation_type, subject, action, payload
  FROM jsonb_to_recordset(CAST(${at('records')} AS jsonb)) AS r(operation_type text, subject text, action text, payload jsonb)`;

/** Rows of the table, and those of them that are not linked to the row before by the right hash. */
const CHECK = `SELECT count(*), count(*) FILTER (WHERE seq_no <> place OR prev_hash IS DISTINCT FROM before
    OR hash <> recomputed)
  FROM (SELECT seq_no, row_number() OVER chain AS place, prev_hash, lag(hash) OVER chain AS before, hash,
    row_hash(operations) AS recomputed FROM operations WINDOW chain AS (ORDER BY seq_no)) AS linked`;

/** One way to load the table: the number of connections, and of rows in each transaction. */
export interface ChainLoad {
  readonly clients: number;
  readonly batchSize: number;
  /** Whether the client verifies a signature for each row before it sends it. */
  readonly isVerified?: boolean;
}

export interface ChainRun {
  readonly version: string;
  /** Rows that were inserted, and whose chain was then found whole. */
  readonly chainedRows: number;
}

/**
 * Inserts into a hash-chained table of a new cluster, in several ways one after the other, and checks the chain.
 * @param measure is given each way and what runs it, which answers with rows a second
 */
export async function postgresChain(
  programs: string,
  { loads, seconds }: { readonly loads: readonly ChainLoad[]; readonly seconds: number },
  measure: (load: ChainLoad, run: () => Promise<number>) => Promise<void>,
): Promise<ChainRun> {
  const cluster = await PostgresCluster.start(programs);
  try {
    await cluster.sql(SCHEMA);
    await insert(cluster, { clients: 8, batchSize: 1 }, 1);
    for (const load of loads) await measure(load, () => insert(cluster, load, seconds));
    const [rows, broken] = (await cluster.sql(CHECK)).split('|').map(Number);
    if (rows === undefined || rows === 0 || broken !== 0) throw new Error(`${broken} of ${rows} rows are not chained`);
    return { version: await cluster.sql('SHOW server_version'), chainedRows: rows };
  } finally {
    await cluster.stop();
  }
}

/** Rows a second. */
async function insert(cluster: PostgresCluster, load: ChainLoad, seconds: number): Promise<number> {
  const { operation_type: type, subject, action, payload } = operationMembers(1);
  const records = JSON.stringify(Array.from({ length: load.batchSize }, (_, number) => operationMembers(number)));
  const [statement, row] =
    load.batchSize === 1
      ? [insertOne, { type, subject, action, payload: JSON.stringify(payload) }]
      : [insertMany, { records }];
  const values: Record<string, string> = { agent: 'agent-', ...row };
  if (load.isVerified === true) return insertVerified(cluster, load, statement, values, seconds);
  return (
    load.batchSize *
    (await cluster.load(
      statement((name) => `:${name}`),
      values,
      { clients: load.clients, seconds },
    ))
  );
}

/** The same by clients of `pg` in this process, on one thread, which verify a signature for each row before they send it. */
async function insertVerified(
  cluster: PostgresCluster,
  { clients, batchSize }: ChainLoad,
  statement: (at: At) => string,
  values: Readonly<Record<string, string>>,
  seconds: number,
): Promise<number> {
  const names = ['client_id', ...Object.keys(values)];
  const text = statement((name) => `$${names.indexOf(name) + 1}`);
  const checks = signed.slice(0, batchSize);
  const connections = Array.from({ length: clients }, () => new pg.Client(cluster.address));
  try {
    await Promise.all(connections.map((client) => client.connect()));
    const began = performance.now();
    let rows = 0;
    const repeat = async (client: pg.Client, number: number): Promise<void> => {
      while (performance.now() - began < seconds * 1000) {
        if (!(await nodeCrypto.verifyEquations(checks)).every(Boolean)) throw new Error('a signature is not sound');
        await client.query({ name: 'insert', text, values: [String(number), ...Object.values(values)] });
        rows += batchSize;
      }
    };
    await Promise.all(connections.map(repeat));
    return (rows * 1000) / (performance.now() - began);
  } finally {
    await Promise.all(connections.map((client) => client.end()));
  }
}
