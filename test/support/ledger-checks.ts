import { expect } from 'vitest';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { StepFailed } from './failing.ts';
import type { TestLedger } from './ledger.ts';

/** The code with which something was refused, or what else became of it. */
export async function codeOf(result: Promise<unknown>): Promise<string> {
  try {
    await result;
    return 'accepted';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    if (error instanceof StepFailed) return 'step failed';
    throw error;
  }
}

function expectGapless(receipts: readonly Receipt[]): void {
  const numbers = receipts.map(({ seq_no }) => seq_no).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: receipts.length }, (_, index) => index + 1));
}

/** Seals, exports and verifies a ledger: it has these receipts, numbered without a gap, and nothing else. */
export async function expectVerified(test: TestLedger, receipts: readonly Receipt[]): Promise<void> {
  expectGapless(receipts);
  const report = await test.verify(receipts);
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('verified');
  expect(report.bundle.records).toBe(receipts.length);
}

/** Submits until it is accepted, as a client does after an error: the same record again. */
export async function persist(test: TestLedger, record: SubmittedRecord, tries = 3): Promise<Receipt> {
  for (let left = tries; ; left--) {
    try {
      return (await test.submit(record)).receipt;
    } catch (error) {
      if (!(error instanceof StepFailed) || left === 0) throw error;
    }
  }
}
