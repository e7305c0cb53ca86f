import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CaseAuditQuery } from '../../../contract/index.ts';
import type { StoredOperation } from '../answers.ts';
import { CallFailed } from '../call.ts';
import { ledgerKeys } from '../keys.ts';
import { LEDGER_QUERIES } from '../texts.ts';
import type { LedgerCall } from './ledger-call.ts';

/**
 * Filters of the audit search; times are RFC 3339, the end exclusive. Only the records of a case have tags. `zone` is the
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

/** Rows in a page of a search. */
export const LEDGER_PAGE = 200;

/** Where a page of a chain is. */
export interface ChainPlace {
  readonly before?: number;
  readonly after?: number;
  readonly at?: string;
}

/** A record; `seqNo` tells those apart that bear one operation_id, which only the bundle of a case can have. */
function getOperation(
  call: LedgerCall,
  operationId: string,
  seqNo: number | undefined,
  signal: AbortSignal,
): Promise<StoredOperation> {
  return call('getOperation', { params: { operation_id: operationId }, query: { seq_no: seqNo }, signal });
}

/** The whole record before or after one in its agent's chain; null where there is none. */
async function neighbour(
  call: LedgerCall,
  { agent_id, seq_no }: StoredOperation['ear'],
  side: 'before' | 'after',
  signal: AbortSignal,
): Promise<StoredOperation | null> {
  const query = { [side]: seq_no, limit: 1 };
  const { data } = await call('agentChain', { params: { agent_id }, query, signal });
  const [row] = data;
  return row === undefined ? null : getOperation(call, row.operation_id, undefined, signal);
}

/** The record of a number. */
async function recordAt(call: LedgerCall, seqNo: number, signal: AbortSignal): Promise<StoredOperation> {
  const { data } = await call('auditQuery', { body: { beforeSeq: seqNo + 1, limit: 1 }, signal });
  const [row] = data;
  if (row?.seq_no !== seqNo) throw new CallFailed('NOT_FOUND', LEDGER_QUERIES.noRecord(seqNo));
  return getOperation(call, row.operation_id, undefined, signal);
}

/** The questions to one ledger: the live one, or that of a case. The answers of each are kept apart. */
export function ledgerQueries(caseId: string | null, call: LedgerCall) {
  const keys = ledgerKeys(caseId);
  return {
    summary: queryOptions({
      queryKey: keys.summary,
      queryFn: ({ signal }) => call('ledgerSummary', { signal }),
    }),
    jwks: queryOptions({
      queryKey: keys.jwks,
      staleTime: 60_000,
      queryFn: ({ signal }) => call('jwks', { signal }),
    }),
    agents: queryOptions({
      queryKey: keys.agents,
      queryFn: ({ signal }) => call('listAgents', { signal }),
    }),
    agent: (agentId: string) =>
      queryOptions({
        queryKey: keys.agent(agentId),
        queryFn: ({ signal }) => call('getAgent', { params: { agent_id: agentId }, signal }),
      }),
    agentHead: (agentId: string) =>
      queryOptions({
        queryKey: keys.agentHead(agentId),
        queryFn: ({ signal }) => call('agentHead', { params: { agent_id: agentId }, signal }),
      }),
    adminEvents: queryOptions({
      queryKey: keys.adminEvents,
      queryFn: ({ signal }) => call('listAdminEvents', { query: { limit: 100 }, signal }),
    }),
    histogram: ({ without, ...filter }: AuditFilter, buckets: number) =>
      queryOptions({
        queryKey: keys.histogram({ ...filter, without }, buckets),
        queryFn: ({ signal }) =>
          call('auditHistogram', {
            query: { ...filter, buckets, without: without === undefined ? undefined : JSON.stringify(without) },
            signal,
          }),
        placeholderData: (before) => before,
      }),
    /** What all searches are kept under. */
    auditKey: keys.audits,
    /** What counts of searches are kept under: charts and facets. */
    countsKey: keys.histograms,
    audit: (filter: AuditFilter, order: RowOrder = 'newest', limit = LEDGER_PAGE) =>
      infiniteQueryOptions({
        queryKey: keys.audit(filter, order, limit),
        // Until the ledger is known to have grown (useLiveLedger).
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnMount: true,
        queryFn: ({ signal, pageParam }) =>
          call('auditQuery', {
            body: { ...filter, order, details: true, limit, ...(pageParam === null ? {} : { cursor: pageParam }) },
            signal,
          }),
        initialPageParam: null as string | null,
        getNextPageParam: ({ nextCursor }) => nextCursor,
      }),
    /** The rows of the whole ledger right below a seq_no, newest first. They never change. */
    page: (beforeSeq: number) =>
      queryOptions({
        queryKey: keys.page(beforeSeq),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        queryFn: ({ signal }) => call('auditQuery', { body: { beforeSeq, details: true, limit: LEDGER_PAGE }, signal }),
      }),
    operation: (operationId: string, seqNo?: number) =>
      queryOptions({
        queryKey: keys.operation(operationId, seqNo),
        queryFn: ({ signal }) => getOperation(call, operationId, caseId === null ? undefined : seqNo, signal),
      }),
    recordAt: (seqNo: number) =>
      queryOptions({
        queryKey: keys.recordAt(seqNo),
        queryFn: ({ signal }) => recordAt(call, seqNo, signal),
      }),
    /** The records before and after one in its agent's chain, whole. */
    neighbours: (ear: StoredOperation['ear']) =>
      queryOptions({
        queryKey: keys.neighbours(ear.operation_id),
        queryFn: async ({ signal }) => ({
          previous: await neighbour(call, ear, 'before', signal),
          next: await neighbour(call, ear, 'after', signal),
        }),
      }),
    /** @param maxPages how many stay in memory; those beyond are fetched again when they are gone back to */
    chain: (agentId: string, begin: ChainPlace, limit: number, maxPages: number) =>
      infiniteQueryOptions({
        queryKey: keys.chain(agentId, begin),
        initialPageParam: begin,
        maxPages,
        queryFn: async ({ pageParam, signal }) => {
          const params = { agent_id: agentId };
          const page = await call('agentChain', { params, query: { ...pageParam, limit }, signal });
          // Before the first record there is nothing: the oldest ones are shown instead.
          const isBeforeAll = page.data.length === 0 && page.newer;
          return isBeforeAll ? call('agentChain', { params, query: { after: 0, limit }, signal }) : page;
        },
        // While another place is fetched, the list stays as it was.
        placeholderData: (before, query) => (query?.queryKey.at(-2) === agentId ? before : undefined),
        getNextPageParam: ({ data, older }): ChainPlace | null => {
          const oldest = data.at(-1)?.seq_no;
          return older && oldest !== undefined ? { before: oldest } : null;
        },
        getPreviousPageParam: ({ data, newer }): ChainPlace | null => (newer ? { after: data[0]?.seq_no ?? 0 } : null),
        // Records never change; what is new comes by going up.
        refetchOnWindowFocus: false,
        staleTime: 60_000,
      }),
    epochs: (limit = 200) =>
      infiniteQueryOptions({
        queryKey: keys.epochPages(limit),
        queryFn: ({ signal, pageParam }) =>
          call('listEpochs', { query: { limit, cursor: pageParam ?? undefined }, signal }),
        initialPageParam: null as string | null,
        getNextPageParam: ({ nextCursor }) => nextCursor,
      }),
    /** An epoch's row with those before and after it. */
    epochsAround: (epochNo: number) =>
      queryOptions({
        queryKey: keys.epochsAround(epochNo),
        queryFn: ({ signal }) => call('listEpochs', { query: { before: epochNo + 2, limit: 3 }, signal }),
      }),
    epoch: (epochId: string) =>
      queryOptions({
        queryKey: keys.epoch(epochId),
        // What is sealed never changes.
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) => call('getEpoch', { params: { epoch_id: epochId }, signal }),
      }),
  };
}
export type LedgerQueries = ReturnType<typeof ledgerQueries>;
