import type { BatchResult } from '../../../api/index.ts';
import type { Receipt } from '../../../protocol/index.ts';
import type { Answer, Call, Handlers, Member } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WritableStore } from '../../store/open.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { Refusals } from '../admin-log/refusals/refusals.ts';
import { claimsOf } from '../admin-log/refusals/refusals.ts';
import type { Submitter } from '../check-record.ts';
import type { Ledger } from '../ledger.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import type { Submission } from '../submission-queue.ts';
import { type ErasedOperation, type Erasure, erasePayload } from './erase-payload.ts';
import { findOperation } from './operation-queries.ts';
import { verifyStoredOperation } from './verify-operation.ts';

interface OperationDeps extends WriteAccess {
  readonly index: OperationIndex;
  readonly ledger: Ledger;
  /** Notes what is refused. */
  readonly refusals: Refusals;
  /** Throws where something holds a record, within the transaction that would erase. */
  readonly refuseHeld: Erasure['refuseHeld'];
  /** Called within the transaction of an erasure: deletes the rows of copies. @returns removes their files, after the commit */
  readonly onErased: (store: WritableStore, erased: ErasedOperation) => () => Promise<void>;
}

/** What became of one record of a batch. An error that is not the caller's fails the request as a whole. */
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

/** @throws ServiceError OVERLOADED while the index can't keep up: records not yet in it are held in memory */
function checkRoom({ isBehind }: OperationIndex): void {
  if (isBehind) {
    throw new ServiceError('OVERLOADED', 'the index of operations is behind: try again', {}, RETRY_AFTER);
  }
}

/** Refused bodies beyond this are not read once more only to say whose they claim to be. */
const READ_BYTES = 64 * 1024;

function readSmall(bytes: Uint8Array): unknown {
  if (bytes.length > READ_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Notes why a submission was refused, unless the service itself was in no state to take it. */
function noteRefused(
  refusals: Refusals,
  error: unknown,
  { orgId, address, record }: { readonly orgId: string; readonly address: string; readonly record: () => unknown },
): void {
  if (!(error instanceof ServiceError) || error.status >= 500) return;
  refusals.note({ orgId, kind: 'submission', code: error.code, userId: null, address, ...claimsOf(record()) });
}

function submitterOf({ orgId, submitsFor }: Member): Submitter {
  return { orgId, onlyAgent: submitsFor, person: null };
}

export function operationRoutes({ onErased, refuseHeld, store, index, ledger, writer, now, refusals }: OperationDeps) {
  const submitOne = async (
    submitter: Submitter,
    { body, address }: Pick<Call<'submitOperation'>, 'body' | 'address'>,
  ): Promise<Answer<Receipt>> => {
    checkRoom(index);
    const { receipt, repeated } = await ledger.submit(submitter, body).catch((error: unknown): never => {
      noteRefused(refusals, error, { orgId: submitter.orgId, address, record: () => readSmall(body.bytes) });
      throw error;
    });
    return repeated ? { body: receipt, status: 200 } : { body: receipt };
  };
  return {
    submitOperation: (call) => submitOne(submitterOf(call.caller), call),
    // The route wants a session with a fresh sign-in: whoever holds a token of whatever kind is no person who decides.
    submitDecision: (call) =>
      submitOne({ orgId: call.caller.orgId, onlyAgent: null, person: call.caller.userId }, call),
    submitBatch: async ({ body, caller, address, requestId }) => {
      checkRoom(index);
      const settled = await ledger.submitAll(submitterOf(caller), {
        bytes: body.bytes,
        parsed: () => body.parsed().records,
      });
      const refused = settled.some(({ status }) => status === 'rejected');
      const records = refused ? Object(readSmall(body.bytes))['records'] : undefined;
      settled.forEach((result, n) => {
        if (result.status === 'fulfilled') return;
        const record = (): unknown => (Array.isArray(records) ? records[n] : undefined);
        noteRefused(refusals, result.reason, { orgId: caller.orgId, address, record });
      });
      return { body: { results: settled.map((result) => batchResult(result, requestId)) } };
    },
    eraseOperation: async ({ body: { reason, members }, caller, param }) => {
      const operationId = param('operation_id');
      const { orgId, userId: actor } = caller;
      const { erased, removeCopies } = await writer.transact((store) => {
        const asked = { orgId, actor, operationId, members, reason, now: now(), refuseHeld };
        const erased = erasePayload({ store, index }, asked);
        return { erased, removeCopies: onErased(store, erased) };
      });
      await removeCopies();
      // Overwritten in the database; the log that led there is emptied as well.
      await writer.emptyLog();
      return { body: { operation_id: operationId, seq_no: erased.seqNo, erased: true } };
    },
    verifyOperation: async ({ caller, param }) => ({
      body: await verifyStoredOperation(
        { store, index },
        findOperation({ store, index }, caller.orgId, param('operation_id')),
      ),
    }),
  } satisfies Partial<Handlers>;
}
