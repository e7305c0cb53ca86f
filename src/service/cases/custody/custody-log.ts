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

/** An entry takes up to some kilobytes: a log has no more than these. */
const MAX_ENTRIES = {
  case: { most: 100_000, remedy: 'import the file as another case' },
  ledger: { most: 1_000_000, remedy: 'export a bundle, and continue in a case made of it' },
} as const;

/** Who does something with a case, when, and to which file. */
export interface Examiner {
  readonly by: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly caseSha256: string;
  /** Whose log in the ledger's database it is; empty in the file of a case, which has one. */
  readonly orgId: string;
}

const ENTRY = 'SELECT entry_no, entry, entry_hash FROM custody WHERE org_id = @orgId';

function newest(sqlite: Database.Database, orgId: string): StoredEntry | undefined {
  return sqlite.prepare(`${ENTRY} ORDER BY entry_no DESC LIMIT 1`).get({ orgId }) as StoredEntry | undefined;
}

/**
 * Writes down what an examiner did. To be called in the transaction that does it: a crash leaves both or neither.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function appendCustody(
  sqlite: Database.Database,
  { by, at, caseSha256, orgId }: Examiner,
  action: CustodyAction,
  details: JsonObject,
): void {
  const before = newest(sqlite, orgId);
  const entryNo = (before?.entry_no ?? 0) + 1;
  needRoom({
    what: 'entries of the custody log',
    used: entryNo - 1,
    ...MAX_ENTRIES[orgId === '' ? 'case' : 'ledger'],
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
    .prepare('INSERT INTO custody (org_id, entry_no, operation_id, entry, entry_hash) VALUES (?, ?, ?, ?, ?)')
    .run(orgId, entryNo, operationId, canonicalize({ ...entry }), custodyHash(entry));
}

function rowOf({ entry_no, entry: text, entry_hash }: StoredEntry): CustodyRow {
  const entry = readEntry(text);
  if (entry === null) return { entry_no, entry_hash, entry: null };
  const { at, by, action, details, prev_hash } = entry;
  return { entry_no, entry_hash, entry: { at, by, action, details, prev_hash } };
}

interface CustodyPart {
  readonly before: number | null;
  readonly limit: number;
  readonly operationId?: string | undefined;
}

function entriesBefore(sqlite: Database.Database, part: CustodyPart, orgId: string): StoredEntry[] {
  return sqlite
    .prepare(
      `${ENTRY} AND entry_no < @before AND (@operationId IS NULL OR operation_id = @operationId)
       ORDER BY entry_no DESC LIMIT @limit`,
    )
    .all({
      orgId,
      before: part.before ?? Number.MAX_SAFE_INTEGER,
      operationId: part.operationId ?? null,
      limit: part.limit + 1,
    }) as StoredEntry[];
}

function answerOf(
  rows: readonly StoredEntry[],
  limit: number,
  head: StoredEntry | undefined,
): Pick<CustodyAnswer, 'data' | 'nextCursor' | 'hasMore' | 'head'> {
  const page = listPage(rows.map(rowOf), limit, ({ entry_no }) => entry_no);
  const { entry_no = 0, entry_hash = '' } = head ?? {};
  return { ...page, data: [...page.data], head: head === undefined ? null : { entry_no, entry_hash } };
}

/** A page of the log of a case, newest first, and whether all of it holds. */
export function custodyPage(sqlite: Database.Database, caseSha256: string, part: CustodyPart): CustodyAnswer {
  const all = sqlite.prepare(`${ENTRY} ORDER BY entry_no`).iterate({ orgId: '' }) as Iterable<StoredEntry>;
  const damage = checkCustody(all, caseSha256);
  return { ...answerOf(entriesBefore(sqlite, part, ''), part.limit, newest(sqlite, '')), damage };
}

/**
 * A page of the log of an organization, newest first, and whether its entries hold and follow one another: whoever reads all
 * pages has checked all of it. Of entries about one record, which do not follow one another, only each itself.
 */
export function ledgerCustodyPage(
  sqlite: Database.Database,
  { orgId, subject }: { readonly orgId: string; readonly subject: string },
  part: CustodyPart,
): CustodyAnswer {
  const rows = entriesBefore(sqlite, part, orgId);
  const runs = part.operationId === undefined ? [rows.toReversed()] : rows.map((row) => [row]);
  const damage = runs.flatMap((run) => checkCustody(run, subject, run[0]));
  return { ...answerOf(rows, part.limit, newest(sqlite, orgId)), damage };
}
