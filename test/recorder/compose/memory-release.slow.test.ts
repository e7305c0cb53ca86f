import { afterEach, expect, it, vi } from 'vitest';
import { MemoryRelease } from '../../../src/recorder/compose/memory-release.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';

const events = (count: number): Seen[] => Array.from({ length: count }, () => ({}) as Seen);

const collect = globalThis.gc;
afterEach(() => {
  globalThis.gc = collect;
  vi.useRealTimers();
});

it('gives memory back once, after the start and after many events, when nothing has come for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let collected = 0;
  globalThis.gc = (() => {
    collected++;
  }) as NodeJS.GCFunction;
  const release = new MemoryRelease();
  const take = release.counted(async () => ({ allowed: true, reason: null, operation_ids: [] }));
  const lookAfter = (ms: number): number => {
    vi.advanceTimersByTime(ms);
    release.look();
    return collected;
  };
  expect(lookAfter(19_000)).toBe(0);
  await take('codex', events(1));
  expect(lookAfter(19_000)).toBe(0);
  expect(lookAfter(1_000)).toBe(1);
  expect(await take('codex', events(199))).toMatchObject({ allowed: true });
  expect(lookAfter(60_000)).toBe(1);
  await take('codex', events(1));
  expect(lookAfter(19_000)).toBe(1);
  await take('codex', events(1));
  expect(lookAfter(19_000)).toBe(1);
  expect(lookAfter(1_000)).toBe(2);
  expect(lookAfter(60_000)).toBe(2);
});
