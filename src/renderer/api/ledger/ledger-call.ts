import type { AnswerOf, RouteName } from '../../../contract/index.ts';
import type { AuditRow } from '../answers.ts';
import { type CallInput, call } from '../call.ts';

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
  | InvestigationRoute
  | 'liveAnnotations'
  | 'annotateLive'
  | 'annotateManyLive'
>;

/** What the screens of the investigation ask (docs/investigating.md). */
type InvestigationRoute =
  | 'facets'
  | 'names'
  | 'sessions'
  | 'sessionSteps'
  | 'entities'
  | 'entityTouches'
  | 'operationReading'
  | 'activity'
  | 'investigationRules'
  | 'setInvestigationRules'
  | 'savedSearches'
  | 'saveSearch'
  | 'deleteSearch';

/** A row of a search; the rows of a case say how many findings name the record. */
export type LedgerRow = AuditRow & { readonly findings?: number };

/** What a ledger answers: a case the same as the live one, but for its rows. */
export type LedgerAnswer<N extends LedgerRoute> = N extends 'auditQuery'
  ? Omit<AnswerOf<N>, 'data'> & { readonly data: readonly LedgerRow[] }
  : AnswerOf<N>;

/** Asks a ledger. @throws CallFailed */
export type LedgerCall = <N extends LedgerRoute>(name: N, input?: CallInput) => Promise<LedgerAnswer<N>>;

/** Asks the live ledger. */
export const liveCall = call as LedgerCall;

type RouteWithAnswer<A> = { [R in RouteName]: AnswerOf<R> extends A ? R : never }[RouteName];

/** The routes that answer the same over a case; that they do, the compiler checks here. */
const OVER_CASE = {
  ledgerSummary: 'caseSummary',
  listAgents: 'caseAgents',
  getAgent: 'caseAgent',
  agentHead: 'caseAgentHead',
  agentChain: 'caseAgentChain',
  auditQuery: 'caseAuditQuery',
  auditHistogram: 'caseHistogram',
  getOperation: 'caseOperation',
  listEpochs: 'caseEpochs',
  getEpoch: 'caseEpoch',
  jwks: 'caseJwks',
  listAdminEvents: 'caseAdminEvents',
  facets: 'caseFacets',
  names: 'caseNames',
  sessions: 'caseSessions',
  sessionSteps: 'caseSessionSteps',
  entities: 'caseEntities',
  entityTouches: 'caseEntityTouches',
  operationReading: 'caseOperationReading',
  activity: 'caseActivity',
  investigationRules: 'caseInvestigationRules',
  setInvestigationRules: 'caseSetInvestigationRules',
  savedSearches: 'caseSavedSearches',
  saveSearch: 'caseSaveSearch',
  deleteSearch: 'caseDeleteSearch',
  liveAnnotations: 'listAnnotations',
  annotateLive: 'annotate',
  annotateManyLive: 'annotateMany',
} as const satisfies { readonly [N in LedgerRoute]: RouteWithAnswer<LedgerAnswer<N>> };

/** Asks the ledger of a case. */
export function caseCall(caseId: string): LedgerCall {
  const ask = (name: LedgerRoute, input: CallInput = {}): Promise<unknown> =>
    call(OVER_CASE[name], { ...input, params: { ...input.params, case_id: caseId } });
  return ask as LedgerCall;
}
