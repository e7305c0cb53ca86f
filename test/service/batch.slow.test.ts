// docs/interface.md, Operations: POST /v1/operations/batch.
import { describe, expect, it } from 'vitest';
import { type BatchResult, ERROR_STATUS, type ErrorCode, LIMITS } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { chainHashOf, Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();

const batch = ({ client }: Account, records: readonly unknown[]) => client.call('submitBatch', { body: { records } });

/** Submits a batch that is taken as such. */
async function results(account: Account, records: readonly unknown[]): Promise<readonly BatchResult[]> {
  const answer = await batch(account, records);
  expect(answer.status).toBe(200);
  expect(answer.body.results).toHaveLength(records.length);
  for (const result of answer.body.results) {
    if ('receipt' in result) expect([200, 201]).toContain(result.status);
    else {
      expect(result.status).toBe(ERROR_STATUS[result.error.code]);
      expect(result.error.request_id).toBe(answer.headers['x-request-id']);
    }
  }
  return answer.body.results as readonly BatchResult[];
}

/** What became of each record: its sequence number, or the error's code. */
const outcomes = (given: readonly BatchResult[]): (number | ErrorCode)[] =>
  given.map((result) => ('receipt' in result ? result.receipt.seq_no : result.error.code));

describe('POST /v1/operations/batch', () => {
  it('takes 1,000 records, each with its receipt, in their order', async () => {
    const account = await service.signUp('thousand');
    const signer = await registerAgent(account);
    const records = Array.from({ length: LIMITS.batch }, (_, n) => signer.next({ payload: { n } }));
    const given = await results(account, records);
    expect(outcomes(given)).toEqual(records.map((_, index) => index + 1));
    for (const [index, result] of given.entries()) {
      const record = records[index];
      if (!('receipt' in result) || record === undefined) throw new Error(`no receipt of ${index}`);
      expect(result.status).toBe(201);
      expect(result.receipt).toMatchObject({ operation_id: record.operation_id, chain_hash: chainHashOf(record) });
    }
    const head = await account.client.ok('agentHead', { params: { agent_id: signer.agentId } });
    expect(head).toEqual({ seq_no: 1000, chain_hash: signer.head });
    expect((await verifyWith(service.kid, await bundleOf(account))).verdict).toBe('verified');
  });

  it('refuses records of another organization, though agent, kid and key are the same in both', async () => {
    const [ours, theirs] = [await service.signUp('ours'), await service.signUp('theirs')];
    const signer = await registerAgent(theirs);
    await ours.client.ok('registerAgent', { body: { ...signer.registration, integration_type: 'sdk' } });
    // Both hold the key as one that records were signed with.
    await results(theirs, [signer.next()]);
    const own = Object.assign(new Signer(ours.orgId, signer.agentId), { seed: signer.seed });
    await results(ours, [own.next()]);
    const records = Array.from({ length: 40 }, () => signer.next({ payload: { text: 'x'.repeat(200) } }));
    expect(outcomes(await results(ours, records))).toEqual(records.map(() => 'FORBIDDEN'));
    expect(outcomes(await results(theirs, records))).toEqual(records.map((_, index) => index + 2));
  });

  it('takes no more than 1,000, and none at all then', async () => {
    const signer = await registerAgent(owner);
    const record = signer.record();
    const before = service.trace();
    expectError(await batch(owner, Array(LIMITS.batch + 1).fill(record)), 'VALIDATION_ERROR', 'records');
    expectError(await batch(owner, []), 'VALIDATION_ERROR', 'records');
    for (const body of [{}, { records: record }, { records: null }]) {
      expectError(await owner.client.call('submitBatch', { body }), 'VALIDATION_ERROR', 'records');
    }
    const more = { records: [record], atomic: true };
    expectError(await owner.client.call('submitBatch', { body: more }), 'VALIDATION_ERROR', 'atomic');
    expect(service.trace()).toEqual(before);
  });

  it('has one bad record fail only itself and what of the same agent builds on it', async () => {
    const account = await service.signUp('mixed');
    const [one, two] = [await registerAgent(account), await registerAgent(account)];
    const good = one.next();
    const bad = { ...one.next(), signature: good.signature };
    const builtOnBad = [one.next(), one.next()];
    const records = [good, two.next(), bad, builtOnBad[0], two.next(), builtOnBad[1], two.next()];
    const given = await results(account, records);
    expect(outcomes(given)).toEqual([1, 2, 'INVALID_SIGNATURE', 'PREV_HASH_MISMATCH', 3, 'PREV_HASH_MISMATCH', 4]);
    const [, , , mismatch] = given;
    const expected = mismatch && 'error' in mismatch ? mismatch.error.expected_prev_chain_hash : undefined;
    expect(expected).toBe(chainHashOf(good));
    // The agent goes on from where the service says.
    one.head = expected ?? null;
    await submitNext(account, one);
    expect((await verifyWith(service.kid, await bundleOf(account))).verdict).toBe('verified');
  });

  it('takes what builds on the good record that stands beside a bad one', async () => {
    const account = await service.signUp('fork');
    const signer = await registerAgent(account);
    const head = signer.head;
    const wrongLink = signer.record({ prev_chain_hash: `sha256:${'0'.repeat(64)}` });
    const given = await results(account, [
      wrongLink,
      signer.next(),
      signer.next(),
      signer.record({ prev_chain_hash: head }),
    ]);
    expect(outcomes(given)).toEqual(['PREV_HASH_MISMATCH', 1, 2, 'PREV_HASH_MISMATCH']);
  });

  it('gives a receipt again, within a batch and after it', async () => {
    const account = await service.signUp('repeats');
    const signer = await registerAgent(account);
    const [first, second] = [signer.next(), signer.next()];
    const once = await results(account, [first, second, first]);
    expect(once.map(({ status }) => status)).toEqual([201, 201, 200]);
    expect(once[2]).toMatchObject({ receipt: once[0] && 'receipt' in once[0] ? once[0].receipt : null });
    const third = signer.next();
    const again = await results(account, [second, first, third]);
    expect(again.map(({ status }) => status)).toEqual([200, 200, 201]);
    expect(outcomes(again)).toEqual([2, 1, 3]);
    const single = await account.client.call('submitOperation', { body: first });
    expect(single.status).toBe(200);
    expect(once[0]).toMatchObject({ receipt: single.body });
  });

  it('holds nonces and ids unique within a batch', async () => {
    const account = await service.signUp('replays');
    const signer = await registerAgent(account);
    const first = signer.next();
    const sameNonce = signer.record({ nonce: first.nonce });
    const sameId = signer.record({ operation_id: first.operation_id });
    expect(outcomes(await results(account, [first, sameNonce, sameId]))).toEqual([
      1,
      'REPLAY_DETECTED',
      'REPLAY_DETECTED',
    ]);
  });

  it('has every error of a single submission, each in its place', async () => {
    const account = await service.signUp('errors');
    const [signer, frozen, revoked] = [
      await registerAgent(account),
      await registerAgent(account, 'frozen'),
      await registerAgent(account, 'revoked'),
    ];
    const reason = 'for the test';
    await account.client.ok('freezeAgent', { params: { agent_id: 'frozen' }, body: { reason } });
    await account.client.ok('revokeKey', { params: { agent_id: 'revoked' }, body: { kid: 'key-1', reason } });
    const given = await results(account, [
      7,
      null,
      [],
      'text',
      {},
      { ...signer.record(), surprise: 1 },
      { ...signer.record(), payload: { text: 'x'.repeat(300_000) } },
      signer.record({ org_id: owner.orgId }),
      signer.record({ agent_id: 'nobody' }),
      signer.record({ agent_pubkey_kid: 'key-9' }),
      { ...signer.record(), payload: { other: true } },
      signer.record({ issued_at: '2020-01-01T00:00:00Z' }),
      frozen.record(),
      revoked.record(),
      signer.next(),
    ]);
    expect(outcomes(given)).toEqual([
      ...Array(6).fill('VALIDATION_ERROR'),
      'PAYLOAD_TOO_LARGE',
      'FORBIDDEN',
      'UNKNOWN_AGENT',
      'INVALID_SIGNATURE',
      'VALIDATION_ERROR',
      'TTL_EXPIRED',
      'AGENT_FROZEN',
      'KEY_REVOKED',
      1,
    ]);
    const named = given.map((result) => ('error' in result ? result.error.message : ''));
    for (const [index, member] of [
      [5, 'surprise'],
      [6, 'payload'],
      [7, 'org_id'],
      [8, 'agent_id'],
      [9, 'agent_pubkey_kid'],
      [10, 'payload_hash'],
      [11, 'issued_at'],
    ] as const) {
      expect(named[index]).toContain(member);
    }
  });

  it('is the same batch whatever else is submitted meanwhile', async () => {
    const account = await service.signUp('together');
    const signers = await Promise.all([1, 2, 3, 4].map((n) => registerAgent(account, `agent-${n}`)));
    const all = await Promise.all(
      signers.map((signer) =>
        results(
          account,
          Array.from({ length: 40 }, () => signer.next()),
        ),
      ),
    );
    const seqNos = all.map((given) => outcomes(given).map(Number));
    for (const ofAgent of seqNos) expect(ofAgent).toEqual(ofAgent.toSorted((a, b) => a - b));
    expect(seqNos.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
  });
});

describe('the body of a batch', async () => {
  const limited = await TestService.start({ maxBodyBytes: 4096, maxBatchBytes: 20_000, maxPayloadBytes: 10_000 });
  const account = await limited.signUp();
  const signer = await registerAgent(account);

  /** A batch of one record whose body has exactly so many bytes. */
  function bodyOf(bytes: number): string {
    const text = (filling: number): string =>
      JSON.stringify({ records: [signer.record({ payload: { x: 'x'.repeat(filling) } })] });
    return text(9000) + ' '.repeat(bytes - text(9000).length);
  }
  const post = (path: string, body: string) => account.client.send({ method: 'POST', path, body });

  it('has its own limit, to the byte', async () => {
    expect((await post('/v1/operations/batch', bodyOf(20_000))).status).toBe(200);
    expectError(await post('/v1/operations/batch', bodyOf(20_001)), 'PAYLOAD_TOO_LARGE');
    // What a batch may be, a single record may not.
    const record = JSON.stringify(signer.record({ payload: { x: 'x'.repeat(4096) } }));
    expectError(await post('/v1/operations', record), 'PAYLOAD_TOO_LARGE');
  });

  it('of 16 MiB is the default', async () => {
    const signer = await registerAgent(owner);
    const record = JSON.stringify({ records: [signer.record()] });
    const send = (bytes: number) =>
      owner.client.send({ method: 'POST', path: '/v1/operations/batch', body: record.padEnd(bytes) });
    expectError(await send(16 * 1024 * 1024 + 1), 'PAYLOAD_TOO_LARGE');
    expect((await send(16 * 1024 * 1024)).status).toBe(200);
  });
});
