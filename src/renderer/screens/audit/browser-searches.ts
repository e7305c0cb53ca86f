import { z } from 'zod';
import { type AuditSearch, auditSearch } from '../../lib/search-params.ts';

/** A search under a name, as it was kept in this browser before the service kept them. */
export interface BrowserSearch {
  readonly name: string;
  readonly search: AuditSearch;
}

const KEY = 'countersign.searches';
const stored = z.array(z.object({ name: z.string(), search: auditSearch })).catch([]);

/** The searches that are still in this browser. */
export function browserSearches(): readonly BrowserSearch[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch (error) {
    // Somebody else's text under our key is no search.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export function forgetBrowserSearches(): void {
  localStorage.removeItem(KEY);
}
