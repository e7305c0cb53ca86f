import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { CustodyDamage } from '../../../contract/index.ts';
import { type CheckedEntry, checkCustody, type KnownSignatures, MAX_DAMAGE } from './check-custody.ts';
import { type HeldItem, LoggedItems } from './check-items.ts';
import { NotedRecords } from './check-notes.ts';
import type { LogOf, StoredEntry } from './custody-entry.ts';
import { custodyRows } from './custody-log.ts';

/** Entries after which others have their turn on the thread. */
const PIECE = 512;

async function* withPauses(rows: Iterable<StoredEntry>): AsyncGenerator<StoredEntry> {
  let count = 0;
  for (const row of rows) {
    yield row;
    count += 1;
    if (count % PIECE === 0) await setImmediate();
  }
}

/** How the log of an open case is checked. */
export interface WholeLogCheck {
  readonly of: LogOf;
  readonly signatures: KnownSignatures;
  /** Whether others have their turn in between, who may write meanwhile. */
  readonly pauses: boolean;
  readonly onEntry: (checked: CheckedEntry) => void;
}

/** Checks the log of a case: itself, its signatures, and items, tags and notes by what it says of them. */
export async function checkWholeLog(sqlite: Database.Database, { of, signatures, pauses, onEntry }: WholeLogCheck) {
  const noted = new NotedRecords();
  const logged = new LoggedItems();
  const rows = custodyRows(sqlite);
  const check = await checkCustody(pauses ? withPauses(rows) : rows, of, signatures, (checked) => {
    noted.take(checked);
    logged.take(checked);
    onEntry(checked);
  });
  const found = [...check.damage, ...lostEnds(sqlite), ...changedItems(sqlite, logged), ...changedNotes(sqlite, noted)];
  return { ...check, damage: found.slice(0, MAX_DAMAGE) };
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
  const rows = sqlite
    .prepare(
      `SELECT operation_id, note, bookmarked, (SELECT json_group_array(tag) FROM
         (SELECT tag FROM tags t WHERE t.operation_id = a.operation_id ORDER BY place)) AS tags FROM annotations a`,
    )
    .all() as { operation_id: string; note: string; bookmarked: number; tags: string }[];
  const changed = rows.flatMap(({ operation_id, note, bookmarked, tags }) => {
    const written = { tags: JSON.parse(tags) as string[], note, bookmarked: bookmarked === 1 };
    return noted.differsFrom(operation_id, written) ?? [];
  });
  return [...changed, ...noted.missing()].sort((a, b) => a - b).map((entry_no) => ({ entry_no, code: 'NOTE_CHANGED' }));
}
