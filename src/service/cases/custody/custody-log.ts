import type Database from 'better-sqlite3';
import type { CustodyAction } from '../../../api/index.ts';
import { CUSTODY_ENTRY, custodyBytes, type JsonObject } from '../../../protocol/index.ts';
import { linkAfter } from '../../ledger/hash-log.ts';
import { MAX_OPERATION_ID } from './check-notes.ts';
import { type CustodyEntry, custodyHash, MAX_ENTRIES, readEntry, type StoredEntry } from './custody-entry.ts';

/** Came after tags and notes: a file that was begun before gets it when it is opened, and its log begins then. */
export const CUSTODY_TABLES = `
CREATE TABLE IF NOT EXISTS custody (
  entry_no INTEGER PRIMARY KEY, operation_id TEXT, entry TEXT NOT NULL, entry_hash TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS custody_operation ON custody (operation_id, entry_no) WHERE operation_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS custody_signatures (entry_no INTEGER PRIMARY KEY, signature TEXT NOT NULL) STRICT;
`;

/** Every column of a StoredEntry. */
export const ROWS = 'SELECT c.*, s.signature FROM custody c LEFT JOIN custody_signatures s USING (entry_no)';

/** Who does something with a case, when, and to which. */
export interface Examiner {
  readonly by: string | null;
  /** Where an API token does it. */
  readonly via?: 'token' | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly caseSha256: string;
  readonly caseId: string;
}

function newest(sqlite: Database.Database): StoredEntry | undefined {
  return sqlite.prepare(`${ROWS} ORDER BY entry_no DESC LIMIT 1`).get() as StoredEntry | undefined;
}

/**
 * Writes down what an examiner did. To be called in the transaction that does it: a crash leaves both or neither.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function appendCustody(
  sqlite: Database.Database,
  { by, via, at, caseSha256, caseId }: Examiner,
  action: CustodyAction,
  details: JsonObject,
): void {
  const before = newest(sqlite);
  const link = linkAfter(before, {
    what: 'entries of the custody log',
    most: MAX_ENTRIES,
    remedy: 'import the file as another case',
  });
  const entry: CustodyEntry = {
    type: CUSTODY_ENTRY,
    case_sha256: caseSha256,
    ...link,
    at: new Date(at).toISOString(),
    by,
    ...(via === undefined ? {} : { via }),
    action,
    details,
    ...(before === undefined || action === 'case.open' ? { log_id: caseId } : {}),
  };
  insertEntry(sqlite, {
    entry_no: link.entry_no,
    entry: new TextDecoder().decode(custodyBytes(entry)),
    entry_hash: custodyHash(entry),
    signature: null,
  });
}

/** Puts an entry into the log as it is. */
export function insertEntry(sqlite: Database.Database, { entry_no, entry, entry_hash, signature }: StoredEntry): void {
  const operationId = readEntry(entry)?.details['operation_id'];
  const about = typeof operationId === 'string' && operationId.length <= MAX_OPERATION_ID ? operationId : null;
  sqlite.prepare('INSERT INTO custody VALUES (?, ?, ?, ?)').run(entry_no, about, entry, entry_hash);
  if (signature !== null) insertSignature(sqlite, entry_no, signature);
}

export function insertSignature(sqlite: Database.Database, entryNo: number, signature: string): void {
  sqlite.prepare('INSERT INTO custody_signatures VALUES (?, ?)').run(entryNo, signature);
}

/** An entry by its number; null where there is none that can be read. */
export function findEntry(sqlite: Database.Database, entryNo: number): CustodyEntry | null {
  const text = sqlite.prepare('SELECT entry FROM custody WHERE entry_no = ?').pluck().get(entryNo);
  return typeof text === 'string' ? readEntry(text) : null;
}

/** Entries that are read at a time: while signatures are checked, others use the file. */
const PIECE = 512;

/** The log in order. @param after the entry that it is read from on; the whole of it where this is left out */
export function* custodyRows(
  sqlite: Database.Database,
  after: number = Number.MIN_SAFE_INTEGER,
): Generator<StoredEntry> {
  const next = sqlite.prepare(`${ROWS} WHERE entry_no > ? ORDER BY entry_no LIMIT ${PIECE}`);
  for (let last = after; ; ) {
    const rows = next.all(last) as StoredEntry[];
    yield* rows;
    if (rows.length < PIECE) return;
    last = rows[rows.length - 1]?.entry_no ?? last;
  }
}
