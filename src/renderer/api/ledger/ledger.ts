import { keepPreviousData } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import {
  type AnswerOf,
  type CaseAuditQuery,
  type LedgerQuestion,
  type NameInCase,
  nameInCase,
  type RouteName,
} from '../../../api/index.ts';
import type { AuditRow } from '../answers.ts';
import { type CallInput, call, fetchFile } from '../call.ts';
import { type Asked, type PagedRoute, pages, q } from '../query.ts';
import { invalidate } from '../query-client.ts';

/** What the screens ask of a ledger, by the names of the live ledger's routes: what a case answers as the live ledger does. */
export type LedgerRoute = {
  [N in LedgerQuestion]: AnswerOf<NameInCase<N>> extends AnswerOf<N> ? N : never;
}[LedgerQuestion];

/**
 * A row of a search: a record, or an action by its first record. The rows of a case say how many findings name the record.
 */
export type LedgerRow = AuditRow & { readonly findings?: number; readonly actionRow?: ActionRow };
export type ActionRow = AnswerOf<'actions'>['data'][number];

type PagedLedgerRoute = Extract<LedgerRoute, PagedRoute>;

/** Where records, epochs and agents come from: the organization's live ledger, or an imported case. Each keeps its answers apart. */
export interface Ledger {
  /** Null for the live ledger. */
  readonly caseId: string | null;
  /** Whether it is what a central node accepted of many ledgers: each row then says whose it is. */
  readonly isArchive: boolean;
  /** The route that a question goes by: for a control that checks whether it may be asked, or that saves a file. */
  readonly routeOf: (name: LedgerRoute) => RouteName;
  /** What that route is called with. */
  readonly within: <A extends CallInput>(asked: A) => A;
  /** @throws CallFailed */
  readonly call: <N extends LedgerRoute>(name: N, input?: CallInput) => Promise<AnswerOf<N>>;
  /** @throws CallFailed */
  readonly fetchFile: (name: LedgerRoute, input?: CallInput) => Promise<Blob>;
  readonly q: <N extends LedgerRoute>(name: N, asked?: Asked) => ReturnType<typeof q<N>>;
  readonly pages: <N extends PagedLedgerRoute>(name: N, asked?: Asked, later?: Asked) => ReturnType<typeof pages<N>>;
  /** Has answers asked for again. */
  readonly invalidate: (...names: readonly LedgerRoute[]) => Promise<void>;
}

/** The ledger of an imported case; null for the one that the service keeps for the signed-in person. */
export function ledgerOf(caseId: string | null, isArchive = false): Ledger {
  const routeOf = (name: LedgerRoute): RouteName => (caseId === null ? name : nameInCase(name));
  const within = <A extends CallInput>(asked: A): A =>
    caseId === null ? asked : { ...asked, params: { ...asked.params, case_id: caseId } };
  const ledger = {
    caseId,
    isArchive,
    routeOf,
    within,
    call: (name: LedgerRoute, input: CallInput = {}) => call(routeOf(name), within(input)),
    fetchFile: (name: LedgerRoute, input: CallInput = {}) => fetchFile(routeOf(name), within(input)),
    q: (name: LedgerRoute, asked: Asked = {}) => q(routeOf(name), within(asked)),
    pages: (name: PagedLedgerRoute, asked: Asked = {}, later = asked) =>
      pages(routeOf(name) as PagedRoute, within(asked), within(later)),
    invalidate: (...names: readonly LedgerRoute[]) => invalidate(...names.map(routeOf)),
  };
  // That a case answers as the live ledger does, LedgerRoute says.
  return ledger as unknown as Ledger;
}

export const LIVE = ledgerOf(null);

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
    | 'unit'
  >
>;
export type RowOrder = NonNullable<CaseAuditQuery['order']>;

/** What is read out of payloads: asked for again where the rules for that change, or a record has come. */
export const READINGS = [
  'actions',
  'actionContext',
  'compareSessions',
  'groups',
  'sessions',
  'sessionSteps',
  'entities',
  'entityTouches',
  'operationReading',
  'activity',
  'needsLook',
  'whatLeft',
] as const satisfies readonly LedgerRoute[];

/**
 * How many records a search finds, over time.
 * @param agents how many of those with the most are counted by themselves; none where it is left out
 */
export function histogramOf(
  { q }: Pick<Ledger, 'q'>,
  { without, ...filter }: AuditFilter,
  buckets: number,
  agents?: number,
): ReturnType<typeof q<'auditHistogram'>> {
  const excluded = without === undefined ? undefined : JSON.stringify(without);
  return {
    ...q('auditHistogram', { query: { ...filter, buckets, agents, without: excluded } }),
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
