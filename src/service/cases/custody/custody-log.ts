import type Database from 'better-sqlite3';
import type { CustodyAction, CustodyAnswer, CustodyDamage, CustodyRow } from '../../../contract/index.ts';
import {
  type CaseSignature,
  CUSTODY_ENTRY,
  canonicalize,
  caseSignatureCheck,
  custodyBytes,
  type Json,
  type JsonObject,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { needRoom } from '../../base/quotas.ts';
import { listPage } from '../../http/cursor.ts';
import { type CheckedEntry, checkCustody, KnownSignatures, MAX_DAMAGE, readSignature } from './check-custody.ts';
import { type HeldItem, LoggedItems } from './check-items.ts';
import { NotedRecords } from './check-notes.ts';
import { type CustodyEntry, custodyHash, readEntry, type StoredEntry } from './custody-entry.ts';

/** Came after tags and notes: a file that was begun before gets it when it is opened, and its log begins then. */
export const CUSTODY_TABLES = `
CREATE TABLE IF NOT EXISTS custody (
  entry_no INTEGER PRIMARY KEY, operation_id TEXT, entry TEXT NOT NULL, entry_hash TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS custody_operation ON custody (operation_id, entry_no) WHERE operation_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS custody_signatures (entry_no INTEGER PRIMARY KEY, signature TEXT NOT NULL) STRICT;
`;

/** Every column of a StoredEntry. */
const ROWS = 'SELECT c.*, s.signature FROM custody c LEFT JOIN custody_signatures s USING (entry_no)';

/** An entry has a few kilobytes at most: a case has no more than these. */
const MAX_ENTRIES = 100_000;

/** Who does something with a case, when, and to which file. */
export interface Examiner {
  readonly by: string | null;
  /** Where an API token does it. */
  readonly via?: 'token' | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly caseSha256: string;
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
  { by, via, at, caseSha256 }: Examiner,
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
    ...(via === undefined ? {} : { via }),
    action,
    details,
    prev_hash: before?.entry_hash ?? null,
  };
  insertEntry(sqlite, {
    entry_no: entryNo,
    entry: new TextDecoder().decode(custodyBytes(entry)),
    entry_hash: custodyHash(entry),
    signature: null,
  });
}

/** Puts an entry into the log as it is. */
export function insertEntry(sqlite: Database.Database, { entry_no, entry, entry_hash, signature }: StoredEntry): void {
  const operationId = readEntry(entry)?.details['operation_id'];
  const about = typeof operationId === 'string' ? operationId : null;
  sqlite.prepare('INSERT INTO custody VALUES (?, ?, ?, ?)').run(entry_no, about, entry, entry_hash);
  if (signature !== null) insertSignature(sqlite, entry_no, signature);
}

function insertSignature(sqlite: Database.Database, entryNo: number, signature: string): void {
  sqlite.prepare('INSERT INTO custody_signatures VALUES (?, ?)').run(entryNo, signature);
}

/** A signature for an entry, as a window made it. */
export interface SignedEntry {
  readonly entry_no: number;
  readonly entry_hash: string;
  readonly signature: CaseSignature;
}

/**
 * The newest entry that says that the case was opened from a file, which this service wrote when it opened it: what stands before
 * it, and who is said to have done that, was chosen by whoever made the file. 0 of a case that was begun here.
 */
function openedAt(sqlite: Database.Database): number {
  const rows = sqlite
    .prepare(`SELECT entry_no, entry FROM custody WHERE entry LIKE '%"action":"case.open"%' ORDER BY entry_no DESC`)
    .iterate() as IterableIterator<Pick<StoredEntry, 'entry_no' | 'entry'>>;
  for (const { entry_no, entry } of rows) if (readEntry(entry)?.action === 'case.open') return entry_no;
  return 0;
}

/** Whether an entry was written here, and is still what was: only such a one is anybody's to sign. */
function maySign({ entry_no, entry_hash }: StoredEntry, entry: CustodyEntry, after: number): boolean {
  return entry_no >= after && entry.entry_no === entry_no && custodyHash(entry) === entry_hash;
}

/**
 * Keeps signatures of entries by who did what they say. One that is signed already stays as it is.
 * @param signer the address of who is signed in
 * @returns how many were kept
 * @throws ServiceError VALIDATION_ERROR where one is not a signature of such an entry: then none is kept
 */
export async function signEntries(
  sqlite: Database.Database,
  signer: string,
  signed: readonly SignedEntry[],
): Promise<number> {
  const known = signaturesOf(sqlite);
  const after = openedAt(sqlite);
  const rows = signed.map(({ entry_no, entry_hash, signature }) => {
    const row = sqlite.prepare(`${ROWS} WHERE entry_no = ?`).get(entry_no) as StoredEntry | undefined;
    const entry = row === undefined ? null : readEntry(row.entry);
    if (row === undefined || entry === null || row.entry_hash !== entry_hash) {
      throw new ServiceError('VALIDATION_ERROR', `signatures: entry ${entry_no} has another hash, or there is none`);
    }
    if (!maySign(row, entry, after)) {
      throw new ServiceError(
        'VALIDATION_ERROR',
        `signatures: entry ${entry_no} came with a case file, or is not what its hash is of`,
      );
    }
    if (entry.by !== signer || signature.signer !== signer) {
      throw new ServiceError('VALIDATION_ERROR', `signatures: entry ${entry_no} is by somebody else`);
    }
    return { row, entry };
  });
  const texts = signed.map(({ signature }) => canonicalize({ ...signature } as unknown as Json));
  const holds = await known.verify(
    rows.map(({ row, entry: { case_sha256, entry_no } }, index) => {
      const { signature } = signed[index] ?? {};
      const subject = {
        type: 'countersign.custody-signature.v1',
        ...{ case_sha256, entry_no, entry_hash: row.entry_hash },
      } as const;
      return signature === undefined ? null : caseSignatureCheck(subject, signature);
    }),
    rows.map(({ row }, index) => `${row.entry_hash} ${texts[index]}`),
  );
  const wrong = rows.find((_, index) => holds[index] !== true);
  if (wrong !== undefined) {
    throw new ServiceError('VALIDATION_ERROR', `signatures: that of entry ${wrong.row.entry_no} does not verify`);
  }
  return sqlite.transaction(() => {
    let kept = 0;
    rows.forEach(({ row }, index) => {
      // Looked at again: another window of the same person may have come in between.
      const found = sqlite.prepare('SELECT 1 FROM custody_signatures WHERE entry_no = ?').get(row.entry_no);
      if (found !== undefined) return;
      insertSignature(sqlite, row.entry_no, texts[index] ?? '');
      kept += 1;
    });
    return kept;
  })();
}

const KNOWN = new WeakMap<Database.Database, KnownSignatures>();

/** What is known of the signatures of a log, as long as its file is open. */
function signaturesOf(sqlite: Database.Database): KnownSignatures {
  let known = KNOWN.get(sqlite);
  if (known === undefined) {
    known = new KnownSignatures(nodeCrypto);
    KNOWN.set(sqlite, known);
  }
  return known;
}

/** Entries that are read at a time: while signatures are checked, others use the file. */
const PIECE = 512;

/** The whole log, in order. */
export function* custodyRows(sqlite: Database.Database): Generator<StoredEntry> {
  const next = sqlite.prepare(`${ROWS} WHERE entry_no > ? ORDER BY entry_no LIMIT ${PIECE}`);
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = next.all(last) as StoredEntry[];
    yield* rows;
    if (rows.length < PIECE) return;
    last = rows[rows.length - 1]?.entry_no ?? last;
  }
}

/** Checks the log of a case: itself, its signatures, and items, tags and notes by what it says of them. */
export async function checkedCustody(
  sqlite: Database.Database,
  caseSha256: string,
  onEntry: (checked: CheckedEntry) => void = () => undefined,
) {
  const noted = new NotedRecords();
  const logged = new LoggedItems();
  const check = await checkCustody(custodyRows(sqlite), caseSha256, signaturesOf(sqlite), (checked) => {
    noted.take(checked);
    logged.take(checked);
    onEntry(checked);
  });
  return {
    ...check,
    damage: [
      ...check.damage,
      ...lostEnds(sqlite),
      ...changedItems(sqlite, logged),
      ...changedNotes(sqlite, noted),
    ].slice(0, MAX_DAMAGE),
  };
}

/** Signatures of entries that are not there. */
function lostEnds(sqlite: Database.Database): CustodyDamage[] {
  const sql = `SELECT entry_no FROM custody_signatures
    WHERE entry_no > (SELECT coalesce(max(entry_no), 0) FROM custody) ORDER BY entry_no LIMIT ${MAX_DAMAGE}`;
  const lost = sqlite.prepare(sql).pluck().all() as number[];
  return lost.map((entry_no) => ({ entry_no, code: 'ENTRY_MISSING' }));
}

function changedItems(sqlite: Database.Database, logged: LoggedItems): CustodyDamage[] {
  const items = sqlite.prepare('SELECT item_no, name, bytes, sha256, added_by FROM items').all() as HeldItem[];
  return logged.changed(items).map((changed) => ({ ...changed, code: 'ITEM_CHANGED' }));
}

function changedNotes(sqlite: Database.Database, noted: NotedRecords): CustodyDamage[] {
  const changed: number[] = [];
  const rows = sqlite
    .prepare(
      `SELECT operation_id, note, bookmarked, (SELECT json_group_array(tag) FROM
         (SELECT tag FROM tags t WHERE t.operation_id = a.operation_id ORDER BY place)) AS tags FROM annotations a`,
    )
    .all() as { operation_id: string; note: string; bookmarked: number; tags: string }[];
  for (const { operation_id, note, bookmarked, tags } of rows) {
    const written = { tags: JSON.parse(tags) as string[], note, bookmarked: bookmarked === 1 };
    const entryNo = noted.differsFrom(operation_id, written);
    if (entryNo !== null) changed.push(entryNo);
  }
  return [...changed, ...noted.missing()].sort((a, b) => a - b).map((entry_no) => ({ entry_no, code: 'NOTE_CHANGED' }));
}

function rowOf(row: StoredEntry, state: CustodyRow['signature'], after: number): CustodyRow {
  const { entry_no, entry: text, entry_hash, signature } = row;
  const entry = readEntry(text);
  const kid = signature === null ? null : (readSignature(signature)?.kid ?? null);
  if (entry === null) return { entry_no, entry_hash, entry: null, signature: state, kid, signable: false };
  const { at, by, via, action, details, prev_hash } = entry;
  const shown = { at, by, action, details, prev_hash, ...(via === undefined ? {} : { via }) };
  const signable = signature === null && by !== null && maySign(row, entry, after);
  return { entry_no, entry_hash, entry: shown, signature: state, kid, signable };
}

/** A page of the log as the thread that reads tells of it: whose keys are known here the service says. */
export interface CustodyPage extends Omit<CustodyAnswer, 'examiners' | 'all_registered'> {
  readonly examiners: Awaited<ReturnType<typeof checkCustody>>['examiners'];
}

/** A page of the log, newest first, and whether all of it holds. */
export async function custodyPage(
  sqlite: Database.Database,
  caseSha256: string,
  {
    before,
    limit,
    operationId,
  }: { readonly before: number | null; readonly limit: number; readonly operationId?: string | undefined },
): Promise<CustodyPage> {
  const rows = sqlite
    .prepare(
      `${ROWS} WHERE entry_no < @before AND (@operationId IS NULL OR operation_id = @operationId)
       ORDER BY entry_no DESC LIMIT @limit`,
    )
    .all({ before: before ?? MAX_ENTRIES + 1, operationId: operationId ?? null, limit: limit + 1 }) as StoredEntry[];
  const shown = new Set(rows.map(({ entry_no }) => entry_no));
  const states = new Map<number, CustodyRow['signature']>();
  const { damage, signatures, examiners, head } = await checkedCustody(
    sqlite,
    caseSha256,
    ({ entry_no, signature }) => {
      if (shown.has(entry_no)) states.set(entry_no, signature);
    },
  );
  const stateOf = ({ entry_no }: StoredEntry): CustodyRow['signature'] => states.get(entry_no) ?? 'unsigned';
  const after = openedAt(sqlite);
  const page = listPage(
    rows.map((row) => rowOf(row, stateOf(row), after)),
    limit,
    ({ entry_no }) => entry_no,
  );
  return { ...page, data: [...page.data], head, damage, signatures, examiners };
}
