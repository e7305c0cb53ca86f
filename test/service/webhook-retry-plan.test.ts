import { expect, test } from 'vitest';
import { nextAttempt, RETRY_PLAN } from '../../src/service/operator/webhooks/plan.ts';

test('retries come after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, and then no more', () => {
  const waits = Array.from({ length: 8 }, (_, index) => nextAttempt(RETRY_PLAN, index + 1, 0, 0.5));
  expect(waits).toEqual([5000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000, null]);
});

test('each is up to a fifth earlier or later', () => {
  expect(nextAttempt(RETRY_PLAN, 1, 1_000_000, 0)).toBe(1_004_000);
  expect(nextAttempt(RETRY_PLAN, 1, 1_000_000, 1)).toBe(1_006_000);
});
