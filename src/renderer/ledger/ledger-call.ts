import type { AnswerOf, RouteName } from '../../contract/index.ts';
import type { CallInput } from '../service/call.ts';

/** What the screens ask of a ledger, by the names of the live ledger's routes. */
export type LedgerRoute = Extract<
  RouteName,
  | 'ledgerSummary'
  | 'listAgents'
  | 'getAgent'
  | 'agentHead'
  | 'agentChain'
  | 'auditQuery'
  | 'auditHistogram'
  | 'getOperation'
  | 'listEpochs'
  | 'getEpoch'
  | 'jwks'
  | 'listAdminEvents'
>;

/** Asks a ledger. @throws CallFailed */
export type LedgerCall = <N extends LedgerRoute>(name: N, input?: CallInput) => Promise<AnswerOf<N>>;
