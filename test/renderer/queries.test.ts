import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { LIVE, ledgerOf } from '../../src/renderer/api/ledger/ledger.ts';
import { keyBelow, pages, q } from '../../src/renderer/api/query.ts';
import { forgetCase, invalidate, queryClient } from '../../src/renderer/api/query-client.ts';

const ONE = '01920000-0000-7000-8000-000000000001';
const OTHER = '01920000-0000-7000-8000-000000000002';

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** A service that answers each page with what it was asked. @returns addresses and bodies */
function answering(): { readonly path: string; readonly body: unknown }[] {
  const asked: { readonly path: string; readonly body: unknown }[] = [];
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('fetch', async (path: string, { body }: { readonly body?: string }) => {
    asked.push({ path, body: body === undefined ? null : JSON.parse(body) });
    const answer = { data: [], nextCursor: asked.length === 1 ? 'next' : null, hasMore: asked.length === 1 };
    const more = path.endsWith('/query') ? { coverage: { indexed_to: 0, pending: 0, complete: true } } : {};
    return new Response(JSON.stringify({ ...answer, ...more }), { status: 200 });
  });
  return asked;
}

it('keeps the answers of the live ledger and of each case apart', () => {
  const keys = [LIVE, ledgerOf(ONE), ledgerOf(OTHER)].map((ledger) => JSON.stringify(ledger.q('listAgents').queryKey));
  expect(new Set(keys).size).toBe(3);
});

it('asks of a case what it asks of the live ledger', async () => {
  const asked = answering();
  const client = new QueryClient();
  const question = ledgerOf(ONE).pages('sessions', { body: { order: 'newest', limit: 100 } });
  await client.fetchInfiniteQuery({ ...question, pages: 2 });
  const path = `./v1/cases/${ONE}/sessions/query`;
  expect(asked).toEqual([
    { path, body: { order: 'newest', limit: 100 } },
    { path, body: { order: 'newest', limit: 100, cursor: 'next' } },
  ]);
});

it('is asked by names of routes that both ledgers have, and by no other', () => {
  expect(ledgerOf(ONE).routeOf('auditQuery')).toBe('caseAuditQuery');
  // @ts-expect-error: no route
  expect(() => ledgerOf(ONE).routeOf('auditQueries')).toThrow(TypeError);
  // @ts-expect-error: of the live ledger alone
  expect(() => ledgerOf(ONE).routeOf('closeEpoch')).toThrow(TypeError);
});

it('puts the place of a page into the address where there is no body', async () => {
  const asked = answering();
  const client = new QueryClient();
  await client.fetchInfiniteQuery({
    ...pages('listEpochs', { query: { limit: 100 } }),
    pages: 2,
  });
  expect(asked.map(({ path }) => path)).toEqual(['./v1/epochs?limit=100', './v1/epochs?limit=100&cursor=next']);
});

it('asks again for all answers of a route, whatever they were asked for by, and for what is made from them', async () => {
  const one = q('getOperation', { params: { operation_id: ONE } });
  const list = pages('listExports', { query: { limit: 100 } });
  const neighbours = keyBelow(one, 'neighbours');
  for (const key of [one.queryKey, list.queryKey, neighbours]) queryClient.setQueryData<unknown>(key, {});
  await invalidate('getOperation');
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
  expect([one.queryKey, neighbours, list.queryKey].map(isStale)).toEqual([true, true, false]);
});

it('forgets of a case its own answers and those of its ledger, and nothing else', () => {
  const all = [
    LIVE.q('listAgents'),
    ...[ONE, OTHER].flatMap((id) => [q('getCase', { params: { case_id: id } }), ledgerOf(id).q('listAgents')]),
  ];
  for (const { queryKey } of all) queryClient.setQueryData<unknown>(queryKey, {});
  forgetCase(ONE);
  expect(all.map(({ queryKey }) => queryClient.getQueryData<unknown>(queryKey) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});
