import { type AnswerOf, type ArgumentsOf, CONTENT_QUERIES } from '../content-index/queries/content-queries.ts';
import { INVESTIGATION_QUERIES } from './investigation-queries.ts';

/**
 * Everything that is asked of what is in a ledger's records, by name: answered on the thread that reads them. Arguments and
 * answers are copied.
 */
export const LEDGER_QUERIES = { ...CONTENT_QUERIES, ...INVESTIGATION_QUERIES } as const;

export type LedgerQueries = typeof LEDGER_QUERIES;
export type LedgerQueryName = keyof LedgerQueries;
export type LedgerQueryArguments<N extends LedgerQueryName> = ArgumentsOf<LedgerQueries[N]>;
export type LedgerQueryAnswer<N extends LedgerQueryName> = AnswerOf<LedgerQueries[N]>;
