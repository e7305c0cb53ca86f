import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Case } from './answers.ts';
import { CallFailed, call } from './call.ts';
import { KEYS } from './keys.ts';
import { pace } from './polling.ts';

/** Whether this browser has a workstation session: the case room is open to it without an account. */
export const workstationQuery = queryOptions({
  queryKey: KEYS.workstation,
  staleTime: 60_000,
  queryFn: ({ signal }) => call('workstation', { signal }),
});

/** Whether the service has its home organization, and whether one can sign up. */
export const setUpQuery = queryOptions({
  queryKey: KEYS.setUp,
  staleTime: 60_000,
  queryFn: ({ signal }) => call('setUpState', { signal }),
});

/** Whether something is being done to a case that continues by itself: an item that is being verified may contradict the file. */
export function isBusy({ state, verifying, checking_items, origin }: Case): boolean {
  const isReproducing = state === 'ready' && origin !== null && origin.reproduced === null;
  return state === 'importing' || verifying || checking_items || isReproducing;
}

const BUSY_MS = 400;
const CUSTODY_MS = 5000;

export const casesQuery = infiniteQueryOptions({
  queryKey: KEYS.caseList,
  queryFn: ({ signal, pageParam }) =>
    call('listCases', { query: { limit: 200, cursor: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchInterval: ({ state }) =>
    pace(state, state.data?.pages.some(({ data }) => data.some(isBusy)) ? 2 * BUSY_MS : false),
});

export const caseQuery = (caseId: string) =>
  queryOptions({
    queryKey: KEYS.case(caseId),
    queryFn: ({ signal }) => call('getCase', { params: { case_id: caseId }, signal }),
    refetchInterval: ({ state }) => pace(state, state.data !== undefined && isBusy(state.data) ? BUSY_MS : false),
  });

/** @param verifiedAt when it was verified: another verification is another report */
export const caseReportQuery = (caseId: string, verifiedAt: string | null) =>
  queryOptions({
    queryKey: KEYS.caseReport(caseId, verifiedAt),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('caseReport', { params: { case_id: caseId }, signal }),
  });

/** @param verifiedAt when it was verified: a newer version may find more */
export const caseCoherenceQuery = (caseId: string, verifiedAt: string | null) =>
  queryOptions({
    queryKey: KEYS.caseCoherence(caseId, verifiedAt),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('caseCoherence', { params: { case_id: caseId }, signal }),
  });

/** Findings that name a record. */
export const recordFindingsQuery = (caseId: string, operationId: string, seqNo: number) =>
  queryOptions({
    queryKey: KEYS.caseFindings(caseId, operationId, seqNo),
    queryFn: async ({ signal }) => {
      const { data } = await call('caseFindings', {
        params: { case_id: caseId },
        query: { seq_no: seqNo, limit: 200 },
        signal,
      });
      return data;
    },
  });

/** A record as the file has it, character for character. */
export const recordTextQuery = (caseId: string, operationId: string, seqNo: number) =>
  queryOptions({
    queryKey: KEYS.caseRecordText(caseId, operationId, seqNo),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call('caseRecordText', {
        params: { case_id: caseId, operation_id: operationId },
        query: { seq_no: seqNo },
        signal,
      }),
  });

/** The operation of the live ledger that bears an operation_id; null where there is none. */
export const liveOriginalQuery = (operationId: string) =>
  queryOptions({
    queryKey: KEYS.liveOriginal(operationId),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      try {
        return await call('getOperation', { params: { operation_id: operationId }, signal });
      } catch (error) {
        if (error instanceof CallFailed && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  });

/** What is in a case. */
export const itemsQuery = (caseId: string) =>
  queryOptions({
    queryKey: KEYS.caseItems(caseId),
    queryFn: ({ signal }) => call('listItems', { params: { case_id: caseId }, signal }),
    refetchInterval: ({ state }) => pace(state, (state.data?.checking ?? 0) > 0 ? 2 * BUSY_MS : false),
  });

/** What was done with a case, newest first. */
export const custodyQuery = (caseId: string) =>
  infiniteQueryOptions({
    queryKey: KEYS.caseCustody(caseId),
    queryFn: ({ signal, pageParam }) =>
      call('custody', {
        params: { case_id: caseId },
        query: { limit: 50, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The browser fetches a saved report by itself, and others may work on the case as well.
    refetchInterval: ({ state }) => pace(state, CUSTODY_MS),
  });

export const comparisonQuery = (caseId: string, comparisonId: string) =>
  queryOptions({
    queryKey: KEYS.comparison(caseId, comparisonId),
    queryFn: ({ signal }) =>
      call('getComparison', { params: { case_id: caseId, comparison_id: comparisonId }, signal }),
    refetchInterval: ({ state }) => pace(state, state.data?.status === 'processing' ? BUSY_MS : false),
  });

/** Whom the user of this machine trusts. */
export const trustQuery = queryOptions({
  queryKey: KEYS.trust,
  queryFn: ({ signal }) => call('listTrust', { signal }),
});
