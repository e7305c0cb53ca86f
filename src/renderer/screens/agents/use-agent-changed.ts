import { useQueryClient } from '@tanstack/react-query';
import { LIVE_KEYS } from '../../api/keys.ts';

/** Has what shows agents asked for again after one was changed: the agents, and the log that says so. */
export function useAgentChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: LIVE_KEYS.agents }),
      client.invalidateQueries({ queryKey: LIVE_KEYS.adminEvents }),
    ]);
  };
}
