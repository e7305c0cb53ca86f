import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import { LIMITS, type SavedSearch } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { addressOf, OF_CASE, type Writing } from './annotations.ts';

/*
 * Searches that people keep under a name: the same table in the file of a case (cases/annotations-file.ts) and in the ledger's database
 * (store/schema.ts), where each organization has its own rows.
 */

/** A search takes no more than this, in characters: its query alone may have 4,096. */
const MAX_SEARCH = 16_384;

/** Who does it, and what is called in the transaction that does it. `by` is what the table has of people. */
export type SearchWriting = Pick<Writing, 'by' | 'at' | 'orgId'> & {
  readonly append: (
    action: 'search.save' | 'search.delete',
    searchId: string,
    details: JsonObject & { readonly name: string },
  ) => void;
};

interface SearchRow extends Omit<SavedSearch, 'search' | 'created_at'> {
  readonly search: string;
  readonly created_at: number;
}

/** @throws ServiceError VALIDATION_ERROR */
export function checkSearch(search: JsonObject): string {
  const text = JSON.stringify(search);
  if (text.length <= MAX_SEARCH) return text;
  throw new ServiceError('VALIDATION_ERROR', `search: must be at most ${MAX_SEARCH} characters of JSON`);
}

/** Searches by name. */
export function listSearches(sqlite: Database.Database, orgId = OF_CASE): SavedSearch[] {
  const sql = `SELECT search_id, name, search, created_at, ${addressOf('created_by', orgId)} AS created_by
    FROM saved_searches WHERE org_id = ? ORDER BY name`;
  const rows = sqlite.prepare(sql).all(orgId) as SearchRow[];
  return rows.map(({ search, created_at, ...row }) => ({
    ...row,
    search: JSON.parse(search) as JsonObject,
    created_at: new Date(created_at).toISOString(),
  }));
}

/** Saves a search under a name, in the place of one that has it. @throws ServiceError VALIDATION_ERROR, QUOTA_EXCEEDED */
export function saveSearch(
  sqlite: Database.Database,
  { name, search }: { readonly name: string; readonly search: JsonObject },
  { by, at, orgId, append }: SearchWriting,
): SavedSearch {
  const text = checkSearch(search);
  const searchId = randomUUID();
  return sqlite.transaction(() => {
    sqlite.prepare('DELETE FROM saved_searches WHERE org_id = ? AND name = ?').run(orgId, name);
    needRoom({
      what: 'saved searches',
      used: listSearches(sqlite, orgId).length,
      most: LIMITS.savedSearches,
      remedy: 'delete those that are no longer needed',
    });
    insertSearch(sqlite, { search_id: searchId, name, search: text, created_at: at, created_by: by }, orgId);
    append('search.save', searchId, { name, search });
    const saved = listSearches(sqlite, orgId).find(({ search_id: id }) => id === searchId);
    if (saved === undefined) throw new Error('a saved search is not there');
    return saved;
  })();
}

export function insertSearch(sqlite: Database.Database, row: SearchRow, orgId = OF_CASE): void {
  sqlite
    .prepare(
      `INSERT INTO saved_searches (search_id, org_id, name, search, created_at, created_by)
       VALUES (@search_id, @orgId, @name, @search, @created_at, @created_by)`,
    )
    .run({ ...row, orgId });
}

/** @throws ServiceError NOT_FOUND */
export function deleteSearch(
  sqlite: Database.Database,
  searchId: string,
  { orgId, append }: Pick<SearchWriting, 'orgId' | 'append'>,
): void {
  sqlite.transaction(() => {
    const sql = 'DELETE FROM saved_searches WHERE org_id = ? AND search_id = ? RETURNING name';
    const name = sqlite.prepare(sql).pluck().get(orgId, searchId);
    if (typeof name !== 'string') throw new ServiceError('NOT_FOUND', 'there is no such saved search');
    append('search.delete', searchId, { name });
  })();
}
