import type { Handlers } from '../http/handler.ts';
import type { Store } from '../store/open.ts';
import { summarize } from './ledger-summary.ts';

interface SummaryDeps {
  readonly store: Store;
}

export function summaryRoutes({ store }: SummaryDeps): Pick<Handlers, 'ledgerSummary'> {
  return { ledgerSummary: ({ caller }) => ({ body: summarize(store, caller.orgId) }) };
}
