import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { CallFailed, call } from './call.ts';
import { KEYS } from './keys.ts';
import { LIVE } from './ledger/ledger.ts';
import { pace } from './polling.ts';

/* Of the live ledger, for what is about it alone; screens that are over cases too ask useLedger(). */
export const {
  agents: agentsQuery,
  agent: agentQuery,
  operation: operationQuery,
  adminEvents: adminEventsQuery,
  histogram: histogramQuery,
  epochs: epochsQuery,
  jwks: jwksQuery,
} = LIVE.queries;

export const summaryQuery = queryOptions({
  ...LIVE.queries.summary,
  refetchInterval: ({ state }) => pace(state, 5_000),
});

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: KEYS.session,
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

/** The own organization, with how it assigns duties. */
export const organizationQuery = queryOptions({
  queryKey: KEYS.organization,
  staleTime: 60_000,
  queryFn: ({ signal }) => call('organization', { signal }),
});

/** The providers that people can sign in with here. */
export const providersQuery = queryOptions({
  queryKey: KEYS.providers,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => call('signInProviders', { signal }),
});

export const healthQuery = queryOptions({
  queryKey: KEYS.health,
  queryFn: ({ signal }) => call('deepHealth', { signal }),
  refetchInterval: ({ state }) => pace(state, 30_000),
});

export const clockQuery = queryOptions({
  queryKey: KEYS.clock,
  queryFn: ({ signal }) => call('getClock', { signal }),
  refetchInterval: ({ state }) => pace(state, 30_000),
});

export const ledgerVerificationQuery = queryOptions({
  queryKey: KEYS.ledgerVerification,
  queryFn: ({ signal }) => call('ledgerVerification', { signal }),
  refetchInterval: ({ state }) => pace(state, state.data?.status === 'running' ? 500 : 30_000),
});

const LIVE_MS = 1000;

/** The exports, newest first; asked for again and again while one of them is being made. */
/** @param request what the export is previewed by, as JSON; `null` while the form cannot be sent */
export const exportPreviewQuery = (request: string) =>
  queryOptions({
    queryKey: KEYS.exportPreview(request),
    enabled: request !== 'null',
    queryFn: ({ signal }) => call('previewExport', { body: JSON.parse(request), signal }),
    placeholderData: (before) => before,
  });

export const exportsQuery = infiniteQueryOptions({
  queryKey: KEYS.exports,
  queryFn: ({ signal, pageParam }) =>
    call('listExports', { query: { limit: 100, cursor: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchInterval: ({ state }) => {
    const isMaking = state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'processing'));
    return pace(state, isMaking === true ? LIVE_MS : false);
  },
});

export const exportQuery = (exportId: string) =>
  queryOptions({
    queryKey: KEYS.export(exportId),
    queryFn: ({ signal }) => call('getExport', { params: { export_id: exportId }, signal }),
    refetchInterval: ({ state }) => pace(state, state.data?.status === 'processing' ? LIVE_MS : false),
  });

/** The first operation of an agent's chain; an empty page until there is one. */
export const firstOperationQuery = (agentId: string) =>
  queryOptions({
    queryKey: KEYS.firstOperation(agentId),
    queryFn: ({ signal }) =>
      call('agentChain', { params: { agent_id: agentId }, query: { after: 0, limit: 1 }, signal }),
    // Asked for again each second for as long as nothing has come.
    refetchInterval: ({ state }) => pace(state, state.data?.data.length ? false : 1000),
  });

export const assignmentsQuery = (agentId: string) =>
  queryOptions({
    queryKey: KEYS.assignments(agentId),
    queryFn: ({ signal }) => call('listAssignments', { params: { agent_id: agentId }, signal }),
  });

export const membersQuery = queryOptions({
  queryKey: KEYS.members,
  queryFn: ({ signal }) => call('listMembers', { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: KEYS.invitations,
  queryFn: ({ signal }) => call('listInvitations', { signal }),
});

/** Questions that wait for a decision: all of them, or whether one does. */
export const waitingQuery = (operationId: string | null) =>
  queryOptions({
    queryKey: KEYS.waiting(operationId),
    queryFn: ({ signal }) => call('waitingDecisions', { query: { operation_id: operationId ?? undefined }, signal }),
    refetchInterval: ({ state }) => pace(state, 5_000),
  });

/** The agents that a member looks after. */
export const memberAgentsQuery = (userId: string) =>
  queryOptions({
    queryKey: KEYS.memberAgents(userId),
    queryFn: ({ signal }) => call('memberAgents', { params: { user_id: userId }, signal }),
  });
