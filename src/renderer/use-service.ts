import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'ready'; readonly value: T };

/**
 * Reads one JSON answer of the service.
 *
 * @param path relative to the page, so that it works wherever the service is
 * @param read turns the body into what is needed; it throws a sentence for people
 */
export function useService<T>(path: string, read: (body: unknown) => T): { answer: Loaded<T>; reload: () => void } {
  const [answer, setAnswer] = useState<Loaded<T>>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is the reason to run again
  useEffect(() => {
    const request = new AbortController();
    setAnswer({ state: 'loading' });
    load(path, read, request.signal)
      .then((value) => setAnswer({ state: 'ready', value }))
      .catch((error: unknown) => {
        if (!request.signal.aborted) setAnswer({ state: 'failed', reason: sentence(error) });
      });
    return () => request.abort();
  }, [path, read, attempt]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { answer, reload };
}

async function load<T>(path: string, read: (body: unknown) => T, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return read(await response.json());
}

function sentence(error: unknown): string {
  // fetch reports a service that can't be reached as a TypeError without a usable text.
  if (error instanceof TypeError) return 'The service cannot be reached. It may have been stopped.';
  if (error instanceof SyntaxError) return 'The service gave an answer that is not JSON.';
  return error instanceof Error ? error.message : String(error);
}
