import { getHeapStatistics } from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleMemory } from '../../src/node/idle-memory.ts';

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
  const floor = getHeapStatistics().total_heap_size;
  memory.busy();
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(1);
  // Of what a heap has taken before, much may be free: how much it takes for it to grow is not known.
  const held: object[] = [];
  while (getHeapStatistics().total_heap_size < floor + 8 * 1024 * 1024) {
    held.push(Array.from({ length: 10_000 }, (_, number) => ({ number })));
  }
  memory.busy();
  vi.advanceTimersByTime(2000);
  expect(collected).toBe(2);
  expect(held).not.toEqual([]);
});
