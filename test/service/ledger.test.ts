import { describe, expect, it } from 'vitest';
import { formatTime, type Receipt, type SubmittedRecord } from '../../src/protocol/index.ts';
import { TestLedger } from '../support/ledger.ts';
import { codeOf, expectVerified } from '../support/ledger-checks.ts';
import { chainHashOf, type Signer } from '../support/signer.ts';

/** Keeps the writer busy until it is released, so that what is submitted meanwhile waits. */
function holdWriter({ writer }: TestLedger): { queued(): Promise<void>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  void writer.run(() => promise);
  return {
    // Signatures are checked first, one turn after the other; then all of them wait for the writer.
    queued: async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((next) => setImmediate(next));
    },
    release: resolve,
  };
}

describe('a batch', () => {
  /** Submits records so that all of them are decided and written together. */
  async function together(test: TestLedger, records: readonly SubmittedRecord[]): Promise<string[]> {
    const gate = holdWriter(test);
    const results = Promise.all(records.map((record) => codeOf(test.submit(record))));
    await gate.queued();
    const before = test.rows('SELECT * FROM operations').length;
    gate.release();
    const outcomes = await results;
    const accepted = new Set(outcomes.flatMap((code, index) => (code === 'accepted' ? [records[index]] : [])));
    expect(test.rows('SELECT * FROM operations')).toHaveLength(before + accepted.size);
    return outcomes;
  }

  it('takes a chain of records that refer to one another', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const records = [signer.next(), signer.next(), signer.next()];
    expect(await together(test, records)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await together(test, [signer.next(), signer.record()])).toEqual(['accepted', 'accepted']);
  });

  it('takes one of several records that refer to the same one', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const records = [signer.record(), signer.record(), signer.record()];
    expect(await together(test, records)).toEqual(['accepted', 'PREV_HASH_MISMATCH', 'PREV_HASH_MISMATCH']);
  });

  it('lets a nonce be used once, and an operation_id', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const { nonce, operation_id } = signer.record();
    const first = signer.next({ nonce, operation_id });
    const again = [
      signer.record({ nonce }),
      signer.record({ operation_id }),
      signer.record({ operation_id: operation_id.toUpperCase() }),
      signer.next(),
    ];
    expect(await together(test, [first, ...again])).toEqual([
      'accepted',
      'REPLAY_DETECTED',
      'REPLAY_DETECTED',
      'REPLAY_DETECTED',
      'accepted',
    ]);
  });

  it('lets agents use the same nonce and, in the same record twice, gives one receipt', async () => {
    const test = await TestLedger.open();
    const [one, two] = [await test.agent('one'), await test.agent('two')];
    const [first, second] = [one.next({ nonce: 'of both of them' }), two.next({ nonce: 'of both of them' })];
    expect(await together(test, [first, second, first])).toEqual(['accepted', 'accepted', 'accepted']);
    const [a, b] = await Promise.all([test.submit(first), test.submit(first)]);
    expect(a).toEqual(b);
  });
});

describe('the time to live', () => {
  async function outcome(age: number, ttl_ms: number): Promise<string> {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    return codeOf(test.submit(signer.next({ issued_at: formatTime(test.clock - age), ttl_ms })));
  }

  it.each([
    [1000, 1000, 'accepted'],
    [1001, 1000, 'TTL_EXPIRED'],
    [86_400_000, 86_400_000, 'accepted'],
    [86_400_001, 86_400_000, 'TTL_EXPIRED'],
    [-300_000, 1, 'accepted'],
    [-300_001, 86_400_000, 'VALIDATION_ERROR'],
  ])('issued %i ms ago with a time to live of %i ms: %s', async (age, ttl, expected) => {
    expect(await outcome(age, ttl)).toBe(expected);
  });

  it('does not matter to a record that is sent again', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const record = signer.next({ ttl_ms: 1000 });
    const first = await test.submit(record);
    test.clock += 2000;
    expect(await codeOf(test.submit(signer.record({ issued_at: record.issued_at, ttl_ms: 1000 })))).toBe('TTL_EXPIRED');
    expect(await test.submit(record)).toEqual({ receipt: first.receipt, repeated: true });
  });
});

describe('a large ledger', () => {
  it('is exported over many pages and verifies', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 300 });
    const signers: Signer[] = [];
    for (let n = 0; n < 4; n++) signers.push(await test.agent(`agent-${n}`));
    const receipts: Receipt[] = [];
    for (let round = 0; round < 5; round++) {
      // Chains sent ahead: each record refers to one that is not accepted yet.
      const records = signers.flatMap((signer) => Array.from({ length: 60 }, () => signer.next()));
      const made = await Promise.all(records.map((record) => test.submit(record)));
      expect(made.map(({ receipt }) => receipt.chain_hash)).toEqual(records.map(chainHashOf));
      receipts.push(...made.map(({ receipt }) => receipt));
    }
    await expectVerified(test, receipts);
    expect(test.rows<{ leaf_count: number }>('SELECT leaf_count FROM epochs').map((row) => row.leaf_count)).toEqual([
      300, 300, 300, 300,
    ]);
  });
});

describe('a stop', () => {
  it('finishes what was submitted, and seals it', async () => {
    const test = await TestLedger.open();
    const signers = await Promise.all(Array.from({ length: 20 }, (_, n) => test.agent(`agent-${n}`)));
    const gate = holdWriter(test);
    const submitted = Promise.all(signers.map((signer) => test.submit(signer.next())));
    await gate.queued();
    const closed = test.ledger.close();
    gate.release();
    await closed;
    expect(test.rows('SELECT leaf_count FROM epochs')).toEqual([{ leaf_count: 20 }]);
    const receipts = (await submitted).map(({ receipt }) => receipt);
    await test.reopen();
    await expectVerified(test, receipts);
  });
});
