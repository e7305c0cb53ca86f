import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleMemory } from '../../src/runtime/idle-memory.ts';

const collect = globalThis.gc;
let collected = 0;

beforeEach(() => {
  collected = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  globalThis.gc = (() => {
    collected++;
  }) as NodeJS.GCFunction;
});

afterEach(() => {
  globalThis.gc = collect;
  vi.useRealTimers();
});

it('gives the memory of a thread back once it has had nothing to do for a while', () => {
  const memory = new IdleMemory();
  memory.busy();
  vi.advanceTimersByTime(1900);
  memory.busy();
  vi.advanceTimersByTime(1900);
  expect(collected).toBe(0);
  vi.advanceTimersByTime(100);
  expect(collected).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(1);
});

it('gives nothing back where what was done since took next to nothing', () => {
  const memory = new IdleMemory();
  memory.busy();
  vi.advanceTimersByTime(2000);
  memory.busy();
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(1);
  const held = Array.from({ length: 1_000_000 }, (_, number) => ({ number }));
  memory.busy();
  vi.advanceTimersByTime(2000);
  expect(collected).toBe(2);
  expect(held).toHaveLength(1_000_000);
});
