import type { StoredOperation } from '../../../api/index.ts';
import { isSalted } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { type OperationRow, operations } from '../../store/schema.ts';
import { epochOf, proveInclusion } from '../epochs/epoch-queries.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import { operationRecord, receipt } from '../views.ts';
import { storedDisclosures } from './disclosures-table.ts';

interface OperationSourceDeps {
  readonly store: Store;
  readonly index: OperationIndex;
}

/** What operations are read from. */
export type OperationSource = OperationSourceDeps;

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
  const { store } = source;
  const row = findOperation(source, orgId, operationId);
  const epoch = epochOf(store, orgId, row.seqNo);
  const eor = operationRecord(row);
  return {
    eor,
    ear: receipt(row),
    ...(isSalted(eor.payload) ? { disclosures: storedDisclosures(store, row.disclosuresNo) } : {}),
    epoch: epoch && {
      epoch_id: epoch.epoch_id,
      epoch_no: epoch.epoch_no,
      inclusion: proveInclusion(store, epoch, row.seqNo, row.leafHash),
    },
  };
}
