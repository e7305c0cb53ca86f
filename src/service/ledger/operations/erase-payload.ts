import { formatDigest, isSalted, type Json, parseJson } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import type { OperationRow } from '../../store/schema.ts';
import { recordAdminEvent } from '../admin-log/admin-events.ts';
import { storedDisclosures } from './disclosures-table.ts';
import { eraseStored } from './erase-stored.ts';
import { findOperation, type OperationSource } from './operation-queries.ts';

/** Who erases a payload, and why. */
export interface Erasure {
  readonly orgId: string;
  readonly actor: string;
  readonly operationId: string;
  /** Members of a salted payload; all of it where they are left out. */
  readonly members?: readonly string[] | undefined;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Throws where something holds the record, of which nothing may be erased then. */
  readonly refuseHeld: (store: Store, row: OperationRow) => void;
}

/** An operation of which something was erased. */
export type ErasedOperation = Pick<OperationRow, 'orgId' | 'seqNo' | 'agentId' | 'receivedAt'>;

/** Erases members of a salted payload. @returns what the event says of it: the names, which the signed payload has too */
function eraseMembers(store: WritableStore, row: OperationRow, members: Erasure['members']): { members: string[] } {
  const disclosures = storedDisclosures(store, row.disclosuresNo);
  const unknown = members?.find((name) => !Object.hasOwn(disclosures, name));
  if (unknown !== undefined) {
    throw new ServiceError(
      'CONFLICT',
      `members: the payload shows no member "${unknown}"; it may have been erased before`,
    );
  }
  const shown = Object.keys(disclosures);
  const erased = shown.filter((name) => members === undefined || members.includes(name));
  if (row.disclosuresNo === null || erased.length === 0) {
    throw new ServiceError('CONFLICT', 'the payload was erased before');
  }
  const left = Object.entries(disclosures).filter(([name]) => !erased.includes(name));
  eraseStored(store, row, Object.fromEntries(left));
  return { members: erased };
}

/**
 * Erases the payload of an operation, or members of a salted one. Its hash stays, and with it the signature, the chain and
 * every proof: from now on bundles hold the record without them. To be called within the writer's transaction: the payload
 * goes with the event that tells of it, or neither does.
 * @throws ServiceError NOT_FOUND, RECORD_HELD, CONFLICT where it was erased before, VALIDATION_ERROR for members of a plain payload
 */
export function erasePayload(
  source: OperationSource & { readonly store: WritableStore },
  { orgId, actor, operationId, members, reason, now, refuseHeld }: Erasure,
): ErasedOperation {
  const { store } = source;
  const row = findOperation(source, orgId, operationId);
  refuseHeld(store, row);
  if (row.payload === null) throw new ServiceError('CONFLICT', 'the payload was erased before');
  let erased: { readonly [member: string]: Json } = {};
  if (isSalted(parseJson(row.payload))) erased = eraseMembers(store, row, members);
  else if (members !== undefined) {
    throw new ServiceError('VALIDATION_ERROR', 'members: the payload is not salted, so it can only be erased whole');
  } else eraseStored(store, row, null);
  const details = { reason, seq_no: row.seqNo, payload_hash: formatDigest(row.payloadHash), ...erased };
  const target = { targetType: 'operation', targetId: row.operationId, details };
  recordAdminEvent(store, { orgId, actor, action: 'operation.erase', ...target }, now);
  return row;
}
