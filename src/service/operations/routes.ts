import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { describeOperation, findOperation } from './queries.ts';
import { verifyStoredOperation } from './verify-operation.ts';

export function operationRoutes({
  store,
  ledger,
}: ServiceContext): Pick<Handlers, 'submitOperation' | 'getOperation' | 'verifyOperation'> {
  return {
    submitOperation: async ({ body, caller }) => {
      const { receipt, repeated } = await ledger.submit(caller.orgId, body);
      return repeated ? { body: receipt, status: 200 } : { body: receipt };
    },
    getOperation: ({ caller, param }) => ({ body: describeOperation(store, caller.orgId, param('operation_id')) }),
    verifyOperation: async ({ caller, param }) => ({
      body: await verifyStoredOperation(store, findOperation(store, caller.orgId, param('operation_id'))),
    }),
  };
}
