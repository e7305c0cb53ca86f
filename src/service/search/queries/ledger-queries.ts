import { type AnswerOf, type ArgumentsOf, CONTENT_QUERIES } from '../content-index/queries/content-queries.ts';
import { decisionOf } from '../decisions/deciding.ts';
import { waitingOf } from '../decisions/waiting.ts';
import { heldRecords } from '../reading/held-records.ts';
import { coherenceOf } from '../reading/ledger-coherence.ts';
import { RECORD_QUERIES } from './record-queries.ts';

/**
 * Everything that is asked of what is in the live ledger's records, by name: answered on the thread that reads them. Arguments
 * and answers are copied.
 */
export const LEDGER_QUERIES = {
  ...CONTENT_QUERIES,
  ...RECORD_QUERIES,
  coherence: coherenceOf,
  heldRecords,
  waiting: waitingOf,
  decision: decisionOf,
} as const;

export type LedgerQueries = typeof LEDGER_QUERIES;
export type LedgerQueryName = keyof LedgerQueries;
export type LedgerQueryArguments<N extends LedgerQueryName> = ArgumentsOf<LedgerQueries[N]>;
export type LedgerQueryAnswer<N extends LedgerQueryName> = AnswerOf<LedgerQueries[N]>;
