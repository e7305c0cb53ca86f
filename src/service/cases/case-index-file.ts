import Database from 'better-sqlite3';
import { FOUND_TABLES } from './collection/found-tables.ts';

/** "CsC1": a file of another kind is never taken for the index of a case, nor this one for a ledger. */
export const CASE_APPLICATION_ID = 0x43734331;

/** Raised where the tables change: an index of another version is rebuilt from the stored file. */
export const CASE_SCHEMA_VERSION = 4;

/**
 * What a case is browsed by. Nothing in it is unique but its own numbers: a bad bundle has anything twice. `n` counts in
 * the order of the file; texts stand apart, so that looking for rows does not read them.
 */
const TABLES = `
CREATE TABLE records (
  n INTEGER PRIMARY KEY, line INTEGER NOT NULL, seq_no INTEGER NOT NULL, operation_id TEXT NOT NULL,
  agent_id TEXT NOT NULL, operation_type TEXT NOT NULL, subject TEXT NOT NULL, action TEXT NOT NULL,
  issued_at TEXT NOT NULL, issued_at_ms INTEGER NOT NULL, server_received_at TEXT NOT NULL,
  chain_hash BLOB NOT NULL, prev_chain_hash BLOB, agent_pubkey_kid TEXT NOT NULL, leaf_hash BLOB NOT NULL, gap BLOB
) STRICT;
CREATE TABLE texts (n INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT;
CREATE TABLE epochs (
  n INTEGER PRIMARY KEY, epoch_id TEXT NOT NULL, epoch_no INTEGER NOT NULL,
  first_seq_no INTEGER NOT NULL, last_seq_no INTEGER NOT NULL, epoch TEXT NOT NULL
) STRICT;
CREATE TABLE agents (n INTEGER PRIMARY KEY, agent_id TEXT NOT NULL, status TEXT NOT NULL, agent TEXT NOT NULL) STRICT;
CREATE TABLE admin_events (n INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT;
CREATE TABLE service_keys (
  n INTEGER PRIMARY KEY, kid TEXT NOT NULL, public_key TEXT NOT NULL, service_key TEXT NOT NULL
) STRICT;
CREATE TABLE log_nodes (
  height INTEGER NOT NULL, node_index INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (height, node_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
${FOUND_TABLES}`;

/**
 * What the index of an archive has besides: which ledgers and runs there are, and where records stand in their runs. `n` counts all
 * records in the order in which their runs were accepted, and so does `seq_no`, which several ledgers have alike.
 */
const ARCHIVE_TABLES = `
ALTER TABLE records ADD COLUMN ledger_no INTEGER;
ALTER TABLE epochs ADD COLUMN ledger_no INTEGER;
ALTER TABLE agents ADD COLUMN ledger_no INTEGER;
ALTER TABLE admin_events ADD COLUMN ledger_no INTEGER;
ALTER TABLE service_keys ADD COLUMN ledger_no INTEGER;
CREATE TABLE ledgers (
  ledger_no INTEGER PRIMARY KEY, kid TEXT NOT NULL, org_id TEXT NOT NULL, UNIQUE (kid, org_id)
) STRICT;
CREATE TABLE runs (
  run_no INTEGER PRIMARY KEY, ledger_no INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, first_epoch_no INTEGER NOT NULL,
  last_epoch_no INTEGER NOT NULL, first_n INTEGER NOT NULL UNIQUE, last_n INTEGER NOT NULL, first_seq_no INTEGER NOT NULL
) STRICT;
CREATE TABLE stretches (
  run_no INTEGER NOT NULL, first_line INTEGER NOT NULL, "offset" INTEGER NOT NULL, bytes INTEGER NOT NULL, sha256 BLOB NOT NULL,
  PRIMARY KEY (run_no, first_line)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_log_nodes (
  run_no INTEGER NOT NULL, height INTEGER NOT NULL, node_index INTEGER NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (run_no, height, node_index)
) STRICT, WITHOUT ROWID;
`;

/** Made once all rows are there, which is several times faster. */
const INDEXES = `
CREATE INDEX records_seq ON records (seq_no, n);
CREATE INDEX records_operation ON records (operation_id);
CREATE INDEX records_agent ON records (agent_id, seq_no, n);
CREATE INDEX epochs_no ON epochs (epoch_no, n);
CREATE INDEX epochs_id ON epochs (epoch_id);
CREATE INDEX epochs_last ON epochs (last_seq_no);
CREATE INDEX agents_id ON agents (agent_id);
`;

/** A new index that nobody reads before it is whole: a crash leaves a file under another name. */
export function newIndex(path: string): Database.Database {
  const sqlite = new Database(path);
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma(`application_id = ${CASE_APPLICATION_ID}`);
  sqlite.exec(TABLES);
  return sqlite;
}

/** The index of an archive, which grows by whole runs, each in one transaction: what reads it sees a run or nothing of it. */
export function growingIndex(path: string): Database.Database {
  const sqlite = new Database(path);
  sqlite.pragma('journal_mode = WAL');
  // A power cut may take the last runs, which are read again: nothing here is but derived.
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('trusted_schema = OFF');
  if (sqlite.pragma('application_id', { simple: true }) === 0) {
    sqlite.transaction(() => {
      sqlite.exec(TABLES + ARCHIVE_TABLES + INDEXES);
      sqlite.pragma(`application_id = ${CASE_APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${CASE_SCHEMA_VERSION}`);
    })();
  }
  return sqlite;
}

/** Ends the making of an index: from here on it is one. */
export function finishIndex(sqlite: Database.Database): void {
  sqlite.exec(INDEXES);
  sqlite.exec('ANALYZE');
  sqlite.pragma(`user_version = ${CASE_SCHEMA_VERSION}`);
}

/** @returns null where the file is no whole index of this version */
export function openIndex(path: string): Database.Database | null {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true });
  sqlite.pragma('trusted_schema = OFF');
  const id = sqlite.pragma('application_id', { simple: true });
  const version = sqlite.pragma('user_version', { simple: true });
  if (id === CASE_APPLICATION_ID && version === CASE_SCHEMA_VERSION) {
    // Nobody writes a file that is whole: to take a lock and look for a journal for each record costs as much as to read it.
    if (sqlite.pragma('journal_mode', { simple: true }) !== 'wal') sqlite.pragma('locking_mode = EXCLUSIVE');
    return sqlite;
  }
  sqlite.close();
  return null;
}
