import { closeSync, lstatSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { hasCode, messageOf } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';

/** Marks a SQLite file as a recorder's spool: the bytes "CSRS". */
const APPLICATION_ID = 0x43535253;

/** Pages kept in memory, in KiB: the recorder runs all day, and its spool is empty most of it. */
const CACHE_KIB = 1024;

/** How large the write-ahead log becomes before it is written into the file, and to what it is cut back after a burst, in bytes. */
const MAX_WAL_BYTES = 8 * 1024 * 1024;

/** The version of the form: numbers below it are those of what was never released. */
const FORM_VERSION = 2;

/** `joining` and `taken` have no index over random keys, by which each event would write pages all over the file: what is where is in memory. */
const FORM = `
  CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    feed TEXT NOT NULL,
    -- Where the chain ends here, and as far as the service has it.
    head TEXT,
    confirmed TEXT,
    last_receipt_at TEXT,
    -- What could not be kept and no record says yet: padded to one width, so that a full disk takes the update.
    lost TEXT NOT NULL,
    UNIQUE (org_id, agent_id)
  ) STRICT;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents,
    operation_id TEXT NOT NULL,
    prev_chain_hash TEXT,
    chain_hash TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    -- Whether a call begins with it that can still be stopped: 0 no, 1 one that reads, 2 one that changes something.
    begins INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX records_by_agent ON records (agent, seq);
  CREATE TABLE joining (
    seq INTEGER PRIMARY KEY,
    agent INTEGER NOT NULL REFERENCES agents,
    key TEXT NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE taken (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event BLOB NOT NULL,
    operation_ids TEXT NOT NULL,
    taken_at INTEGER NOT NULL
  ) STRICT;`;

/**
 * Opens the spool, or makes it. A transaction that has returned survives a crash of the process; a power cut, once
 * the write-ahead log was flushed after it, which a LogFlusher does without holding up the next one.
 * @throws RecordError FOLDER_UNUSABLE where the file cannot be used, or is of another version
 */
export function openSpoolFile(path: string): Database.Database {
  let sqlite: Database.Database | undefined;
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is a link, or no file: remove it`);
  }
  try {
    // Made first, for this user alone: SQLite gives its journal files the same mode.
    closeSync(openSync(path, 'a', 0o600));
    sqlite = new Database(path);
    // Before the first table: only then can the file become smaller bit by bit.
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    // Each time takes two waits for the disk, in which nothing else happens.
    sqlite.pragma(`wal_autocheckpoint = ${MAX_WAL_BYTES / Number(sqlite.pragma('page_size', { simple: true }))}`);
    sqlite.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('trusted_schema = OFF');
    makeOrCheck(sqlite, path);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (error instanceof RecordError) throw error;
    const why = messageOf(error);
    throw new RecordError('FOLDER_UNUSABLE', `the spool ${path} cannot be opened: ${why}`, { cause: error });
  }
}

function makeOrCheck(sqlite: Database.Database, path: string): void {
  const applicationId = sqlite.pragma('application_id', { simple: true });
  const version = Number(sqlite.pragma('user_version', { simple: true }));
  if (version > 0 && applicationId !== APPLICATION_ID) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is a SQLite file, but not the spool of a recorder`);
  }
  if (version > 0 && version !== FORM_VERSION) {
    const which = version > FORM_VERSION ? 'a newer' : 'an older';
    throw new RecordError(
      'FOLDER_UNUSABLE',
      `${path} was written by ${which} version of Countersign: use that version`,
    );
  }
  if (version === FORM_VERSION) return;
  // A crash in here leaves no tables: they and the version are one transaction.
  sqlite
    .transaction(() => {
      sqlite.exec(FORM);
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${FORM_VERSION}`);
    })
    .immediate();
}

/** Whether the disk had no room, or a quota forbade it. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'SQLITE_IOERR_WRITE');
}
