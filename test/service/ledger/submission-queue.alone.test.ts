// docs/what-happens.md, Life of an operation: what shares a flush already waits for nothing else.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { CheckedRecord } from '../../../src/service/ledger/check-record.ts';
import { SubmissionQueue, type Waiting } from '../../../src/service/ledger/submission-queue.ts';
import { Writer } from '../../../src/service/store/writer.ts';
import { rowLedger } from '../../support/operation-rows.ts';

const RECORD = {} as CheckedRecord;

afterEach(() => {
  vi.useRealTimers();
});

it('holds 49 records back for a check that is under way, and not 50', async () => {
  // A wait has no end of its own here.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const sizes: number[] = [];
  const queue = new SubmissionQueue(new Writer(rowLedger('org').store), async (batch: readonly Waiting[]) => {
    await nextTurn();
    sizes.push(batch.length);
    for (const { resolve } of batch) resolve({ receipt: {} as never, repeated: false });
  });
  void queue.coming(new Promise(() => undefined));
  const few = Array.from({ length: 49 }, () => queue.add(RECORD));
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(sizes).toEqual([]);
  await Promise.all([...few, queue.add(RECORD)]);
  expect(sizes).toEqual([50]);
  await Promise.all(Array.from({ length: 50 }, () => queue.add(RECORD)));
  expect(sizes).toEqual([50, 50]);
});
