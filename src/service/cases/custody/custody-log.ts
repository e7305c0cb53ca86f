import type Database from 'better-sqlite3';
import type { CustodyAction, CustodyAnswer, CustodyRow } from '../../../contract/index.ts';
import { canonicalize, type JsonObject } from '../../../protocol/index.ts';
import { needRoom } from '../../base/quotas.ts';
import { listPage } from '../../http/cursor.ts';
import {
  CUSTODY_ENTRY,
  type CustodyEntry,
  checkCustody,
  custodyHash,
  readEntry,
  type StoredEntry,
} from './custody-entry.ts';

/** Came after tags and notes: a file that was begun before gets it when it is opened, and its log begins then. */
export const CUSTODY_TABLE = `
CREATE TABLE IF NOT EXISTS custody (
  entry_no INTEGER PRIMARY KEY, operation_id TEXT, entry TEXT NOT NULL, entry_hash TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS custody_operation ON custody (operation_id, entry_no) WHERE operation_id IS NOT NULL;
`;

/** An entry has a few kilobytes at most: a case has no more than these. */
const MAX_ENTRIES = 100_000;

/** Who does something with a case, when, and to which file. */
export interface Examiner {
  readonly by: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly caseSha256: string;
}

function newest(sqlite: Database.Database): StoredEntry | undefined {
  return sqlite.prepare('SELECT * FROM custody ORDER BY entry_no DESC LIMIT 1').get() as StoredEntry | undefined;
}

/**
 * Writes down what an examiner did. To be called in the transaction that does it: a crash leaves both or neither.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function appendCustody(
  sqlite: Database.Database,
  { by, at, caseSha256 }: Examiner,
  action: CustodyAction,
  details: JsonObject,
): void {
  const before = newest(sqlite);
  const entryNo = (before?.entry_no ?? 0) + 1;
  needRoom({
    what: 'entries of the custody log',
    used: entryNo - 1,
    most: MAX_ENTRIES,
    remedy: 'import the file as another case',
  });
  const entry: CustodyEntry = {
    type: CUSTODY_ENTRY,
    case_sha256: caseSha256,
    entry_no: entryNo,
    at: new Date(at).toISOString(),
    by,
    action,
    details,
    prev_hash: before?.entry_hash ?? null,
  };
  const operationId = typeof details['operation_id'] === 'string' ? details['operation_id'] : null;
  sqlite
    .prepare('INSERT INTO custody VALUES (?, ?, ?, ?)')
    .run(entryNo, operationId, canonicalize({ ...entry }), custodyHash(entry));
}

function rowOf({ entry_no, entry: text, entry_hash }: StoredEntry): CustodyRow {
  const entry = readEntry(text);
  if (entry === null) return { entry_no, entry_hash, entry: null };
  const { at, by, action, details, prev_hash } = entry;
  return { entry_no, entry_hash, entry: { at, by, action, details, prev_hash } };
}

/** A page of the log, newest first, and whether all of it holds. */
export function custodyPage(
  sqlite: Database.Database,
  caseSha256: string,
  {
    before,
    limit,
    operationId,
  }: { readonly before: number | null; readonly limit: number; readonly operationId?: string | undefined },
): CustodyAnswer {
  const rows = sqlite
    .prepare(
      `SELECT * FROM custody WHERE entry_no < @before AND (@operationId IS NULL OR operation_id = @operationId)
       ORDER BY entry_no DESC LIMIT @limit`,
    )
    .all({ before: before ?? MAX_ENTRIES + 1, operationId: operationId ?? null, limit: limit + 1 }) as StoredEntry[];
  const all = sqlite.prepare('SELECT * FROM custody ORDER BY entry_no').iterate() as Iterable<StoredEntry>;
  const damage = checkCustody(all, caseSha256);
  const head = newest(sqlite);
  const page = listPage(rows.map(rowOf), limit, ({ entry_no }) => entry_no);
  return {
    ...page,
    data: [...page.data],
    head: head === undefined ? null : { entry_no: head.entry_no, entry_hash: head.entry_hash },
    damage,
  };
}
