import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LedgerSummary } from '../service/answers.ts';

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
    for (const queryKey of [['epochs'], ['histogram'], ['agents'], ['operations'], ['health'], ['admin-events']]) {
      void client.invalidateQueries({ queryKey });
    }
    // Rows that somebody reads do not move by themselves: the search says that there is more.
    void client.invalidateQueries({ queryKey: ['audit'], refetchType: 'none' });
  }, [client, ledger]);
}
