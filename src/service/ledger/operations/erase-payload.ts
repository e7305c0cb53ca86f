import { formatDigest } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../admin-log/admin-events.ts';
import { ServiceError } from '../../base/errors.ts';
import type { WritableStore } from '../../store/open.ts';
import { findOperation, type OperationSource } from './operation-queries.ts';

/** Who erases a payload, and why. */
export interface Erasure {
  readonly orgId: string;
  readonly actor: string;
  readonly operationId: string;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Erases the payload of an operation. Its hash stays, and with it the signature, the chain and every proof: from now on
 * bundles hold the record without payload. To be called within the writer's transaction: the payload goes with the event
 * that tells of it, or neither does. Bundles, reports and backups made before still hold the payload.
 * @returns the sequence number
 * @throws ServiceError NOT_FOUND, CONFLICT where it was erased before
 */
export function erasePayload(
  source: OperationSource & { readonly store: WritableStore },
  { orgId, actor, operationId, reason, now }: Erasure,
): number {
  const row = findOperation(source, orgId, operationId);
  if (row.payload === null) throw new ServiceError('CONFLICT', 'the payload was erased before');
  source.store.statement('UPDATE operations SET payload = NULL WHERE org_id = ? AND seq_no = ?').run(orgId, row.seqNo);
  const details = { reason, seq_no: row.seqNo, payload_hash: formatDigest(row.payloadHash) };
  const target = { targetType: 'operation', targetId: row.operationId, details };
  recordAdminEvent(source.store, { orgId, actor, action: 'operation.erase', ...target }, now);
  return row.seqNo;
}
