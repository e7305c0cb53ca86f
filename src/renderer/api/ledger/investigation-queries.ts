import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Coverage, FACET_FIELDS } from '../../../contract/index.ts';
import type { SessionsSearch } from '../../lib/investigation-params.ts';
import type { StoredOperation } from '../answers.ts';
import { ledgerKeys } from '../keys.ts';
import { pace } from '../polling.ts';
import type { LedgerCall } from './ledger-call.ts';
import type { AuditFilter } from './ledger-queries.ts';

/** Steps of a session that come at once; the first of them are enough to begin reading. */
const STEPS = [100, 1000] as const;
const PAGE = 100;

/** What a list of sessions is asked for by. */
export interface SessionsQuestion extends Pick<SessionsSearch, 'query' | 'order'> {
  readonly agentId?: string | undefined;
  /** The IANA zone that times in the query are in. */
  readonly zone?: string | undefined;
}

/** What a list of entities is asked for by. */
export interface EntitiesQuestion {
  readonly kind?: string | undefined;
  readonly contains?: string | undefined;
}

/** A field whose values are counted, or the JSON Pointer of a payload's member. */
export type FacetField = (typeof FACET_FIELDS)[number] | `/${string}`;

/** While records are not read yet, what was answered without them is asked again. */
const READING_MS = 1500;

/** What every page of an answer has. */
interface Page {
  readonly nextCursor: string | null;
  readonly coverage: Coverage;
}

interface Paged {
  readonly error: Error | null;
  readonly data?: { readonly pages: readonly Page[] } | undefined;
}

/** Asks again by itself while an answer lacks records that the service is about to read. */
const whileReading = ({ state }: { readonly state: Paged }): number | false =>
  pace(state, (state.data?.pages.at(-1)?.coverage.pending ?? 0) > 0 && READING_MS);

/** The questions to what is read out of the payloads of one ledger: the live one, or that of a case. */
export function investigationQueries(caseId: string | null, call: LedgerCall) {
  const keys = ledgerKeys(caseId);
  const paged = { initialPageParam: null as string | null };
  const after = ({ nextCursor }: Page): string | null => nextCursor;
  const from = (cursor: string | null) => (cursor === null ? {} : { cursor });
  return {
    sessions: ({ query, order = 'newest', agentId, zone }: SessionsQuestion, limit = PAGE) =>
      infiniteQueryOptions({
        ...paged,
        queryKey: keys.sessions({ query, order, agentId, zone, limit }),
        queryFn: ({ signal, pageParam }) =>
          call('sessions', { body: { query, zone, agentId, order, limit, ...from(pageParam) }, signal }),
        getNextPageParam: after,
        refetchInterval: whileReading,
      }),
    /** The steps of a session and of those below it: few at first, then many at a time. */
    steps: (session: string) =>
      infiniteQueryOptions({
        ...paged,
        queryKey: keys.steps(session),
        queryFn: ({ signal, pageParam }) => {
          const limit = pageParam === null ? STEPS[0] : STEPS[1];
          return call('sessionSteps', { body: { session, below: true, limit, ...from(pageParam) }, signal });
        },
        getNextPageParam: after,
        refetchInterval: whileReading,
      }),
    entities: ({ kind, contains }: EntitiesQuestion) =>
      infiniteQueryOptions({
        ...paged,
        queryKey: keys.entities({ kind, contains }),
        queryFn: ({ signal, pageParam }) =>
          call('entities', { body: { kind, contains, limit: PAGE, ...from(pageParam) }, signal }),
        getNextPageParam: after,
        refetchInterval: whileReading,
        placeholderData: (before) => before,
      }),
    touches: (kind: string, id: string, order: 'newest' | 'oldest') =>
      infiniteQueryOptions({
        ...paged,
        queryKey: keys.touches(kind, id, order),
        queryFn: ({ signal, pageParam }) =>
          call('entityTouches', { body: { kind, id, order, limit: PAGE, ...from(pageParam) }, signal }),
        getNextPageParam: after,
        refetchInterval: whileReading,
      }),
    /** How often values of fields occur among what a search finds, at most 12 fields at a time. */
    facets: (filter: AuditFilter, fields: readonly FacetField[], values: number) =>
      queryOptions({
        queryKey: keys.facets(filter, fields, values),
        queryFn: ({ signal }) => call('facets', { body: { ...filter, fields, values }, signal }),
        placeholderData: (before) => before,
      }),
    /** Names of members, or values of a field, that begin with a text; the most frequent first. */
    names: (field: string | undefined, begins: string) =>
      queryOptions({
        queryKey: keys.names(field, begins),
        staleTime: 30_000,
        queryFn: ({ signal }) => call('names', { body: { field, begins, values: 20 }, signal }),
      }),
    savedSearches: queryOptions({
      queryKey: keys.savedSearches,
      queryFn: ({ signal }) => call('savedSearches', { signal }),
    }),
    /** What a record was read as. */
    reading: (operationId: string) =>
      queryOptions({
        queryKey: keys.reading(operationId),
        queryFn: ({ signal }) => call('operationReading', { params: { operation_id: operationId }, signal }),
      }),
    /** The row of the newest record before this one that a query finds; null where there is none. */
    recordBefore: ({ ear }: Pick<StoredOperation, 'ear'>, query: string) =>
      queryOptions({
        queryKey: keys.recordBefore(ear.operation_id),
        queryFn: async ({ signal }) => {
          const body = { query, beforeSeq: ear.seq_no, limit: 1 };
          const { data } = await call('auditQuery', { body, signal });
          return data[0] ?? null;
        },
      }),
    activity: queryOptions({
      queryKey: keys.activity,
      queryFn: ({ signal }) => call('activity', { signal }),
    }),
    rules: queryOptions({
      queryKey: keys.rules,
      queryFn: ({ signal }) => call('investigationRules', { signal }),
    }),
    /** What all readings are kept under. */
    readingsKey: keys.readings,
    rulesKey: keys.rules,
  };
}
export type InvestigationQueries = ReturnType<typeof investigationQueries>;
