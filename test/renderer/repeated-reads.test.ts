import { afterEach, expect, it, vi } from 'vitest';
import { CallFailed, call } from '../../src/renderer/api/call.ts';
import { connection } from '../../src/renderer/api/connection.ts';

/* A service closes an idle connection at the very moment that a browser asks on it: fetch fails, and nothing is wrong. */

afterEach(() => {
  vi.unstubAllGlobals();
  connection.noteAnswer();
});

/** A browser whose first requests are reset. @returns what was asked */
function resetting(times: number): string[] {
  const asked: string[] = [];
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('fetch', async (path: string, { method }: { readonly method: string }) => {
    asked.push(`${method} ${path}`);
    if (asked.length <= times) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify({ status: 'ok', version: '1.0.0' }), { status: 200 });
  });
  return asked;
}

it('asks again once, and silently, for what changes nothing', async () => {
  const asked = resetting(1);
  expect(await call('health')).toMatchObject({ status: 'ok' });
  expect(asked).toEqual(['GET ./v1/health', 'GET ./v1/health']);
  expect(connection.state.lostSince).toBeNull();
});

it('tells that the service is away where the second one comes to nothing too', async () => {
  const asked = resetting(2);
  await expect(call('health')).rejects.toBeInstanceOf(CallFailed);
  expect(asked).toHaveLength(2);
  expect(connection.state.lostSince).not.toBeNull();
});

it('asks once for what changes something', async () => {
  const asked = resetting(1);
  await expect(call('signOut', { body: {} })).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(asked).toHaveLength(1);
});
