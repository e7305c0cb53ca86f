import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Handing } from '../../../src/record/mcp/handing.ts';
import type { Verdict } from '../../../src/record/seen/feed.ts';
import type { Seen } from '../../../src/record/seen/seen.ts';

const ALLOWED: Verdict = { allowed: true, reason: null, operation_ids: [] };

it('counts every event that a recorder too slow for it made it drop, and keeps the ids of 16,384', async () => {
  const missed: string[] = [];
  const { promise: hangs, resolve: answer } = Promise.withResolvers<Verdict>();
  const recorder = {
    take: () => hangs,
    missed: async (_feed: string, ids: readonly string[]) => {
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
});
