import { onlineManager, QueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { connection, probe } from './connection.ts';

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
