import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import { type FailingStep, type Failure, StepFailed } from '../support/failing.ts';
import { TestLedger } from '../support/ledger.ts';
import { codeOf, expectVerified, persist } from '../support/ledger-checks.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

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
  it('leaves a ledger that continues where it ended', async () => {
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

/** Steps that every submission comes to. */
const OF_SUBMIT: FailingStep[] = ['findKey', 'lookUp', 'sign', 'commit', 'indexCommitted', 'append', 'onCommit'];
/** Steps of a submission that is the first after a start. */
const OF_FIRST: FailingStep[] = ['tail', 'openLeaves'];
/** Steps of the closing of an epoch; onCommit comes for it a second time. */
const OF_CLOSING: FailingStep[] = ['adminHeadHash', 'signEpoch', 'appendEpoch'];
const FAILURES: Failure[] = ['before', 'after'];
/** The one record that fills an epoch of three, and one that does not. */
const RECORDS = { 'a record that fills an epoch': 2, 'a record that fills none': 3 };

function table(steps: readonly FailingStep[]): [FailingStep, Failure][] {
  return steps.flatMap((step) => FAILURES.map((failure): [FailingStep, Failure] => [step, failure]));
}

/** Leaves the organization's ledger to be read again by the next submission, as after a start. */
async function forgetMemory(test: TestLedger, record: SubmittedRecord): Promise<void> {
  test.fail('append', 'before');
  expect(await codeOf(test.submit(record))).toBe('step failed');
}

/** What must hold whatever failed: every receipt stands, nothing of a record can be used again, all of it verifies. */
async function expectInvariant(test: TestLedger, signer: Signer, records: readonly SubmittedRecord[]): Promise<void> {
  const receipts: Receipt[] = [];
  for (const record of records) {
    const { receipt, repeated } = await test.submit(record);
    expect(repeated, `record ${receipt.seq_no} is sent again`).toBe(true);
    receipts.push(receipt);
    const { operation_id, nonce } = record;
    expect(test.index.findOperation(test.orgId, operation_id)).toBe(receipt.seq_no);
    expect(await codeOf(test.submit(signer.record({ nonce })))).toBe('REPLAY_DETECTED');
    expect(await codeOf(test.submit(signer.record({ operation_id })))).toBe('REPLAY_DETECTED');
  }
  await expectVerified(test, receipts);
  const counts = test.rows<{ leaf_count: number }>('SELECT leaf_count FROM epochs').map((row) => row.leaf_count);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
}

describe.each(Object.entries(RECORDS))('one step fails at %s', (_, position) => {
  async function submitAround(step: FailingStep, failure: Failure, first: boolean): Promise<void> {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const records = Array.from({ length: 8 }, () => signer.next());
    const receipts: Receipt[] = [];
    for (const [index, record] of records.entries()) {
      if (index === position) {
        if (first) await forgetMemory(test, record);
        test.fail(step, failure);
      }
      receipts.push(await persist(test, record));
    }
    expect(test.unfailed).toEqual([]);
    for (const [index, record] of records.entries()) {
      expect((await test.submit(record)).receipt).toEqual(receipts[index]);
    }
    await expectInvariant(test, signer, records);
  }

  it.each(table(OF_SUBMIT))('%s, %s it is done', (step, failure) => submitAround(step, failure, false));

  it.each(table(OF_FIRST))('%s, %s it is done, with nothing in memory', (step, failure) =>
    submitAround(step, failure, true),
  );
});

describe('one step fails as an epoch is closed', () => {
  it.each(table([...OF_CLOSING, 'onCommit']))('%s, %s it is done, by its last leaf', async (step, failure) => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const records = Array.from({ length: 7 }, () => signer.next());
    for (const [index, record] of records.entries()) {
      // At the last leaf onCommit is called twice: it is the second call that fails, or the first.
      if (index === 2) test.fail(step, failure);
      await persist(test, record);
    }
    expect(test.unfailed).toEqual([]);
    expect(test.errors).toEqual([expect.any(StepFailed)]);
    await expectInvariant(test, signer, records);
  });

  it.each(table([...OF_CLOSING, 'onCommit']))('%s, %s it is done, on demand', async (step, failure) => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const records = [signer.next(), signer.next()];
    for (const record of records) await test.submit(record);
    test.fail(step, failure);
    await expect(test.ledger.sealNow(test.orgId)).rejects.toThrow(StepFailed);
    expect(await test.ledger.sealNow(test.orgId)).toMatchObject({ seqNo: 2, epochNo: 1 });
    records.push(signer.next());
    await persist(test, records[2] ?? signer.record());
    await expectInvariant(test, signer, records);
  });
});

describe('the index of operations cannot be written', () => {
  it.each(['names', 'agents', 'segments'])('%s: everything is found all the same, and taken up later', async (name) => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const index = new Database(join(test.folder, 'index.sqlite'));
    index.exec(`CREATE TRIGGER failing BEFORE INSERT ON ${name} BEGIN SELECT RAISE(ABORT, 'step failed'); END`);
    const records = Array.from({ length: 7 }, () => signer.next());
    for (const record of records) await test.submit(record);
    await until('the index to fail', () => test.errors.length > 0);
    await expectInvariant(test, signer, records);
    index.exec('DROP TRIGGER failing');
    await test.reopen();
    await until('the index', () => index.prepare('SELECT indexed_seq FROM orgs WHERE indexed_seq > 0').get());
    index.close();
    await expectInvariant(test, signer, records);
  });
});
