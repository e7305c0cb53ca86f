import { z } from 'zod';
import { type AuditSearch, auditSearch } from '../../lib/search-params.ts';

/** A search under a name, kept in this browser. */
export interface SavedSearch {
  readonly name: string;
  readonly search: AuditSearch;
}

const KEY = 'countersign.searches';
const stored = z.array(z.object({ name: z.string(), search: auditSearch })).catch([]);

export function savedSearches(): readonly SavedSearch[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch (error) {
    // Somebody else's text under our key is no search.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Keeps a search; one of the same name is replaced. */
export function saveSearch(name: string, { selected: _, ...search }: AuditSearch): readonly SavedSearch[] {
  return write([...savedSearches().filter((other) => other.name !== name), { name, search }]);
}

export function forgetSearch(name: string): readonly SavedSearch[] {
  return write(savedSearches().filter((other) => other.name !== name));
}

function write(searches: readonly SavedSearch[]): readonly SavedSearch[] {
  localStorage.setItem(KEY, JSON.stringify(searches));
  return searches;
}
