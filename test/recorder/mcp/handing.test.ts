import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { Handing } from '../../../src/recorder/mcp/handing.ts';
import type { Verdict } from '../../../src/recorder/seen/feed.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';

const ALLOWED: Verdict = { allowed: true, reason: null, operation_ids: [] };

it('holds nobody up for longer than a while where the recorder hangs', async () => {
  vi.useFakeTimers();
  const { promise: hangs, resolve: answer } = Promise.withResolvers<Verdict>();
  const settle = async (): Promise<Verdict> => ALLOWED;
  const handing = new Handing({ take: () => hangs, missed: settle, withoutRecord: settle }, () => undefined);
  const event = (): Seen => ({ kind: 'notice', event_id: randomUUID() }) as unknown as Seen;
  const fill = (): void => {
    for (let n = 0; n < 2_000; n++) handing.later('other', [event()], 100);
  };
  fill();
  let hasRoom = false;
  const room = handing.room().then(() => {
    hasRoom = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(hasRoom).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await room;
  await handing.room();
  answer(ALLOWED);
  await handing.idle();
  fill();
  // It takes something again: whoever floods it waits again.
  const again = handing.room();
  await handing.idle();
  await again;
  vi.useRealTimers();
});

it('counts every event that a recorder too slow for it made it drop, and keeps the ids of 16,384', async () => {
  const missed: string[] = [];
  let most = 0;
  const { promise: hangs, resolve: answer } = Promise.withResolvers<Verdict>();
  const recorder = {
    take: () => hangs,
    missed: async (_feed: string, ids: readonly string[]) => {
      most = Math.max(most, ids.length);
      missed.push(...ids);
      return ALLOWED;
    },
    withoutRecord: async () => ALLOWED,
  };
  const handing = new Handing(recorder, () => undefined);
  // The form of an event is its reader's: here only its id is looked at.
  const event = (): Seen => ({ kind: 'notice', event_id: randomUUID() }) as unknown as Seen;
  for (let n = 0; n < 50_000; n++) handing.later('other', [event()], 100);
  answer(ALLOWED);
  await handing.idle();
  expect(missed.filter((id) => id !== '-')).toHaveLength(16_384);
  // 4,096 wait at most.
  expect(missed).toHaveLength(50_000 - 4_096);
  // No more lie in memory at a time, however long it hangs.
  expect(most).toBe(16_384);
});

it('answers whoever waits for a verdict while more is dropped each time that it notes what was', async () => {
  const { promise: hangs, resolve: answer } = Promise.withResolvers<Verdict>();
  const event = (): Seen => ({ kind: 'notice', event_id: randomUUID() }) as unknown as Seen;
  const fill = (): void => {
    for (let n = 0; n < 5_000; n++) handing.later('other', [event()], 100);
  };
  let noted = 0;
  let verdict: Promise<Verdict> | null = null;
  let isAnswered = false;
  const recorder = {
    take: () => hangs,
    missed: async () => {
      // A server that never stops, but for the end of the test.
      if (!isAnswered && ++noted < 100) fill();
      verdict ??= handing.asked('other', [event()], 100).then((said) => {
        isAnswered = true;
        return said;
      });
      await Promise.resolve();
      return ALLOWED;
    },
    withoutRecord: async () => ALLOWED,
  };
  const handing = new Handing(recorder, () => undefined);
  fill();
  answer(ALLOWED);
  await handing.idle();
  expect(await verdict).toEqual(ALLOWED);
  expect(noted).toBeLessThan(5);
});
