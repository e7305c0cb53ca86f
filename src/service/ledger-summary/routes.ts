import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { summarize } from './summary.ts';

export function summaryRoutes({ store }: ServiceContext): Pick<Handlers, 'ledgerSummary'> {
  return { ledgerSummary: ({ caller }) => ({ body: summarize(store, caller.orgId) }) };
}
