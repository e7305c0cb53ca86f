import { and, eq } from 'drizzle-orm';
import type { StoredOperation } from '../../contract/index.ts';
import { epochOf, inclusionIn, leavesOf } from '../epochs/queries.ts';
import { ServiceError } from '../errors.ts';
import { operationRecord, receipt } from '../ledger/views.ts';
import type { Store } from '../store/open.ts';
import { type OperationRow, operations } from '../store/schema.ts';

/** @throws ServiceError NOT_FOUND */
export function findOperation({ db }: Store, orgId: string, operationId: string): OperationRow {
  const row = db
    .select()
    .from(operations)
    .where(and(eq(operations.orgId, orgId), eq(operations.operationId, operationId)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such operation');
  return row;
}

/** The whole record and receipt, and where it stands once it is sealed. @throws ServiceError NOT_FOUND */
export function describeOperation(store: Store, orgId: string, operationId: string): StoredOperation {
  const row = findOperation(store, orgId, operationId);
  const epoch = epochOf(store, orgId, row.seqNo);
  return {
    eor: operationRecord(row),
    ear: receipt(row),
    epoch: epoch && {
      epoch_id: epoch.epoch_id,
      epoch_no: epoch.epoch_no,
      inclusion: inclusionIn(epoch, leavesOf(store, epoch), row.seqNo),
    },
  };
}
