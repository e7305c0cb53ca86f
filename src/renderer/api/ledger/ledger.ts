import { keepPreviousData } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { AnswerOf, CaseAuditQuery, RouteName } from '../../../api/index.ts';
import type { AuditRow } from '../answers.ts';
import { type CallInput, call } from '../call.ts';
import { type Asked, type PagedRoute, pages, q } from '../query.ts';
import { invalidate } from '../query-client.ts';

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
} as const satisfies { readonly [N in LedgerRoute]: RouteWithAnswer<AnswerOf<N>> };

type PagedLedgerRoute = Extract<LedgerRoute, PagedRoute>;

/** Where records, epochs and agents come from: the organization's live ledger, or an imported case. Each keeps its answers apart. */
export interface Ledger {
  /** Null for the live ledger. */
  readonly caseId: string | null;
  /** @throws CallFailed */
  readonly call: <N extends LedgerRoute>(name: N, input?: CallInput) => Promise<AnswerOf<N>>;
  readonly q: <N extends LedgerRoute>(name: N, asked?: Asked) => ReturnType<typeof q<N>>;
  readonly pages: <N extends PagedLedgerRoute>(name: N, asked?: Asked, later?: Asked) => ReturnType<typeof pages<N>>;
  /** Has answers asked for again. */
  readonly invalidate: (...names: readonly LedgerRoute[]) => Promise<void>;
}

/** The ledger that the service keeps for the signed-in person. */
export const LIVE: Ledger = { caseId: null, call, q, pages, invalidate };

/** The ledger of an imported case. */
export function caseLedger(caseId: string): Ledger {
  const inCase = <A extends CallInput>(asked: A) => ({ ...asked, params: { ...asked.params, case_id: caseId } });
  const ledger = {
    caseId,
    call: (name: LedgerRoute, input: CallInput = {}) => call(OVER_CASE[name], inCase(input)),
    q: (name: LedgerRoute, asked: Asked = {}) => q(OVER_CASE[name], inCase(asked)),
    pages: (name: PagedLedgerRoute, asked: Asked = {}, later = asked) =>
      pages(OVER_CASE[name] as PagedRoute, inCase(asked), inCase(later)),
    invalidate: (...names: readonly LedgerRoute[]) => invalidate(...names.map((name) => OVER_CASE[name])),
  };
  return ledger as unknown as Ledger;
}

export const LedgerContext = createContext<Ledger>(LIVE);

/** The ledger that this part of the page is about. */
export function useLedger(): Ledger {
  return useContext(LedgerContext);
}

/**
 * Filters of the audit search; times are RFC 3339, the end exclusive. A case can be asked by `tag` alone. `zone` is the
 * IANA time zone of times in the query.
 */
export type AuditFilter = Partial<
  Pick<
    CaseAuditQuery,
    | 'agentId'
    | 'operationType'
    | 'subject'
    | 'startTime'
    | 'endTime'
    | 'beforeSeq'
    | 'tag'
    | 'query'
    | 'zone'
    | 'without'
  >
>;
export type RowOrder = NonNullable<CaseAuditQuery['order']>;

/** What is read out of payloads: asked for again where the rules for that change, or a record has come. */
export const READINGS = [
  'sessions',
  'sessionSteps',
  'entities',
  'entityTouches',
  'operationReading',
  'activity',
] as const satisfies readonly LedgerRoute[];

/** How many records a search finds, over time. */
export function histogramOf(
  { q }: Pick<Ledger, 'q'>,
  { without, ...filter }: AuditFilter,
  buckets: number,
): ReturnType<typeof q<'auditHistogram'>> {
  const excluded = without === undefined ? undefined : JSON.stringify(without);
  return {
    ...q('auditHistogram', { query: { ...filter, buckets, without: excluded } }),
    placeholderData: keepPreviousData,
  };
}

/** A record; `seqNo` tells those apart that bear one operation_id, which only the bundle of a case can have. */
export function operationOf({ caseId, q }: Pick<Ledger, 'caseId' | 'q'>, operationId: string, seqNo?: number) {
  return q('getOperation', {
    params: { operation_id: operationId },
    query: { seq_no: caseId === null ? undefined : seqNo },
  });
}
