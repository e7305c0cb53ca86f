import type { ServerResponse } from 'node:http';

/** How long a request may take that asks for as much as it likes, from its handler's beginning, in milliseconds. */
const REQUEST_MS = 20_000;

/**
 * One end for a request and all that is done for it: the client is gone, the service stops, or the time is up.
 * @param stopping aborted when a stop waits for no answer any more
 * @param ms null where the answer is a file, which takes as long as it takes
 */
export function requestSignal(
  response: ServerResponse,
  stopping: AbortSignal,
  ms: number | null = REQUEST_MS,
): AbortSignal {
  // A response that is closed tells of that only once: what listens for it would listen as long as the service runs.
  if (response.destroyed || stopping.aborted) return AbortSignal.abort();
  const end = new AbortController();
  const giveUp = (): void => end.abort();
  const late = ms === null ? undefined : setTimeout(giveUp, ms).unref();
  stopping.addEventListener('abort', giveUp);
  response.once('close', () => {
    clearTimeout(late);
    stopping.removeEventListener('abort', giveUp);
    giveUp();
  });
  return end.signal;
}
