import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditQuery } from '../../contract/index.ts';
import { CallFailed, call } from './call.ts';

/** Filters of the audit search; times are RFC 3339, the end exclusive. */
export type AuditFilter = Partial<
  Pick<AuditQuery, 'agentId' | 'operationType' | 'subject' | 'startTime' | 'endTime' | 'beforeSeq'>
>;

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal, client, queryKey }) => {
    try {
      return await call('session', { signal });
    } catch (error) {
      // Who was signed in is asked for the password again, over the page: the page must stay as it is.
      const wasSignedIn = client.getQueryData(queryKey) != null;
      if (!wasSignedIn && error instanceof CallFailed && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  },
});

export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: ({ signal }) => call('ledgerSummary', { signal }),
  refetchInterval: 5_000,
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => call('deepHealth', { signal }),
  refetchInterval: 30_000,
});

export const jwksQuery = queryOptions({
  queryKey: ['jwks'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call('jwks', { signal }),
});

export const ledgerVerificationQuery = queryOptions({
  queryKey: ['ledger-verification'],
  queryFn: ({ signal }) => call('ledgerVerification', { signal }),
  refetchInterval: ({ state }) => (state.data?.status === 'running' ? 500 : 30_000),
});

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => call('listAgents', { signal }),
});

export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId],
    queryFn: ({ signal }) => call('getAgent', { params: { agent_id: agentId }, signal }),
  });

export const agentHeadQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId, 'head'],
    queryFn: ({ signal }) => call('agentHead', { params: { agent_id: agentId }, signal }),
  });

export const adminEventsQuery = queryOptions({
  queryKey: ['admin-events'],
  queryFn: ({ signal }) => call('listAdminEvents', { query: { limit: 100 }, signal }),
});

export const histogramQuery = ({ beforeSeq: _, ...filter }: AuditFilter, buckets: number) =>
  queryOptions({
    queryKey: ['histogram', filter, buckets],
    queryFn: ({ signal }) => call('auditHistogram', { query: { ...filter, buckets }, signal }),
    placeholderData: (before) => before,
  });

export const auditQuery = (filter: AuditFilter, limit = 200) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter, limit],
    // Until the ledger is known to have grown (useLiveLedger).
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: true,
    queryFn: ({ signal, pageParam }) =>
      call('auditQuery', { body: { ...filter, limit, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** So many rows around one, of the whole ledger. */
export const contextQuery = (seqNo: number, reach: number) =>
  queryOptions({
    queryKey: ['context', seqNo, reach],
    queryFn: ({ signal }) =>
      call('auditQuery', { body: { beforeSeq: seqNo + reach + 1, limit: 2 * reach + 1 }, signal }),
  });

export const operationQuery = (operationId: string) =>
  queryOptions({
    queryKey: ['operations', operationId],
    queryFn: ({ signal }) => call('getOperation', { params: { operation_id: operationId }, signal }),
  });

export const epochsQuery = (limit = 200) =>
  infiniteQueryOptions({
    queryKey: ['epochs', limit],
    queryFn: ({ signal, pageParam }) =>
      call('listEpochs', { query: { limit, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const epochQuery = (epochId: string) =>
  queryOptions({
    queryKey: ['epochs', 'one', epochId],
    // What is sealed never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('getEpoch', { params: { epoch_id: epochId }, signal }),
  });

/** The first operation of an agent's chain; an empty page until there is one. */
export const firstOperationQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId, 'first'],
    queryFn: ({ signal }) =>
      call('agentChain', { params: { agent_id: agentId }, query: { after: 0, limit: 1 }, signal }),
    // Asked for again each second for as long as nothing has come, also while the service is away.
    refetchInterval: ({ state }) => (state.data?.data.length ? false : 1000),
  });

export const assignmentsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId, 'assignments'],
    queryFn: ({ signal }) => call('listAssignments', { params: { agent_id: agentId }, signal }),
  });

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => call('listMembers', { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => call('listInvitations', { signal }),
});

/** The agents that a member looks after. */
export const memberAgentsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['members', userId, 'agents'],
    queryFn: ({ signal }) => call('memberAgents', { params: { user_id: userId }, signal }),
  });
