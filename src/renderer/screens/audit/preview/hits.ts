import { type ReadPayload, readPayload } from '../../../../facts/index.ts';
import { type Hit, hitsOf, parseQuery } from '../../../../query/index.ts';
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
export function foundIn(
  query: string,
  read: ReadPayload,
  { eor, ear }: StoredOperation,
  context: QueryContext,
): FoundIn {
  const parsed = query === '' ? null : parseQuery(query, { now: Date.now(), ...context });
  const hits =
    parsed?.ok !== true
      ? []
      : hitsOf(parsed.query, {
          agent: eor.agent_id,
          type: eor.operation_type,
          action: eor.action,
          subject: eor.subject,
          operation: eor.operation_id,
          seq: ear.seq_no,
          issued: Date.parse(eor.issued_at),
          received: Date.parse(ear.server_received_at),
          // Only what is in the payload is marked: what was read out of it is of no account here.
          ...{ session: null, phase: 'record', tool: null, outcome: null, call: null, person: null, error: null },
          ...{ entities: [], hosts: [], marks: [], tags: [], bookmarked: false, durationMs: null, leaves: read.leaves },
        });
  const on = (side: Hit['on']) => new Map(hits.filter((hit) => hit.on === side).map((hit) => [hit.pointer, hit]));
  return { names: on('name'), values: on('value') };
}
