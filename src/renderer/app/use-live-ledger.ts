import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LedgerSummary } from '../api/answers.ts';
import { KEYS, LIVE_KEYS } from '../api/keys.ts';

const GROWING = [
  LIVE_KEYS.epochs,
  LIVE_KEYS.histograms,
  LIVE_KEYS.agents,
  LIVE_KEYS.operations,
  LIVE_KEYS.adminEvents,
  KEYS.health,
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
    for (const queryKey of GROWING) {
      void client.invalidateQueries({ queryKey });
    }
    // Rows that somebody reads do not move by themselves: the search says that there is more.
    void client.invalidateQueries({ queryKey: LIVE_KEYS.audits, refetchType: 'none' });
  }, [client, ledger]);
}
