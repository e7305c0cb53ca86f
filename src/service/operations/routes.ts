import type { BatchResult } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { Handlers, Member } from '../http/handler.ts';
import type { Submitter } from '../ledger/check-record.ts';
import type { Submission } from '../ledger/ledger.ts';
import { erasePayload } from './erase.ts';
import { describeOperation, findOperation } from './queries.ts';
import { verifyStoredOperation } from './verify-operation.ts';

/** What became of one record of a batch. An error that is none of the caller's fails the request as a whole. */
function batchResult(result: PromiseSettledResult<Submission>, requestId: string): BatchResult {
  if (result.status === 'fulfilled') {
    const { receipt, repeated } = result.value;
    return { status: repeated ? 200 : 201, receipt };
  }
  if (!(result.reason instanceof ServiceError)) throw result.reason;
  const { code, message, details, status } = result.reason;
  return { status, error: { code, message, ...details, request_id: requestId } };
}

/** Seconds after which the index of operations has come after, if it can. */
const RETRY_AFTER = 5;

/** @throws ServiceError OVERLOADED while the index can't keep up: what waits for it is held in memory */
function checkRoom({ isBehind }: ServiceContext['index']): void {
  if (isBehind) {
    throw new ServiceError('OVERLOADED', 'the index of operations is behind: try again', {}, RETRY_AFTER);
  }
}

function submitterOf({ orgId, submitsFor }: Member): Submitter {
  return { orgId, onlyAgent: submitsFor };
}

export function operationRoutes({
  store,
  index,
  ledger,
  writer,
  now,
}: ServiceContext): Pick<
  Handlers,
  'submitOperation' | 'submitBatch' | 'getOperation' | 'eraseOperation' | 'verifyOperation'
> {
  return {
    submitOperation: async ({ body, caller }) => {
      checkRoom(index);
      const { receipt, repeated } = await ledger.submit(submitterOf(caller), body);
      return repeated ? { body: receipt, status: 200 } : { body: receipt };
    },
    submitBatch: async ({ body, caller, requestId }) => {
      checkRoom(index);
      const settled = await ledger.submitAll(submitterOf(caller), {
        bytes: body.bytes,
        parsed: () => body.parsed().records,
      });
      return { body: { results: settled.map((result) => batchResult(result, requestId)) } };
    },
    getOperation: ({ caller, param }) => ({
      body: describeOperation({ store, index }, caller.orgId, param('operation_id')),
    }),
    eraseOperation: async ({ body: { reason }, caller, param }) => {
      const operationId = param('operation_id');
      const { orgId, userId: actor } = caller;
      const seqNo = await writer.transact(() =>
        erasePayload({ store, index }, { orgId, actor, operationId, reason, now: now() }),
      );
      // Overwritten in the database (secure_delete); the log that led there is emptied as well.
      await writer.append(() => store.sqlite.pragma('wal_checkpoint(TRUNCATE)'));
      return { body: { operation_id: operationId, seq_no: seqNo, erased: true } };
    },
    verifyOperation: async ({ caller, param }) => ({
      body: await verifyStoredOperation(
        { store, index },
        findOperation({ store, index }, caller.orgId, param('operation_id')),
      ),
    }),
  };
}
