import type Database from 'better-sqlite3';
import { LIMITS, type LookItem } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import type { Writing } from './annotations.ts';

/**
 * What somebody looked at, of what needs a look: the same table in the file of a case (cases/annotations-file.ts) and in the ledger's
 * database (store/schema.ts), written down in the log of what people write about records.
 */

/** What of an item is written down. */
export type Looked = Pick<LookItem, 'item_id' | 'kind'> & {
  /** Of the first record of its evidence; empty where it has none. */
  readonly operation_id: string;
};

/** Who says so, and what is called in the transaction that does it. */
export type LookWriting = Pick<Writing, 'by' | 'at' | 'orgId'> & {
  readonly append: (action: 'look.mark', details: JsonObject & { readonly operation_id: string }) => void;
};

function setLook(
  sqlite: Database.Database,
  itemId: string,
  seen: boolean,
  { by, at, orgId }: Pick<LookWriting, 'by' | 'at' | 'orgId'>,
): boolean {
  const { changes } = seen
    ? sqlite
        .prepare('INSERT OR REPLACE INTO looks (org_id, item_id, looked_at, looked_by) VALUES (?, ?, ?, ?)')
        .run(orgId, itemId, at, by)
    : sqlite.prepare('DELETE FROM looks WHERE org_id = ? AND item_id = ?').run(orgId, itemId);
  return changes > 0;
}

/**
 * Says that somebody looked at items, or that nobody did, in one transaction.
 * @returns how many were changed
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function markLooked(
  sqlite: Database.Database,
  items: readonly Looked[],
  seen: boolean,
  writing: LookWriting,
): number {
  return sqlite.transaction(() => {
    let changed = 0;
    for (const { item_id, kind, operation_id } of items) {
      if (!setLook(sqlite, item_id, seen, writing)) continue;
      writing.append('look.mark', { operation_id, item_id, kind, seen });
      changed++;
    }
    needRoom({
      what: 'items that were looked at',
      used: (sqlite.prepare('SELECT count(*) FROM looks WHERE org_id = ?').pluck().get(writing.orgId) as number) - 1,
      most: LIMITS.lookedAt,
      remedy: 'export a bundle, and continue in a case made of it',
    });
    return changed;
  })();
}

/** Takes over what an entry of a log says, into the table of whoever has that log. */
export function replayLook(
  sqlite: Database.Database,
  { item_id: itemId, seen }: JsonObject,
  writing: Pick<LookWriting, 'by' | 'at' | 'orgId'>,
): void {
  if (typeof itemId === 'string' && typeof seen === 'boolean') setLook(sqlite, itemId, seen, writing);
}
