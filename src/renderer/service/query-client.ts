import { QueryClient } from '@tanstack/react-query';
import { CallFailed } from './call.ts';

/** The service is on this machine or nearby: whether the machine is online says nothing about it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What the service refused it will refuse again.
      retry: (count, error) => count < 1 && error instanceof CallFailed && error.code === 'UNREACHABLE',
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
});
