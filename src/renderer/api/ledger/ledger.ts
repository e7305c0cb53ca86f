import { createContext, useContext } from 'react';
import { type AnnotationQueries, annotationQueries } from './annotation-queries.ts';
import { type InvestigationQueries, investigationQueries } from './investigation-queries.ts';
import { caseCall, type LedgerCall, liveCall } from './ledger-call.ts';
import { type LedgerQueries, ledgerQueries } from './ledger-queries.ts';

/** Where records, epochs and agents come from: the organization's live ledger, or an imported case. */
export interface Ledger {
  /** Null for the live ledger. */
  readonly caseId: string | null;
  readonly call: LedgerCall;
  readonly queries: LedgerQueries;
  /** What is read out of the payloads. */
  readonly investigation: InvestigationQueries;
  /** What people wrote about its records. */
  readonly annotations: AnnotationQueries;
}

/** The ledger that the service keeps for the signed-in person. */
export const LIVE: Ledger = {
  caseId: null,
  call: liveCall,
  queries: ledgerQueries(null, liveCall),
  investigation: investigationQueries(null, liveCall),
  annotations: annotationQueries(null, liveCall),
};

/** The ledger of an imported case. */
export function caseLedger(caseId: string): Ledger {
  const call = caseCall(caseId);
  return {
    caseId,
    call,
    queries: ledgerQueries(caseId, call),
    investigation: investigationQueries(caseId, call),
    annotations: annotationQueries(caseId, call),
  };
}

export const LedgerContext = createContext<Ledger>(LIVE);

/** The ledger that this part of the page is about. */
export function useLedger(): Ledger {
  return useContext(LedgerContext);
}
