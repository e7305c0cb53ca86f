import { randomUUID } from 'node:crypto';
import { LIMITS, type SavedSearch } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, asc, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { savedSearches, users } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';

/** A search takes no more than this, in characters: its query alone may have 4,096. */
const MAX_SEARCH = 16_384;

interface SearchContext {
  readonly writer: Writer;
  readonly now: () => number;
}

/** @throws ServiceError VALIDATION_ERROR */
export function checkSearch(search: JsonObject): string {
  const text = JSON.stringify(search);
  if (text.length <= MAX_SEARCH) return text;
  throw new ServiceError('VALIDATION_ERROR', `search: must be at most ${MAX_SEARCH} characters of JSON`);
}

/** Searches of an organization, by name. */
export function listSearches({ db }: Store, orgId: string): SavedSearch[] {
  const rows = db
    .select({ row: savedSearches, email: users.email })
    .from(savedSearches)
    .leftJoin(users, eq(users.userId, savedSearches.createdBy))
    .where(eq(savedSearches.orgId, orgId))
    .orderBy(asc(savedSearches.name))
    .all();
  return rows.map(({ row, email }) => ({
    search_id: row.searchId,
    name: row.name,
    search: JSON.parse(row.search) as JsonObject,
    created_at: new Date(row.createdAt).toISOString(),
    created_by: email,
  }));
}

/** Saves a search under a name, in the place of one that has it. @throws ServiceError VALIDATION_ERROR, QUOTA_EXCEEDED */
export async function saveSearch(
  { writer, now }: SearchContext,
  orgId: string,
  actor: string,
  { name, search }: { readonly name: string; readonly search: JsonObject },
): Promise<SavedSearch> {
  const text = checkSearch(search);
  return writer.transact((store) => {
    const createdAt = now();
    const searchId = randomUUID();
    store.db
      .delete(savedSearches)
      .where(and(eq(savedSearches.orgId, orgId), eq(savedSearches.name, name)))
      .run();
    needRoom({
      what: 'saved searches',
      used: listSearches(store, orgId).length,
      most: LIMITS.savedSearches,
      remedy: 'delete those that are no longer needed',
    });
    store.db.insert(savedSearches).values({ searchId, orgId, name, search: text, createdAt, createdBy: actor }).run();
    const target = { targetType: 'saved_search', targetId: searchId, details: { name } };
    recordAdminEvent(store, { orgId, actor, action: 'search.save', ...target }, createdAt);
    const saved = listSearches(store, orgId).find(({ search_id: id }) => id === searchId);
    if (saved === undefined) throw new Error('a saved search is not there');
    return saved;
  });
}

/** @throws ServiceError NOT_FOUND */
export async function deleteSearch(
  { writer, now }: SearchContext,
  orgId: string,
  actor: string,
  searchId: string,
): Promise<void> {
  await writer.transact((store) => {
    const own = and(eq(savedSearches.orgId, orgId), eq(savedSearches.searchId, searchId));
    const row = store.db.select({ name: savedSearches.name }).from(savedSearches).where(own).get();
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such saved search');
    store.db.delete(savedSearches).where(own).run();
    const target = { targetType: 'saved_search', targetId: searchId, details: { name: row.name } };
    recordAdminEvent(store, { orgId, actor, action: 'search.delete', ...target }, now());
  });
}
