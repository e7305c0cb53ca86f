import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { RouteName } from '../../api/index.ts';
import { call } from './call.ts';
import { connection, probe } from './connection.ts';
import { askedOf, keyOf } from './query.ts';

// The service is on this machine or nearby: whether the machine is online says nothing about it. What counts is whether
// the service answers and takes who is signed in; until then queries are paused, and go on by themselves afterwards.
onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(!connection.isCut)));
probe(connection, () => call('health'));

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'online',
      staleTime: 5_000,
      // What the service refused it will refuse again. What failed because the connection is cut waits for it to be back.
      retry: () => connection.isCut,
      retryDelay: 0,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Has the answers of routes asked for again: those that are shown at once, the others when somebody comes back to them. */
export async function invalidate(...names: readonly RouteName[]): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: keyOf(name) })));
}

/** Forgets all that is known of a case, its ledger too. */
export function forgetCase(caseId: string): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => askedOf(queryKey).params?.['case_id'] === caseId });
}

/** Has what shows agents asked for again after one was changed: the agents, and the log that says so. */
export function agentChanged(): Promise<void> {
  return invalidate('listAgents', 'getAgent', 'agentHead', 'listAssignments', 'listAdminEvents', 'adminChain');
}

/** Has all asked for again that says what is kept for how long. */
export function retentionChanged(): Promise<void> {
  return invalidate('retentionRules', 'listHolds', 'listSweeps', 'operationRetention');
}
