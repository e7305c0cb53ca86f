import type { AuditSearch } from './search-params.ts';

/** An action, or a single record, in the order of the ledger. */
export interface PlacedAction {
  readonly operation_id: string;
  readonly seq_no: number;
  /** Of its last record. */
  readonly last_seq_no: number;
}

/** What leads from an action to what came after it and before it, by its key. */
export const AROUND_KEYS = { f: 'fromHere', u: 'upToHere', w: 'toldByThen' } as const;
type AroundKey = keyof typeof AROUND_KEYS;
type Around = (typeof AROUND_KEYS)[AroundKey];

/** What a key means next to an action; null for any other key, and where it is one of several pressed together. */
export function aroundOfKey(event: {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): Around | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  return Object.hasOwn(AROUND_KEYS, event.key) ? AROUND_KEYS[event.key as AroundKey] : null;
}

/** The search that shows what came after an action, or before it, of all agents; or all that its agent had been told by then. */
export function searchAround(
  around: Around,
  { operation_id: selected, seq_no, last_seq_no }: PlacedAction,
): AuditSearch {
  if (around === 'fromHere') return { query: `seq >= ${seq_no}`, order: 'oldest', selected };
  const before: AuditSearch = { query: `seq <= ${last_seq_no}`, selected };
  return around === 'upToHere' ? before : { ...before, part: 'told' };
}
