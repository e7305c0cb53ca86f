import { and, eq } from 'drizzle-orm';
import type { StoredOperation } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { epochOf, proveInclusion } from '../epochs/queries.ts';
import { ServiceError } from '../errors.ts';
import { operationRecord, receipt } from '../ledger/views.ts';
import { type OperationRow, operations } from '../store/schema.ts';

/** What operations are read from. */
export type OperationSource = Pick<ServiceContext, 'store' | 'index'>;

/** @throws ServiceError NOT_FOUND */
export function findOperation({ store, index }: OperationSource, orgId: string, operationId: string): OperationRow {
  const seqNo = index.findOperation(orgId, operationId);
  const row =
    seqNo === null
      ? undefined
      : store.db
          .select()
          .from(operations)
          .where(and(eq(operations.orgId, orgId), eq(operations.seqNo, seqNo)))
          .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such operation');
  return row;
}

/** The whole record and receipt, and where it stands once it is sealed. @throws ServiceError NOT_FOUND */
export function describeOperation(source: OperationSource, orgId: string, operationId: string): StoredOperation {
  const { store, index } = source;
  const row = findOperation(source, orgId, operationId);
  const epoch = epochOf(store, orgId, row.seqNo);
  return {
    eor: operationRecord(row),
    ear: receipt(row),
    epoch: epoch && {
      epoch_id: epoch.epoch_id,
      epoch_no: epoch.epoch_no,
      inclusion: proveInclusion(store, index, epoch, row.seqNo, row.leafHash),
    },
  };
}
