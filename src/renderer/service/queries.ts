import { queryOptions } from '@tanstack/react-query';
import { LIVE } from '../ledger/ledger.ts';
import { CallFailed, call } from './call.ts';

/* Of the live ledger, for what is about it alone; screens that are over cases too ask useLedger(). */
export const {
  agents: agentsQuery,
  adminEvents: adminEventsQuery,
  histogram: histogramQuery,
  epochs: epochsQuery,
  jwks: jwksQuery,
} = LIVE.queries;

export const summaryQuery = queryOptions({ ...LIVE.queries.summary, refetchInterval: 5_000 });

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

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => call('deepHealth', { signal }),
  refetchInterval: 30_000,
});

export const ledgerVerificationQuery = queryOptions({
  queryKey: ['ledger-verification'],
  queryFn: ({ signal }) => call('ledgerVerification', { signal }),
  refetchInterval: ({ state }) => (state.data?.status === 'running' ? 500 : 30_000),
});
