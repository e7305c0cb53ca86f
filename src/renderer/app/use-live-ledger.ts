import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LedgerSummary } from '../api/answers.ts';
import { keyOf } from '../api/query.ts';
import { invalidate } from '../api/query-client.ts';

const GROWING = [
  ...(['listEpochs', 'getEpoch', 'auditHistogram', 'facets', 'listAgents', 'getAgent', 'agentHead'] as const),
  ...(['getOperation', 'waitingDecisions', 'listAdminEvents', 'adminChain', 'deepHealth'] as const),
];

/** Has what depends on the ledger asked for again when that has grown; the rows of a search stay as they are. */
export function useLiveLedger(ledger: LedgerSummary | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (ledger === undefined) return;
    const now = `${ledger.records} ${ledger.epochs} ${ledger.agents.active} ${ledger.agents.frozen}`;
    const isNews = seen.current !== null && seen.current !== now;
    seen.current = now;
    if (!isNews) return;
    void invalidate(...GROWING);
    // Rows that somebody reads do not move by themselves: the search says that there is more.
    for (const list of ['auditQuery', 'actions'] as const) {
      void client.invalidateQueries({ queryKey: keyOf(list, 'pages'), refetchType: 'none' });
    }
  }, [client, ledger]);
}
