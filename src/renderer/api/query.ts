import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { AnswerOf, RouteName } from '../../api/index.ts';
import type { Case } from './answers.ts';
import { CallFailed, type CallInput, call } from './call.ts';
import { FRESH_MS, POLLED, POLLED_PAGES, pace } from './freshness.ts';

/* Questions to the service, each from the contract's route table, and what their answers are kept under. */

/** What a route is asked for by. */
export interface Asked extends Pick<CallInput, 'params' | 'query'> {
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The routes that answer a page at a time. */
export type PagedRoute = { [N in RouteName]: 'nextCursor' extends keyof AnswerOf<N> ? N : never }[RouteName];

interface Page {
  readonly nextCursor?: string | null | undefined;
}

/**
 * What the answers of a route are kept under; a key covers all that begin with it.
 * @param kind single answers, or lists that grow by pages; without it both
 */
export function keyOf(name: RouteName, kind?: 'one' | 'pages', asked?: Asked): QueryKey {
  if (kind === undefined) return [name];
  return asked === undefined ? [name, kind] : [name, kind, asked];
}

/** What the answer under a key was asked for by. */
export function askedOf([, , asked]: QueryKey): Asked {
  return (asked ?? {}) as Asked;
}

/** A key of what is made from the answer to a question: asked for again with it. */
export function keyBelow({ queryKey }: { readonly queryKey: QueryKey }, ...more: readonly unknown[]): QueryKey {
  return [...queryKey, ...more];
}

/** A question to a route. */
export function q<N extends RouteName>(name: N, asked: Asked = {}) {
  return queryOptions({
    queryKey: keyOf(name, 'one', asked),
    queryFn: ({ signal }) => call(name, { ...asked, signal }),
    ...freshness(name),
    refetchInterval: ({ state }) => pace(state, POLLED[name]?.(state.data) ?? false),
  });
}

/** A list that is fetched a page at a time. @param later what pages after the first are asked for by, where it differs */
export function pages<N extends PagedRoute>(name: N, asked: Asked = {}, later = asked) {
  return infiniteQueryOptions({
    queryKey: keyOf(name, 'pages', asked),
    queryFn: ({ signal, pageParam }) =>
      call(name, { ...(pageParam === null ? asked : withCursor(later, pageParam)), signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as Page).nextCursor ?? null,
    ...freshness(name),
    refetchInterval: ({ state }) => pace(state, POLLED_PAGES[name]?.(state.data?.pages ?? []) ?? false),
  });
}

function withCursor({ params, query, body }: Asked, cursor: string): Asked {
  const rest = params === undefined ? {} : { params };
  return body === undefined ? { ...rest, query: { ...query, cursor } } : { ...rest, body: { ...body, cursor } };
}

function freshness(name: RouteName): { readonly staleTime?: number } {
  const staleTime = FRESH_MS[name];
  return staleTime === undefined ? {} : { staleTime };
}

/** What a verification of a case came to; after another one it is asked for again. @param verifiedAt when it was verified */
export function asOfVerification<N extends 'caseReport' | 'caseCoherence'>(
  name: N,
  caseId: string,
  verifiedAt: string | null,
): ReturnType<typeof q<N>> {
  const asked = q(name, { params: { case_id: caseId } });
  return { ...asked, queryKey: keyBelow(asked, verifiedAt) as typeof asked.queryKey };
}

/** The report on the file of a case: there is none of an archive, and of what nobody signed. */
export function reportOfCase(
  caseId: string,
  of: Case | undefined,
): ReturnType<typeof q<'caseReport'>> & { readonly enabled: boolean } {
  return {
    ...asOfVerification('caseReport', caseId, of?.verified_at ?? null),
    enabled: of !== undefined && of.archive === null && of.verdict_code !== 'NOT_SIGNED',
  };
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: keyOf('session', 'one', {}),
  ...freshness('session'),
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

/** The cases, whose list, search and choices share one answer. */
export const casesQuery = pages('listCases', { query: { limit: 200 } });
