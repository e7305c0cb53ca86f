// Records are checked on other threads, which only ever say that a record is sound: the ledger looks at all others itself.
import { connect } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { chainHash, fromBase64Url, recordSignedBytes, type SubmittedRecord, utf8 } from '../../src/protocol/index.ts';
import { CheckThreads, type Found } from '../../src/service/ledger/check-threads.ts';
import type { Submission } from '../../src/service/ledger/submission-queue.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { atEnd } from '../support/cleanup.ts';
import { TestLedger } from '../support/ledger.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { Signer } from '../support/signer.ts';

const MAX_PAYLOAD_BYTES = 20_000;
const signer = new Signer('org', 'agent');

/** What the ledger holds of a record that it found sound. */
function soundForm(record: SubmittedRecord) {
  const { payload, signature, op_version, ...members } = record;
  const signatureBytes = fromBase64Url(signature, 64);
  return {
    record: { op_version, ...members },
    issuedAt: Date.parse(record.issued_at),
    payload: JSON.stringify(payload),
    disclosures: null,
    signature: signatureBytes,
    chainHash: chainHash(recordSignedBytes(record), signatureBytes, nodeCrypto.sha256),
    publicKey: fromBase64Url(signer.publicKey, 32),
  };
}

function opened(known: readonly Signer[] = [signer]) {
  const errors: unknown[] = [];
  const checks = new CheckThreads(MAX_PAYLOAD_BYTES, (error) => void errors.push(error));
  atEnd(() => checks.close());
  for (const one of known) learn(checks, one);
  return { checks, errors };
}

function learn(checks: CheckThreads, { publicKey, ...known }: Signer): void {
  const { orgId, agentId, kid } = known;
  const record = new Signer(orgId, agentId, kid).record();
  checks.learn({ ...soundForm(record), record, publicKey: fromBase64Url(publicKey, 32) });
}

const bytesOf = (value: unknown): Uint8Array => utf8(JSON.stringify(value));
const text = 'x'.repeat(500);
/** More than is checked on the spot. */
const records = Array.from({ length: 40 }, (_, n) => signer.next({ payload: { n, text } }));

function checkBatch(checks: CheckThreads, batch: unknown): Promise<Found> {
  return checks.check({ bytes: bytesOf(batch), isBatch: true });
}

describe('records that arrive together', () => {
  it('are found sound, in a batch and one by one, in their order, and with all that the ledger keeps of them', async () => {
    const { checks } = opened();
    const expected = records.map(soundForm);
    const found = await checkBatch(checks, { records });
    expect(found?.map((one) => one && { ...one, signature: Uint8Array.from(one.signature) })).toEqual(expected);
    const single = await Promise.all(records.map((one) => checks.check({ bytes: bytesOf(one), isBatch: false })));
    // A thread that is done before the last few come leaves those to the ledger.
    const ids = single.flat().flatMap((one) => one?.record.operation_id ?? []);
    expect(ids).toEqual(records.slice(0, ids.length).map((one) => one.operation_id));
    expect(ids.length).toBeGreaterThan(30);
  });

  it('are left to the ledger where they are few, unless a thread still has some that came before', async () => {
    const { checks } = opened();
    const checkFew = () =>
      Promise.all(records.slice(0, 3).map((one) => checks.check({ bytes: bytesOf(one), isBatch: false })));
    expect(await checkFew()).toEqual([null, null, null]);
    const before = checkBatch(checks, { records });
    expect((await checkFew()).flat()).not.toContain(null);
    expect(await before).not.toContain(null);
  });

  it('are left to the ledger where they are not sound, each by itself', async () => {
    const { checks } = opened();
    const [first, second] = records as [SubmittedRecord, SubmittedRecord];
    const odd: unknown[] = [
      { ...first, signature: second.signature },
      { ...first, payload: { n: 1 } },
      { ...first, subject: '' },
      { ...first, subject: 'another' },
      { ...first, more: 1 },
      signer.record({ payload: { text: 'x'.repeat(MAX_PAYLOAD_BYTES) } }),
      new Signer('org', 'agent').record(),
      new Signer('org', 'another').record(),
      new Signer('another', 'agent').record(),
      signer.record({ agent_pubkey_kid: 'key-2' }),
      null,
      'text',
    ];
    const found = await checkBatch(checks, { records: odd.flatMap((one, n) => [records[n], one]) });
    expect(found?.map((one) => one?.record.operation_id)).toEqual(
      odd.flatMap((_, n) => [records[n]?.operation_id, undefined]),
    );
  });

  it.each<[string, unknown]>([
    ['holds something else too', { records, more: 1 }],
    ['is a list', records],
    ['holds no list', { records: { 0: records[0], text: text.repeat(20) } }],
    ['holds more than a batch may', { records: Array.from({ length: 1001 }, () => 1), text }],
    ['holds none', { records: [], text: text.repeat(20) }],
  ])('are left to the ledger as a whole where the batch %s', async (_, batch) => {
    expect(await checkBatch(opened().checks, batch)).toBeNull();
  });

  it.each<[string, string]>([
    ['holds a member twice', `{"records":${JSON.stringify(records)},"records":${JSON.stringify(records)}}`],
    ['is cut off', JSON.stringify({ records }).slice(0, -9)],
  ])('are left to the ledger as a whole where the body %s', async (_, body) => {
    expect(await opened().checks.check({ bytes: utf8(body), isBatch: true })).toBeNull();
  });

  it('are left to the ledger where the key has another one in its place by the time of the answer', async () => {
    const { checks } = opened();
    const answer = checkBatch(checks, { records });
    learn(checks, new Signer('org', 'agent'));
    expect(await answer).toBeNull();
    expect(await checkBatch(checks, { records })).toEqual(records.map(() => null));
  });

  it('are left to the ledger where many keys came in between, theirs was forgotten, and another took its name', async () => {
    const { checks } = opened();
    const answer = checkBatch(checks, { records });
    const form = soundForm(signer.record());
    for (let n = 0; n < 10_000; n++)
      checks.learn({ ...form, record: { ...form.record, agent_pubkey_kid: `key-${n + 2}` } });
    learn(checks, new Signer('org', 'agent'));
    expect(await answer).toBeNull();
  });

  it('are left to the ledger where the thread dies with them; the next ones have another thread', async () => {
    const { checks, errors } = opened();
    const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
    const first = checkBatch(checks, { records });
    const second = checkBatch(checks, { records });
    await (await started).terminate();
    expect([await first, await second]).toEqual([null, null]);
    expect(errors).toEqual([]);
    expect((await checkBatch(checks, { records }))?.every((one) => one !== null)).toBe(true);
  });
});

describe('the ledger, of records that a thread looked at', () => {
  type Result = PromiseSettledResult<Submission>;
  const told = (result: Result) => {
    if (result.status === 'fulfilled') return result.value.receipt.operation_id;
    const { code, message } = result.reason as ServiceError;
    expect(result.reason).toBeInstanceOf(ServiceError);
    return [code, message];
  };

  it('says the same as of those that it looked at itself', async () => {
    const test = await TestLedger.open();
    const known = await test.agent('agent');
    const stranger = new Signer(test.orgId, 'stranger');
    const foreign = new Signer('another', 'agent');
    const sound = Array.from({ length: 30 }, () => known.next({ payload: { text } }));
    const [first, second] = sound as [SubmittedRecord, SubmittedRecord];
    const odd: unknown[] = [
      stranger.record(),
      foreign.record(),
      known.record({ agent_pubkey_kid: 'key-2' }),
      { ...first, signature: second.signature },
      { ...first, payload: {} },
      { ...first, nonce: 'short' },
      known.record({ prev_chain_hash: null }),
      known.record({ nonce: first.nonce }),
      known.record({ ttl_ms: 1, issued_at: '2020-01-01T00:00:00.000Z' }),
      first,
      null,
    ];
    const one = await test.ledger.submit(
      { orgId: test.orgId, onlyAgent: null, person: null },
      { bytes: null, parsed: () => first },
    );
    expect(one.repeated).toBe(false);
    const batch = [...sound.slice(1), ...odd];
    const body = { bytes: bytesOf({ records: batch }), parsed: () => batch };
    const byThreads = (await test.ledger.submitAll({ orgId: test.orgId, onlyAgent: null, person: null }, body)).map(
      told,
    );
    const again = (
      await test.ledger.submitAll({ orgId: test.orgId, onlyAgent: null, person: null }, { ...body, bytes: null })
    ).map(told);
    expect(byThreads.slice(0, 29)).toEqual(sound.slice(1).map(({ operation_id }) => operation_id));
    expect(byThreads).toEqual(again);
    expect((byThreads.slice(29) as string[][]).map((result) => (result.length === 2 ? result[0] : 'repeated'))).toEqual(
      [
        'UNKNOWN_AGENT',
        'FORBIDDEN',
        'INVALID_SIGNATURE',
        'INVALID_SIGNATURE',
        'VALIDATION_ERROR',
        'VALIDATION_ERROR',
        'PREV_HASH_MISMATCH',
        'REPLAY_DETECTED',
        'TTL_EXPIRED',
        'repeated',
        'VALIDATION_ERROR',
      ],
    );
  });

  it('parses a batch once, however many of its sound records are of somebody else', async () => {
    const test = await TestLedger.open();
    const known = await test.agent('agent');
    await test.submit(known.next());
    const batch = Array.from({ length: 30 }, () => known.next({ payload: { text } }));
    let parsings = 0;
    const parsed = (): readonly unknown[] => {
      parsings++;
      return batch;
    };
    const results = await test.ledger.submitAll(
      { orgId: 'another', onlyAgent: null, person: null },
      { bytes: bytesOf({ records: batch }), parsed },
    );
    expect(results.map((result) => told(result)[0])).toEqual(batch.map(() => 'FORBIDDEN'));
    expect(parsings).toBe(1);
  });

  it('asks for no separate parsing where all are sound', async () => {
    const test = await TestLedger.open();
    const known = await test.agent('agent');
    await test.submit(known.next());
    const batch = Array.from({ length: 30 }, () => known.next({ payload: { text } }));
    const parsed = (): never => expect.unreachable();
    const results = await test.ledger.submitAll(
      { orgId: test.orgId, onlyAgent: null, person: null },
      { bytes: bytesOf({ records: batch }), parsed },
    );
    expect(results.map(told)).toEqual(batch.map(({ operation_id }) => operation_id));
  });
});

it('records of one chain that come over one connection without waiting are accepted in their order', async () => {
  const service = await TestService.start();
  const account = await service.signUp();
  const agent = await registerAgent(account);
  await submitNext(account, agent);
  const { port } = new URL(service.url);
  const requests = Array.from({ length: 40 }, (_, n) => {
    // A large one goes to a thread at once, and the small one after it is checked sooner than that.
    const body = JSON.stringify(agent.next({ payload: { text: 'x'.repeat(n % 2 === 0 ? 12_000 : 1) } }));
    const head = [
      'POST /v1/operations HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${account.client.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  });
  const socket = connect(Number(port), '127.0.0.1');
  atEnd(() => void socket.destroy());
  socket.setEncoding('utf8').write(requests.join(''));
  let answers = '';
  for await (const piece of socket) {
    answers += piece;
    if ((answers.match(/"service_signature"|"error"/g)?.length ?? 0) === requests.length) break;
  }
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(requests.map(() => 'HTTP/1.1 201'));
});
