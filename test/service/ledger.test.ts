import { describe, expect, it } from 'vitest';
import { formatTime, parseTime, type Receipt, type SubmittedRecord } from '../../src/protocol/index.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { type FailingStep, type Failure, StepFailed, TestLedger } from '../support/ledger.ts';
import { chainHashOf, type Signer } from '../support/signer.ts';

const SECOND = 1000;

async function codeOf(result: Promise<unknown>): Promise<string> {
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

async function expectVerified(test: TestLedger, receipts: readonly Receipt[]): Promise<void> {
  expectGapless(receipts);
  const report = await test.verify(receipts);
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('verified');
  expect(report.bundle.records).toBe(receipts.length);
}

/** Submits until it is accepted, as a client does after an error: the same record again. */
async function persist(test: TestLedger, record: SubmittedRecord, tries = 3): Promise<Receipt> {
  for (let left = tries; ; left--) {
    try {
      return (await test.submit(record)).receipt;
    } catch (error) {
      if (!(error instanceof StepFailed) || left === 0) throw error;
    }
  }
}

describe('a batch', () => {
  /** Submits records so that all of them are decided and written together. */
  async function together(test: TestLedger, records: readonly SubmittedRecord[]): Promise<string[]> {
    let release = (): void => undefined;
    const held = test.writer.run(() => new Promise<void>((resolve) => (release = resolve)));
    const results = Promise.all(records.map((record) => codeOf(test.submit(record))));
    // Signatures are checked first, one turn after the other; then all of them wait for the writer.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    const before = test.rows('SELECT * FROM operations').length;
    release();
    await held;
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

describe('an append that fails', () => {
  it.each<[Failure, boolean]>([
    ['before', false],
    ['after', true],
  ])('%s it is done: the record sent again is accepted once', async (failure, persisted) => {
    const test = await TestLedger.open({ epochMaxLeaves: 4 });
    const signer = await test.agent('agent');
    const receipts = [(await test.submit(signer.next())).receipt];
    const record = signer.next();
    test.fail('append', failure);
    expect(await codeOf(test.submit(record))).toBe('step failed');
    expect(test.rows('SELECT * FROM operations')).toHaveLength(persisted ? 2 : 1);
    const again = await test.submit(record);
    expect(again.repeated).toBe(persisted);
    receipts.push(again.receipt);
    for (let n = 0; n < 5; n++) receipts.push((await test.submit(signer.next())).receipt);
    await expectVerified(test, receipts);
    // The largest number of leaves is kept also across the failure.
    expect(test.rows<{ leaf_count: number }>('SELECT leaf_count FROM epochs')).toEqual([
      { leaf_count: 4 },
      { leaf_count: 3 },
    ]);
  });

  it.each<Failure>(['before', 'after'])('%s it is done, for many at once: all or none of a batch', async (failure) => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signers = await Promise.all(Array.from({ length: 10 }, (_, n) => test.agent(`agent-${n}`)));
    const receipts: Receipt[] = [];
    for (let round = 0; round < 4; round++) {
      const records = signers.map((signer) => signer.next());
      if (round % 2 === 1) test.fail('append', failure);
      receipts.push(...(await Promise.all(records.map((record) => persist(test, record)))));
    }
    await expectVerified(test, receipts);
  });

  it('makes no later submission fail, of no other organization either', async () => {
    const test = await TestLedger.open();
    const [one, two] = [await test.agent('one'), await test.agent('two')];
    test.fail('append', 'before');
    const failed = one.next();
    expect(await codeOf(test.submit(failed))).toBe('step failed');
    const receipts = [(await test.submit(two.next())).receipt, (await test.submit(failed)).receipt];
    await expectVerified(test, receipts);
  });
});

describe('sealing that fails', () => {
  it.each<Failure>(['before', 'after'])('%s it is done, at the last leaf: the record is answered', async (failure) => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    for (let n = 0; n < 8; n++) {
      if (n === 2) test.fail('appendEpoch', failure);
      receipts.push((await test.submit(signer.next())).receipt);
    }
    expect(test.errors).toEqual([expect.any(StepFailed)]);
    await expectVerified(test, receipts);
    expect(test.rows<{ leaf_count: number }>('SELECT leaf_count FROM epochs').map((row) => row.leaf_count)).toEqual([
      3, 3, 2,
    ]);
  });

  it.each<Failure>(['before', 'after'])(
    '%s it is done, when it was asked for: it can be asked again',
    async (failure) => {
      const test = await TestLedger.open();
      const signer = await test.agent('agent');
      const receipts = [(await test.submit(signer.next())).receipt, (await test.submit(signer.next())).receipt];
      test.fail('appendEpoch', failure);
      await expect(test.ledger.sealNow(test.orgId)).rejects.toThrow(StepFailed);
      expect(await test.ledger.sealNow(test.orgId)).toMatchObject({ seqNo: 2, epochNo: 1 });
      receipts.push((await test.submit(signer.next())).receipt);
      await expectVerified(test, receipts);
    },
  );

  it('for as long as it likes: nothing that was answered is lost, and all is sealed in the end', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 2 });
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    test.fail('appendEpoch', 'before', 'after', 'before', 'before');
    for (let n = 0; n < 9; n++) receipts.push(await persist(test, signer.next(), 5));
    await expectVerified(test, receipts);
  });
});

describe('reading that fails', () => {
  it.each<FailingStep>(['lookUp', 'tail'])('%s: the submission fails, the next does not', async (step) => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const record = signer.next();
    test.fail(step, 'before');
    expect(await codeOf(test.submit(record))).toBe('step failed');
    const receipts = [(await test.submit(record)).receipt];
    receipts.push((await test.submit(signer.next())).receipt);
    await expectVerified(test, receipts);
  });
});

describe('many failures under load', () => {
  it('lose no receipt and use no number twice', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 5 });
    const signers = await Promise.all(Array.from({ length: 8 }, (_, n) => test.agent(`agent-${n}`)));
    const failures: Failure[] = ['before', 'after', 'after', 'before'];
    const receipts: Receipt[] = [];
    let round = 0;
    await Promise.all(
      signers.map(async (signer) => {
        for (let n = 0; n < 12; n++) {
          if (round++ % 9 === 0) test.fail(round % 2 === 0 ? 'append' : 'appendEpoch', failures[round % 4] ?? 'before');
          receipts.push(await persist(test, signer.next(), 10));
        }
      }),
    );
    await expectVerified(test, receipts);
  });
});

describe('a crash', () => {
  it('leaves a ledger that goes on where it ended', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 4 });
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    for (let n = 0; n < 7; n++) {
      receipts.push((await test.submit(signer.next())).receipt);
      if (n % 3 === 1) await test.reopen();
    }
    await expectVerified(test, receipts);
    expect(test.rows<{ leaf_count: number }>('SELECT leaf_count FROM epochs').map((row) => row.leaf_count)).toEqual([
      4, 3,
    ]);
  });

  it('loses nothing of what was in progress: what was sent again gets its receipt', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const record = signer.next();
    test.fail('append', 'after');
    expect(await codeOf(test.submit(record))).toBe('step failed');
    await test.reopen();
    const { receipt, repeated } = await test.submit(record);
    expect(repeated).toBe(true);
    await expectVerified(test, [receipt]);
  });
});

describe('a clock that steps back', () => {
  it('never makes a time of the ledger decrease', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const start = test.clock;
    const receipts: Receipt[] = [];
    for (const step of [0, 5, -60, -59, 3, 4, -3600, 5, 6, 7]) {
      test.clock = start + step * SECOND;
      const issued_at = formatTime(start);
      receipts.push((await test.submit(signer.next({ issued_at }))).receipt);
    }
    const times = receipts.map(({ server_received_at }) => server_received_at);
    expect(times).toEqual(times.toSorted());
    expect(times.map((time) => (parseTime(time) - start) / SECOND)).toEqual([0, 5, 5, 5, 5, 5, 5, 5, 6, 7]);
    test.clock = start - 3600 * SECOND;
    await expectVerified(test, receipts);
    const epochs = test.rows<{ start_time: string; end_time: string }>('SELECT start_time, end_time FROM epochs');
    const ends = epochs.map(({ end_time }) => end_time);
    expect(ends).toEqual(ends.toSorted());
    for (const { start_time, end_time } of epochs) expect(end_time >= start_time).toBe(true);
  });

  it('also not while it ticks within a batch that fills several epochs', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 2, now: () => test.clock++ });
    const signers = await Promise.all(Array.from({ length: 7 }, (_, n) => test.agent(`agent-${n}`)));
    const submissions = await Promise.all(signers.map((signer) => test.submit(signer.next())));
    test.clock -= 3600 * SECOND;
    await expectVerified(
      test,
      submissions.map(({ receipt }) => receipt),
    );
    const ends = test.rows<{ end_time: string }>('SELECT end_time FROM epochs').map(({ end_time }) => end_time);
    expect(ends).toHaveLength(4);
    expect(ends).toEqual(ends.toSorted());
  });

  it('is not forgotten at a restart', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const first = (await test.submit(signer.next())).receipt;
    await test.ledger.sealNow(test.orgId);
    await test.reopen();
    test.clock -= 600 * SECOND;
    const issued_at = formatTime(test.clock);
    const second = (await test.submit(signer.next({ issued_at, ttl_ms: 3600 * SECOND }))).receipt;
    expect(second.server_received_at >= first.server_received_at).toBe(true);
    await expectVerified(test, [first, second]);
  });

  it('holds a record to the time its receipt would state', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const { receipt } = await test.submit(signer.next());
    const issued_at = formatTime(test.clock - 10 * SECOND);
    test.clock -= 9 * SECOND;
    // By the clock it would be in time; by the ledger it is not.
    expect(await codeOf(test.submit(signer.record({ issued_at, ttl_ms: 5 * SECOND })))).toBe('TTL_EXPIRED');
    await expectVerified(test, [receipt]);
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
    const submitted = Promise.all(signers.map((signer) => test.submit(signer.next())));
    // Their signatures are checked first; what has passed that is in the queue.
    await Promise.race([submitted, new Promise((resolve) => setImmediate(resolve))]);
    const receipts = (await submitted).map(({ receipt }) => receipt);
    await test.ledger.close();
    expect(test.rows('SELECT leaf_count FROM epochs')).toEqual([{ leaf_count: 20 }]);
    await test.reopen();
    await expectVerified(test, receipts);
  });
});
