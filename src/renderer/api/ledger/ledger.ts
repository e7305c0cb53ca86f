import { createContext, useContext } from 'react';
import { caseCall, type LedgerCall, liveCall } from './ledger-call.ts';
import { type LedgerQueries, ledgerQueries } from './ledger-queries.ts';

/** Where records, epochs and agents come from: the organization's live ledger, or an imported case. */
export interface Ledger {
  /** Null for the live ledger. */
  readonly caseId: string | null;
  readonly call: LedgerCall;
  readonly queries: LedgerQueries;
}

/** The ledger that the service keeps for the signed-in person. */
export const LIVE: Ledger = { caseId: null, call: liveCall, queries: ledgerQueries(null, liveCall) };

/** The ledger of an imported case. */
export function caseLedger(caseId: string): Ledger {
  const call = caseCall(caseId);
  return { caseId, call, queries: ledgerQueries(caseId, call) };
}

export const LedgerContext = createContext<Ledger>(LIVE);

/** The ledger that this part of the page is about. */
export function useLedger(): Ledger {
  return useContext(LedgerContext);
}
