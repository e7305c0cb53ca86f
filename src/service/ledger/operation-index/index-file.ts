import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * The file of what is derived from the ledger: names, for "was this used before", and the records of each agent, for its chain.
 * No evidence: whatever is in doubt about it, it is thrown away and made again.
 *
 * Both come in segments, each of the records that were taken up one after the other, whatever their
 * organization: what is added lies together in the file, however large that is, and a full segment never changes again.
 *
 * docs/operation-index.md describes every column.
 */
const SCHEMA = `
  CREATE TABLE orgs (
    org_no INTEGER PRIMARY KEY,
    org_id TEXT NOT NULL UNIQUE,
    indexed_seq INTEGER NOT NULL,
    leaf_hash BLOB,
    records INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE segments (
    segment INTEGER PRIMARY KEY,
    records INTEGER NOT NULL,
    filter BLOB,
    filter_digest BLOB
  ) STRICT;
  CREATE TABLE stretches (
    org_no INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    PRIMARY KEY (org_no, first_seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE names (
    segment INTEGER NOT NULL,
    key INTEGER NOT NULL,
    seq_no INTEGER NOT NULL,
    PRIMARY KEY (segment, key, seq_no)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE agents (
    segment INTEGER NOT NULL,
    key INTEGER NOT NULL,
    seq_no INTEGER NOT NULL,
    PRIMARY KEY (segment, key, seq_no)
  ) STRICT, WITHOUT ROWID;
`;

/** Changes with SCHEMA or with what is written into it: a file of another version is rebuilt. */
const VERSION = 6;

function connect(path: string): Database.Database {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  // What a power cut takes from it is made again from the ledger: it need not be on disk before an answer is given.
  database.pragma('synchronous = NORMAL');
  database.pragma('trusted_schema = OFF');
  return database;
}

function hasRightVersion(database: Database.Database): boolean {
  return database.pragma('user_version', { simple: true }) === VERSION;
}

/** Up to this size a start looks at the structure of the whole file: a tenth of a second. */
const CHECKED_BYTES = 64 * 1024 * 1024;

function looksWhole(database: Database.Database): boolean {
  const pragma = (name: string): number => database.pragma(name, { simple: true }) as number;
  if (pragma('page_count') * pragma('page_size') > CHECKED_BYTES) return true;
  return database.pragma('quick_check(1)', { simple: true }) === 'ok';
}

/** Whether the segments are those that the records make: of one that is not known, no name would be found. */
function addsUp(database: Database.Database): boolean {
  const holds = database.prepare(
    `SELECT (SELECT total(records) FROM segments) = (SELECT total(records) FROM orgs)
       AND (SELECT count(*) = coalesce(max(segment) + 1, 0) AND coalesce(min(segment), 0) = 0 FROM segments)
       AND NOT EXISTS (SELECT 1 FROM stretches WHERE segment NOT IN (SELECT segment FROM segments))`,
  );
  return holds.pluck().get() === 1;
}

/** Has the next opening rebuild the index. A crash before this leaves it as it is; after it the ledger is all that counts. */
export function disownIndexFile(database: Database.Database): void {
  database.pragma('user_version = 0');
}

/** Removes an index that is not open. */
export function removeIndexFile(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/**
 * Opens the index, or makes an empty one where there is none, where it is of another version, damaged, or not readable.
 * @param isOfThisLedger asked of an index that could be opened; where it says no, an empty one takes its place
 */
export function openIndexFile(
  path: string,
  isOfThisLedger: (database: Database.Database) => boolean,
): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = connect(path);
    const isSound = hasRightVersion(database) && looksWhole(database) && addsUp(database);
    if (isSound && isOfThisLedger(database)) return database;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  database?.close();
  removeIndexFile(path);
  const fresh = connect(path);
  // A crash in here leaves version 0: rebuilt by the next start.
  fresh.transaction(() => {
    fresh.exec(SCHEMA);
    fresh.pragma(`user_version = ${VERSION}`);
  })();
  return fresh;
}

/** A further connection to an index that is open already, in another thread. */
export function joinIndexFile(path: string): Database.Database {
  return connect(path);
}

/** Whether what an index holds was taken from this ledger: compares the leaf hashes at its marks. */
export function isIndexOf(index: Database.Database, ledger: Database.Database): boolean {
  const leafAt = ledger.prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  const marks = index.prepare('SELECT org_id, indexed_seq, leaf_hash FROM orgs').all() as {
    org_id: string;
    indexed_seq: number;
    leaf_hash: Buffer | null;
  }[];
  return marks.every(({ org_id, indexed_seq, leaf_hash }) => {
    if (indexed_seq === 0 || leaf_hash === null) return true;
    return (leafAt.get(org_id, indexed_seq) as Buffer | undefined)?.equals(leaf_hash) === true;
  });
}
