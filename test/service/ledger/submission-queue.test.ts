// docs/what-happens.md, Life of an operation: many records share a commit, and none waits for others for long.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CheckedRecord } from '../../../src/service/ledger/check-record.ts';
import { SubmissionQueue, type Waiting } from '../../../src/service/ledger/submission-queue.ts';
import { Writer } from '../../../src/service/store/writer.ts';
import { rowLedger } from '../../support/operation-rows.ts';

const RECORD = {} as CheckedRecord;

/** A queue of which each commit takes at least so long, in milliseconds: that is how long the next one may wait. */
function opened(tookMs: number) {
  const sizes: number[] = [];
  const queue = new SubmissionQueue(new Writer(rowLedger('org').store), async (batch: readonly Waiting[]) => {
    const began = performance.now();
    while (performance.now() - began < tookMs) await nextTurn();
    sizes.push(batch.length);
    for (const { resolve } of batch) resolve({ receipt: {} as never, repeated: false });
  });
  return { queue, sizes };
}

it('does not hold a record back for a check that never ends', async () => {
  const { queue, sizes } = opened(2);
  void queue.coming(new Promise(() => undefined));
  await queue.add(RECORD);
  await queue.add(RECORD);
  expect(sizes).toEqual([1, 1]);
});

it('waits for a check that ends at once, and one that failed is not waited for', async () => {
  const { queue, sizes } = opened(5);
  const failed = queue.coming(Promise.reject(new Error('not sound')));
  await expect(failed).rejects.toThrow('not sound');
  await queue.add(RECORD);
  const check = Promise.withResolvers<CheckedRecord>();
  const second = queue.coming(check.promise).then((checked) => queue.add(checked));
  const first = queue.add(RECORD);
  check.resolve(RECORD);
  await Promise.all([first, second]);
  expect(sizes).toEqual([1, 2]);
});
