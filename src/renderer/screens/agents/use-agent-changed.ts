import { useQueryClient } from '@tanstack/react-query';

/** Has what shows agents asked for again after one was changed: the agents, and the log that says so. */
export function useAgentChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['agents'] }),
      client.invalidateQueries({ queryKey: ['admin-events'] }),
    ]);
  };
}
