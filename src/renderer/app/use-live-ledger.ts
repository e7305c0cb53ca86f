import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LedgerSummary } from '../service/answers.ts';

/** Has what depends on it asked for again when the ledger has grown; lists that somebody reads stay as they are. */
export function useLiveLedger(ledger: LedgerSummary | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (ledger === undefined) return;
    const now = `${ledger.records} ${ledger.epochs} ${ledger.agents.active} ${ledger.agents.frozen}`;
    const isNews = seen.current !== null && seen.current !== now;
    seen.current = now;
    if (!isNews) return;
    for (const queryKey of [['epochs'], ['histogram'], ['agents'], ['health'], ['admin-events']]) {
      void client.invalidateQueries({ queryKey });
    }
  }, [client, ledger]);
}
