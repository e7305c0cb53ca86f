import { type Hit, hitsOf, parseQuery, type ReadPayload, readPayload } from '../../../../actions/index.ts';
import type { StoredOperation } from '../../../api/answers.ts';
import type { QueryContext } from '../terms.ts';

/** What a query found in a payload, by the pointer of the member. */
export interface FoundIn {
  readonly names: ReadonlyMap<string, Hit>;
  readonly values: ReadonlyMap<string, Hit>;
}

/** The payload of a record as the search reads it. */
export function payloadOf({ eor, disclosures }: StoredOperation): ReadPayload {
  return readPayload(eor.payload ?? null, disclosures);
}

/** What to mark in a payload; nothing where the text is no query. */
export function foundIn(query: string, { leaves }: ReadPayload, context: QueryContext): FoundIn {
  const parsed = query === '' ? null : parseQuery(query, { now: Date.now(), ...context });
  // Only what is in the payload is marked: what was read out of it is of no account here.
  const hits = parsed?.ok === true ? hitsOf(parsed.query, leaves) : [];
  const on = (side: Hit['on']) => new Map(hits.filter((hit) => hit.on === side).map((hit) => [hit.pointer, hit]));
  return { names: on('name'), values: on('value') };
}
