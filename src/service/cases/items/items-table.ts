import type Database from 'better-sqlite3';
import type { CaseItemCode, CaseItemKind, CaseItemVerdict } from '../../../api/index.ts';
import { LIMITS } from '../../../api/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { appendCustody, type Examiner } from '../custody/custody-log.ts';
import type { ReportSigner } from './item-file.ts';

/** Items besides the file of the case, in the file of what examiners do: an item and the entry about it are written together. */
export const ITEM_TABLES = `
CREATE TABLE IF NOT EXISTS items (
  item_no INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, stored_as TEXT NOT NULL UNIQUE,
  added_at INTEGER NOT NULL, added_by TEXT, kind TEXT, verdict TEXT, code TEXT, summary TEXT NOT NULL DEFAULT '',
  verified_at INTEGER, verified_with TEXT, judgement_sha256 TEXT, stated TEXT, signed_by TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS trust_lists (list_no INTEGER PRIMARY KEY, kids TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE IF NOT EXISTS item_counter (only INTEGER PRIMARY KEY CHECK (only = 1), last_no INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS judgement_round (only INTEGER PRIMARY KEY CHECK (only = 1), round INTEGER NOT NULL) STRICT;
`;

/** The number of the file that a case was made of. */
export const FIRST_ITEM = 1;

/** What a case file said of an item, before it was looked at here. */
export interface Stated {
  readonly verdict: CaseItemVerdict | null;
  readonly judgement_sha256: string | null;
  /** The keys that it was verified with there. */
  readonly verified_with: readonly string[];
  readonly reproduced: boolean | null;
}

/** An item as it is kept. Its bytes are in the folder of items, under a name that we chose. */
export interface StoredItem {
  readonly item_no: number;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly stored_as: string;
  readonly added_at: number;
  readonly added_by: string | null;
  readonly kind: CaseItemKind | null;
  readonly verdict: CaseItemVerdict | null;
  readonly code: CaseItemCode | null;
  readonly summary: string;
  readonly verified_at: number | null;
  readonly verified_with: readonly string[];
  readonly judgement_sha256: string | null;
  readonly stated: Stated | null;
  readonly signed_by: ReportSigner | null;
}

type Row = Omit<StoredItem, 'verified_with' | 'stated' | 'signed_by'> & {
  readonly verified_with: string | null;
  readonly signed_by: string | null;
  readonly stated: string | null;
};

/** Many items are verified with the same keys: each list is kept once. @returns its number */
function keepTrust(sqlite: Database.Database, kids: readonly string[]): number {
  const text = JSON.stringify(kids);
  sqlite.prepare('INSERT INTO trust_lists (kids) VALUES (?) ON CONFLICT (kids) DO NOTHING').run(text);
  return sqlite.prepare('SELECT list_no FROM trust_lists WHERE kids = ?').pluck().get(text) as number;
}

function dropUnusedTrust(sqlite: Database.Database): void {
  sqlite
    .prepare(
      `DELETE FROM trust_lists WHERE list_no NOT IN (
         SELECT CAST(verified_with AS INTEGER) FROM items WHERE verified_with IS NOT NULL
         UNION SELECT json_extract(stated, '$.verified_with') FROM items WHERE stated IS NOT NULL)`,
    )
    .run();
}

function itemsFrom(sqlite: Database.Database, rows: readonly Row[]): StoredItem[] {
  const lists = new Map<number, readonly string[]>();
  const trust = (at: number): readonly string[] => {
    const known = lists.get(at);
    if (known !== undefined) return known;
    const text = sqlite.prepare('SELECT kids FROM trust_lists WHERE list_no = ?').pluck().get(at) as string;
    const kids = JSON.parse(text) as string[];
    lists.set(at, kids);
    return kids;
  };
  return rows.map(({ verified_with, stated, signed_by, ...row }) => {
    const said = stated === null ? null : (JSON.parse(stated) as Stated & { readonly verified_with: number });
    return {
      ...row,
      verified_with: verified_with === null ? [] : trust(Number(verified_with)),
      stated: said === null ? null : { ...said, verified_with: trust(said.verified_with) },
      signed_by: signed_by === null ? null : (JSON.parse(signed_by) as ReportSigner),
    };
  });
}

export function listItems(sqlite: Database.Database): StoredItem[] {
  return itemsFrom(sqlite, sqlite.prepare('SELECT * FROM items ORDER BY item_no').all() as Row[]);
}

/** @throws ServiceError NOT_FOUND */
export function findItem(sqlite: Database.Database, itemNo: number): StoredItem {
  const rows = sqlite.prepare('SELECT * FROM items WHERE item_no = ?').all(itemNo) as Row[];
  const [item] = itemsFrom(sqlite, rows);
  if (item === undefined) throw new ServiceError('NOT_FOUND', 'there is no such item in this case');
  return item;
}

/** The highest number that was ever given. */
export function lastItemNo(sqlite: Database.Database): number {
  const last = sqlite.prepare('SELECT last_no FROM item_counter').pluck().get() as number | undefined;
  return last ?? FIRST_ITEM;
}

function setLastItemNo(sqlite: Database.Database, last: number): void {
  sqlite.prepare('INSERT OR REPLACE INTO item_counter VALUES (1, ?)').run(last);
}

/** What is put into a case; whether it begins as a checkpoint, which those that are there are then held against too. */
export type NewItem = GivenItem & { readonly isCheckpoint: boolean };

type GivenItem = Pick<StoredItem, 'name' | 'bytes' | 'sha256' | 'stored_as'>;

/**
 * Puts an item into the table and into the log. Its bytes are there already: a crash before this leaves a file that the next
 * opening of the case removes.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function addItem(sqlite: Database.Database, item: NewItem, examiner: Examiner): StoredItem {
  return sqlite.transaction(() => {
    const used = sqlite.prepare('SELECT count(*) FROM items').pluck().get() as number;
    needRoom({
      what: 'items in this case',
      used,
      most: LIMITS.caseItems,
      remedy: 'remove some, or begin another case',
    });
    const itemNo = lastItemNo(sqlite) + 1;
    const { isCheckpoint, ...given } = item;
    insertItem(sqlite, { ...given, item_no: itemNo, added_at: examiner.at, added_by: examiner.by, stated: null });
    if (isCheckpoint) forgetHeld(sqlite);
    const { name, bytes, sha256 } = item;
    appendCustody(sqlite, examiner, 'item.add', { item_no: itemNo, name, bytes, sha256 });
    return findItem(sqlite, itemNo);
  })();
}

/** Puts an item into the table as it was numbered. */
export function insertItem(
  sqlite: Database.Database,
  item: GivenItem & Pick<StoredItem, 'item_no' | 'added_at' | 'added_by' | 'stated'>,
): void {
  const { stated, ...row } = item;
  sqlite
    .prepare(
      `INSERT INTO items (item_no, name, bytes, sha256, stored_as, added_at, added_by, stated)
       VALUES (@item_no, @name, @bytes, @sha256, @stored_as, @added_at, @added_by, @stated)`,
    )
    .run({
      ...row,
      stated:
        stated === null ? null : JSON.stringify({ ...stated, verified_with: keepTrust(sqlite, stated.verified_with) }),
    });
  keepLastItemNo(sqlite, item.item_no);
}

/** Sees to it that no number up to this one is given again. */
export function keepLastItemNo(sqlite: Database.Database, last: number): void {
  if (lastItemNo(sqlite) < last) setLastItemNo(sqlite, last);
}

/** @returns the item, whose bytes are to be removed @throws ServiceError NOT_FOUND */
export function removeItem(sqlite: Database.Database, itemNo: number, examiner: Examiner): StoredItem {
  return sqlite.transaction(() => {
    const item = findItem(sqlite, itemNo);
    sqlite.prepare('DELETE FROM items WHERE item_no = ?').run(itemNo);
    if (item.kind === 'checkpoint') forgetHeld(sqlite);
    const { name, bytes, sha256 } = item;
    appendCustody(sqlite, examiner, 'item.remove', { item_no: itemNo, name, bytes, sha256 });
    return item;
  })();
}

/** What was found about an item. */
export interface Judged {
  readonly kind: CaseItemKind;
  readonly verdict: CaseItemVerdict;
  readonly code: CaseItemCode | null;
  readonly summary: string;
  readonly signed_by: ReportSigner | null;
  readonly verified_at: number;
  readonly verified_with: readonly string[];
  readonly judgement_sha256: string | null;
  readonly reproduced: boolean | null;
}

/** How often judgements were forgotten: what was begun in an earlier round may have been judged with the trust of then. */
export function judgementRound(sqlite: Database.Database): number {
  return (sqlite.prepare('SELECT round FROM judgement_round').pluck().get() as number | undefined) ?? 0;
}

/**
 * Keeps what was found; an item that was removed meanwhile stays away.
 * @param round in which looking began: of an earlier one nothing is kept, and the item stays due
 */
export function keepJudgement(
  sqlite: Database.Database,
  itemNo: number,
  { reproduced, signed_by, ...judged }: Judged,
  round: number,
): void {
  if (round !== judgementRound(sqlite)) return;
  sqlite
    .prepare(
      `UPDATE items SET kind = @kind, verdict = @verdict, code = @code, summary = @summary, verified_at = @verified_at,
         verified_with = @verified_with, judgement_sha256 = @judgement_sha256, signed_by = @signed_by,
         stated = CASE WHEN stated IS NULL OR @reproduced IS NULL THEN stated ELSE json_set(stated, '$.reproduced', json(@reproduced)) END
       WHERE item_no = @item_no`,
    )
    .run({
      ...judged,
      item_no: itemNo,
      signed_by: signed_by && JSON.stringify(signed_by),
      verified_with: JSON.stringify(keepTrust(sqlite, judged.verified_with)),
      reproduced: reproduced === null ? null : String(reproduced),
    });
}

/** Has every item looked at again: until then the former verdict is not theirs, nor is one that is being made now. */
export function forgetJudgements(sqlite: Database.Database): void {
  sqlite.transaction(() => {
    sqlite.prepare('INSERT OR REPLACE INTO judgement_round VALUES (1, ?)').run(judgementRound(sqlite) + 1);
    forget(sqlite, '');
    dropUnusedTrust(sqlite);
  })();
}

const HELD = "WHERE kind IN ('checkpoint', 'time-stamps', 'bundle', 'bundle-gzip', 'report-pdf')";

function forget(sqlite: Database.Database, which: typeof HELD | ''): void {
  const sql = `UPDATE items SET verdict = NULL, code = NULL, summary = '', judgement_sha256 = NULL, signed_by = NULL ${which}`;
  sqlite.prepare(sql).run();
}

/**
 * Has looked at again what a checkpoint that came or went may change: the checkpoints and time stamps, each of which is held against the
 * bundle together with the checkpoints, and the bundles, which are held to witnesses with all of them.
 */
function forgetHeld(sqlite: Database.Database): void {
  sqlite.prepare('INSERT OR REPLACE INTO judgement_round VALUES (1, ?)').run(judgementRound(sqlite) + 1);
  forget(sqlite, HELD);
}
