import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/api/index.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  formatTime,
  fromBase64Url,
  parseDigest,
  parseTime,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  type SubmittedRecord,
  verifyEd25519,
  verifyInclusion,
} from '../../src/protocol/index.ts';
import { type Answer, expectError } from '../support/client.ts';
import { exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { chainHashOf, type Members, Signer } from '../support/signer.ts';

const MAX_BODY = 8192;
const MAX_PAYLOAD = 1024;
const OTHER_DIGEST = `sha256:${'ab'.repeat(32)}`;

const service = await TestService.start({ maxBodyBytes: MAX_BODY, maxPayloadBytes: MAX_PAYLOAD });
const owner = await service.signUp();

const submit = (body: unknown): Promise<Answer<Receipt>> => owner.client.call('submitOperation', { body });
const agentOf = (signer: Signer) => ({ agent_id: signer.agentId });

function setAgent(signer: Signer, members: { status?: string; deleted_at?: number | null }): void {
  for (const [name, value] of Object.entries(members)) {
    service.sql.prepare(`UPDATE agents SET ${name} = ? WHERE agent_id = ?`).run(value, signer.agentId);
  }
}

function setKey(signer: Signer, status: 'active' | 'revoked'): void {
  const retiredAt = status === 'revoked' ? Date.now() : null;
  service.sql
    .prepare('UPDATE agent_keys SET status = ?, retired_at = ? WHERE agent_id = ?')
    .run(status, retiredAt, signer.agentId);
}

describe('POST /v1/operations', () => {
  it('answers a receipt, signed by the service', async () => {
    const signer = await registerAgent(owner);
    const record = signer.next();
    const before = Date.now();
    const answer = await submit(record);
    expect(answer.status).toBe(201);
    const receipt = answer.body;
    expect(receipt).toEqual({
      receipt_id: expect.stringMatching(/\S/),
      operation_id: record.operation_id,
      org_id: owner.orgId,
      agent_id: signer.agentId,
      seq_no: expect.any(Number),
      chain_hash: chainHashOf(record),
      server_received_at: expect.stringMatching(/Z$/),
      service_kid: service.kid,
      service_signature: expect.any(String),
    });
    expect(parseTime(receipt.server_received_at)).toBeGreaterThanOrEqual(before);
    expect(parseTime(receipt.server_received_at)).toBeLessThanOrEqual(Date.now());
    const jwks = await owner.client.ok('jwks');
    expect(
      verifyEd25519({
        publicKey: fromBase64Url(jwks.keys[0]?.x ?? '', 32),
        message: receiptSignedBytes(receipt),
        signature: fromBase64Url(receipt.service_signature, 64),
      }),
    ).toBe(true);
  });

  it('numbers from 1 in each organization', async () => {
    for (const name of ['first', 'second']) {
      const account = await service.signUp(name);
      const signer = await registerAgent(account, 'same-name');
      const receipts = [await submitNext(account, signer), await submitNext(account, signer)];
      expect(receipts.map(({ seq_no }) => seq_no)).toEqual([1, 2]);
    }
  });

  it('takes a signature in every encoding, and returns one', async () => {
    const signer = await registerAgent(owner);
    const spellings = ['base64url', 'base64', 'unpadded'] as const;
    for (const spelling of spellings) {
      const record = signer.next();
      const raw = Buffer.from(record.signature, 'base64url');
      const text = spelling === 'base64url' ? record.signature : raw.toString('base64');
      const signature = spelling === 'unpadded' ? text.replaceAll('=', '') : text;
      expect((await submit({ ...record, signature })).status).toBe(201);
      const stored = await owner.client.ok('getOperation', { params: { operation_id: record.operation_id } });
      expect(stored.eor).toEqual(record);
    }
  });

  it.each<[string, SubmittedRecord['payload']]>([
    ['empty', {}],
    ['in any script', { 'ключ 鍵 🔑': ['значение', '', '\u0000\u2028"\\'] }],
    ['with names that JavaScript knows', JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":null}')],
    ['with numbers at the edges', { a: -0, b: 1e21, c: 5e-324, d: 9007199254740991, e: 0.1 }],
    ['nested', { a: [[[[{ b: [{}] }]]]] }],
    ['of exactly the largest size', { t: 'x'.repeat(MAX_PAYLOAD - '{"t":""}'.length) }],
  ])('keeps a payload that is %s', async (_, payload) => {
    const record = (await registerAgent(owner)).next({ payload });
    expect((await submit(record)).status).toBe(201);
    const { eor } = await owner.client.ok('getOperation', { params: { operation_id: record.operation_id } });
    expect(JSON.stringify(eor.payload).length).toBe(JSON.stringify(payload).length);
    expect(eor.payload).toEqual(JSON.parse(JSON.stringify(payload)));
    const { valid } = await owner.client.ok('verifyOperation', { params: { operation_id: record.operation_id } });
    expect(valid).toBe(true);
  });

  it.each<[string, Members]>([
    ['the shortest nonce', { nonce: '12345678' }],
    ['the longest texts', { nonce: '€'.repeat(256), subject: '😀'.repeat(512), action: 'x'.repeat(128) }],
    ['the longest time to live', { ttl_ms: 86_400_000 }],
    ['the longest operation type', { operation_type: `${'a'.repeat(63)}.${'b'.repeat(64)}` }],
    ['a time with an offset', { issued_at: '2000-01-01T00:00:00+05:30', ttl_ms: 1 }],
  ])('holds %s to be well-formed', async (_, members) => {
    const answer = await submit((await registerAgent(owner)).next(members));
    if (members.issued_at === undefined) expect(answer.status).toBe(201);
    else expectError(answer, 'TTL_EXPIRED');
  });

  it('takes a record issued up to five minutes ahead of its clock', async () => {
    const signer = await registerAgent(owner);
    expect((await submit(signer.next({ issued_at: formatTime(Date.now() + 290_000) }))).status).toBe(201);
    const late = signer.record({ issued_at: formatTime(Date.now() + 330_000) });
    expectError(await submit(late), 'VALIDATION_ERROR', 'issued_at');
  });
});

describe('the shape of a record', async () => {
  const signer = await registerAgent(owner);
  const record = signer.record();
  const wrong: [string, unknown][] = [
    ['op_version', 2],
    ['op_version', '1'],
    ['operation_id', 'not-a-uuid'],
    ['operation_id', '00000000-0000-1000-8000-000000000000'],
    ['org_id', ''],
    ['org_id', null],
    ['agent_id', '-a'],
    ['issued_at', '2026-01-01'],
    ['issued_at', '2026-02-30T00:00:00Z'],
    ['issued_at', 1_700_000_000_000],
    ['ttl_ms', 0],
    ['ttl_ms', 86_400_001],
    ['ttl_ms', 1.5],
    ['ttl_ms', '1000'],
    ['nonce', '1234567'],
    ['nonce', 'x'.repeat(257)],
    ['operation_type', 'a..b'],
    ['operation_type', '.a'],
    ['operation_type', 'a b'],
    ['operation_type', 'x'.repeat(129)],
    ['subject', ''],
    ['subject', 'x'.repeat(513)],
    ['action', ''],
    ['action', 'x'.repeat(129)],
    ['payload', []],
    ['payload', null],
    ['payload', 'text'],
    ['payload_hash', OTHER_DIGEST.toUpperCase()],
    ['payload_hash', OTHER_DIGEST.slice(7)],
    ['prev_chain_hash', ''],
    ['prev_chain_hash', OTHER_DIGEST.slice(0, -1)],
    ['agent_pubkey_kid', ''],
    ['signature', ''],
    ['signature', 'A'.repeat(85)],
    ['signature', `${'A'.repeat(85)}B`],
    ['signature', `${'A'.repeat(85)}!`],
    ['brand', 'unknown'],
  ];

  it.each(wrong)('refuses %s: %j', async (member, value) => {
    const before = service.trace();
    expectError(await submit({ ...record, [member]: value }), 'VALIDATION_ERROR', `${member}: `);
    expect(service.trace()).toEqual(before);
  });

  it.each(Object.keys(record))('refuses a record without %s', async (member) => {
    const { [member as keyof SubmittedRecord]: _, ...rest } = record;
    expectError(await submit(rest), 'VALIDATION_ERROR', `${member}: `);
  });

  it.each<[string, unknown]>([
    ['a list', []],
    ['null', null],
    ['a text', 'text'],
    ['a number', 7],
    ['a list of records', [record]],
  ])('refuses %s in place of a record', async (_, body) => {
    expectError(await submit(body), 'VALIDATION_ERROR');
  });

  it('refuses nothing at all', async () => {
    expectError(await owner.client.call('submitOperation'), 'VALIDATION_ERROR');
  });

  it.each(['12345678901234567890', '9007199254740993', '0.30000000000000000001', '1e400'])(
    'refuses %s, which a double does not keep, and says where it stands, alone and in a batch',
    async (digits) => {
      const [first, second] = [signer.record({ payload: { id: [7] } }), signer.record({ payload: { id: [1] } })];
      // Signed by somebody whose library rounds: of the number that was written nothing is signed.
      const inexact = JSON.stringify(second).replace(/\{"id":\[[^\]]*\]\}/, `{"id":[${digits}]}`);
      const post = (path: string, body: string) => owner.client.send({ method: 'POST', path, body });
      expectError(await post('/v1/operations', inexact), 'VALIDATION_ERROR', `/payload/id/0: ${digits}`);
      const batch = `{"records":[${JSON.stringify(first)},${inexact}]}`;
      expectError(await post('/v1/operations/batch', batch), 'VALIDATION_ERROR', `/records/1/payload/id/0: ${digits}`);
    },
  );
});

/** One thing that is wrong with a submission, and what it is refused with where nothing before it is wrong too. */
interface Fault {
  readonly name: string;
  readonly code: ErrorCode;
  /** What the message names, to tell faults of one code apart. */
  readonly member?: string;
  /** Members before signing, and after. */
  readonly signed?: Members;
  readonly unsigned?: Partial<SubmittedRecord> & { readonly extra?: number };
  readonly text?: (text: string) => string;
  readonly state?: 'frozen' | 'revoked';
}

/** Whether two faults can be in one submission. */
function compatible(a: Fault, b: Fault): boolean {
  const clash = (one: object = {}, other: object = {}): boolean => Object.keys(one).some((name) => name in other);
  return !clash(a.signed, b.signed) && !clash(a.unsigned, b.unsigned);
}

describe('protocol F50 and F51: the order of the checks', async () => {
  const signer = await registerAgent(owner);
  const earlier = signer.next();
  await owner.client.ok('submitOperation', { body: earlier });
  const head = await owner.client.ok('agentHead', { params: agentOf(signer) });

  const faults: readonly Fault[] = [
    { name: 'body too large', code: 'PAYLOAD_TOO_LARGE', member: 'body', text: (text) => text + ' '.repeat(MAX_BODY) },
    {
      name: 'payload too large',
      code: 'PAYLOAD_TOO_LARGE',
      member: 'payload',
      signed: { payload: { t: 'x'.repeat(MAX_PAYLOAD) } },
    },
    { name: 'shape', code: 'VALIDATION_ERROR', member: 'extra', unsigned: { extra: 1 } },
    { name: 'foreign organization', code: 'FORBIDDEN', member: 'org_id', signed: { org_id: randomUUID() } },
    { name: 'unknown agent', code: 'UNKNOWN_AGENT', member: 'agent_id', signed: { agent_id: 'nobody' } },
    {
      name: 'unknown key',
      code: 'INVALID_SIGNATURE',
      member: 'agent_pubkey_kid',
      signed: { agent_pubkey_kid: 'no-such-key' },
    },
    {
      name: 'payload hash',
      code: 'VALIDATION_ERROR',
      member: 'payload_hash',
      signed: { payload_hash: OTHER_DIGEST },
    },
    {
      name: 'signature',
      code: 'INVALID_SIGNATURE',
      member: 'signature',
      unsigned: { signature: new Signer(owner.orgId, signer.agentId).record().signature },
    },
    {
      name: 'operation_id used',
      code: 'REPLAY_DETECTED',
      member: 'operation_id',
      signed: { operation_id: earlier.operation_id },
    },
    { name: 'frozen', code: 'AGENT_FROZEN', state: 'frozen' },
    { name: 'revoked', code: 'KEY_REVOKED', state: 'revoked' },
    { name: 'expired', code: 'TTL_EXPIRED', signed: { issued_at: formatTime(Date.now() - 60_000), ttl_ms: 59_000 } },
    {
      name: 'ahead of time',
      code: 'VALIDATION_ERROR',
      member: 'issued_at',
      signed: { issued_at: formatTime(Date.now() + 3_600_000) },
    },
    { name: 'nonce used', code: 'REPLAY_DETECTED', member: 'nonce', signed: { nonce: earlier.nonce } },
    { name: 'wrong head', code: 'PREV_HASH_MISMATCH', signed: { prev_chain_hash: OTHER_DIGEST } },
  ];

  async function submitWith(wrong: readonly Fault[]): Promise<Answer<unknown>> {
    const members: Members = Object.assign({}, ...wrong.map(({ signed }) => signed));
    const record = Object.assign(signer.record(members), ...wrong.map(({ unsigned }) => unsigned));
    const text = wrong.reduce((before, { text: change }) => change?.(before) ?? before, JSON.stringify(record));
    const states = wrong.map(({ state }) => state);
    setAgent(signer, { status: states.includes('frozen') ? 'frozen' : 'active' });
    setKey(signer, states.includes('revoked') ? 'revoked' : 'active');
    try {
      return await owner.client.send({ method: 'POST', path: '/v1/operations', body: text });
    } finally {
      setAgent(signer, { status: 'active' });
      setKey(signer, 'active');
    }
  }

  async function expectRefusal(wrong: readonly Fault[], first: Fault): Promise<void> {
    const before = service.trace();
    const error = expectError(await submitWith(wrong), first.code, first.member);
    if (first.code === 'PREV_HASH_MISMATCH') expect(error.expected_prev_chain_hash).toBe(head.chain_hash);
    expect(service.trace()).toEqual(before);
    expect(await owner.client.ok('agentHead', { params: agentOf(signer) })).toEqual(head);
  }

  it.each(faults)('$name alone: $code', (fault) => expectRefusal([fault], fault));

  it.each(
    faults.map((fault, index) => {
      const all = faults.slice(index).filter((other) => other === fault || compatible(fault, other));
      // Of those that exclude each other the first stays.
      const together = all.filter((other, at) => all.slice(0, at).every((one) => compatible(one, other)));
      return { name: fault.name, count: together.length - 1, fault, together };
    }),
  )('$name, and $count of what is checked later', ({ fault, together }) => expectRefusal(together, fault));

  it.each(
    faults.flatMap((fault, index) =>
      faults
        .slice(index + 1)
        .filter((other) => compatible(fault, other))
        .map((other) => ({ fault, other, first: fault.name, second: other.name })),
    ),
  )('$first before $second', ({ fault, other }) => expectRefusal([fault, other], fault));

  it('still takes the right record after all that', async () => {
    const record = signer.next();
    const receipt = await owner.client.ok('submitOperation', { body: record });
    // Every refusal consumed nothing: not even a number.
    expect(receipt.seq_no).toBe(Number(head.seq_no) + 1 + others());
  });

  /** Records that other tests of this file had accepted in the organization since. */
  function others(): number {
    return service.sql
      .prepare('SELECT count(*) FROM operations WHERE org_id = ? AND seq_no > ? AND agent_id <> ?')
      .pluck()
      .get(owner.orgId, head.seq_no, signer.agentId) as number;
  }
});

describe('a record sent again', async () => {
  const signer = await registerAgent(owner);
  const record = signer.next();
  const first = await submit(record);

  const again = async (body: unknown = record): Promise<void> => {
    const before = service.trace();
    const answer = await submit(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(first.body);
    expect(service.trace()).toEqual(before);
  };

  it('gives the same receipt, with another status', async () => {
    expect(first.status).toBe(201);
    await again();
    await again();
  });

  it('also after later records of the agent', async () => {
    await submitNext(owner, signer);
    await again();
  });

  it('also in another order of members, and with the signature in another encoding', async () => {
    const raw = Buffer.from(record.signature, 'base64url');
    const reordered = Object.fromEntries(Object.entries(record).reverse());
    await again({ ...reordered, signature: raw.toString('base64') });
  });

  it('also while the agent is frozen and its key revoked', async () => {
    setAgent(signer, { status: 'frozen' });
    setKey(signer, 'revoked');
    await again();
    expectError(await submit(signer.record()), 'AGENT_FROZEN');
    setAgent(signer, { status: 'active' });
    expectError(await submit(signer.record()), 'KEY_REVOKED');
    setKey(signer, 'active');
  });

  it('also after a restart', async () => {
    await service.restart();
    Object.assign(owner, { client: service.client(owner.client.token) });
    await again();
  });

  it('but not of an agent that was deleted', async () => {
    setAgent(signer, { deleted_at: Date.now() });
    expectError(await submit(record), 'UNKNOWN_AGENT');
    setAgent(signer, { deleted_at: null });
    await again();
  });

  it.each<[string, Members]>([
    ['another subject', { subject: 'another' }],
    ['another nonce', { nonce: 'another nonce' }],
    ['another payload', { payload: { other: true } }],
    ['the id in another case', { operation_id: record.operation_id.toUpperCase() }],
  ])('is another record with %s', async (_, members) => {
    const { payload, signature: __, payload_hash: ___, ...core } = record;
    const before = service.trace();
    expectError(await submit(signer.record({ ...core, payload, ...members })), 'REPLAY_DETECTED', 'operation_id');
    expect(service.trace()).toEqual(before);
  });

  it('is not known by its operation_id in another organization', async () => {
    const other = await service.signUp('replayer');
    const stranger = await registerAgent(other);
    const { operation_id, nonce } = record;
    await submitNext(other, stranger, { operation_id, nonce });
  });

  it('lets another agent use the same nonce', async () => {
    const other = await registerAgent(owner);
    await submitNext(owner, other, { nonce: record.nonce });
  });
});

describe('many submissions at once', () => {
  it('has one winner among records with the same prev_chain_hash, and tells the others where to go on', async () => {
    const signer = await registerAgent(owner);
    for (let round = 0; round < 3; round++) {
      const records = Array.from({ length: 8 }, () => signer.record());
      const answers = await Promise.all(records.map(submit));
      const winners = records.filter((_, index) => answers[index]?.status === 201);
      expect(winners).toHaveLength(1);
      signer.head = chainHashOf(winners[0] as SubmittedRecord);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        const error = expectError(answer, 'PREV_HASH_MISMATCH');
        expect(error.expected_prev_chain_hash).toBe(signer.head);
      }
      const head = await owner.client.ok('agentHead', { params: agentOf(signer) });
      expect(head.chain_hash).toBe(signer.head);
    }
  });

  it('gives one receipt to the same record sent many times at once', async () => {
    const record = (await registerAgent(owner)).next();
    const before = service.trace();
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(record)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(service.trace()['operations']).toBe(Number(before['operations']) + 1);
  });

  it('lets a nonce be used once', async () => {
    const signer = await registerAgent(owner);
    const first = signer.record({ nonce: 'the one and only' });
    const second = signer.record({ nonce: 'the one and only', prev_chain_hash: chainHashOf(first) });
    const third = signer.record({ nonce: 'the one and only' });
    const answers = await Promise.all([first, second, third].map(submit));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it('numbers 200 of many agents without gaps, in time', async () => {
    const account = await service.signUp('crowd');
    const signers = await Promise.all(Array.from({ length: 40 }, () => registerAgent(account)));
    const receipts = await Promise.all(
      signers.map(async (signer) => {
        const own: Receipt[] = [];
        for (let n = 0; n < 5; n++) own.push(await submitNext(account, signer));
        return own;
      }),
    );
    for (const own of receipts) {
      const numbers = own.map(({ seq_no }) => seq_no);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    const all = receipts.flat().toSorted((a, b) => a.seq_no - b.seq_no);
    expect(all.map(({ seq_no }) => seq_no)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    const times = all.map(({ server_received_at }) => server_received_at);
    expect(times).toEqual(times.toSorted());
    expect(new Set(all.map(({ receipt_id }) => receipt_id)).size).toBe(200);
  });

  it('keeps the chain of an agent that sends ahead without waiting, one after the other', async () => {
    const signer = await registerAgent(owner);
    const records = Array.from({ length: 5 }, () => signer.next());
    for (const record of records) {
      expect((await submit(record)).body).toMatchObject({ chain_hash: chainHashOf(record) });
    }
  });
});

describe('GET /v1/operations/:operation_id', () => {
  it('gives back all members of record and receipt, and the epoch once there is one', async () => {
    const account = await service.signUp('reader');
    const signer = await registerAgent(account);
    const record = signer.next();
    const receipt = await account.client.ok('submitOperation', { body: record });
    const others = [await submitNext(account, signer), await submitNext(account, signer)];
    expect(others).toHaveLength(2);
    const params = { operation_id: record.operation_id };
    expect(await account.client.ok('getOperation', { params })).toEqual({ eor: record, ear: receipt, epoch: null });

    await exportOf(account);
    const { eor, ear, epoch } = await account.client.ok('getOperation', { params });
    expect({ eor, ear }).toEqual({ eor: record, ear: receipt });
    const sealed = await account.client.ok('getEpoch', { params: { epoch_id: epoch?.epoch_id ?? '' } });
    expect(epoch).toMatchObject({ epoch_no: 1, inclusion: { leaf_index: 0 } });
    expect(
      verifyInclusion({
        leafHash: receiptLeafHash(receiptSignedBytes(receipt), nodeCrypto.sha256),
        leafIndex: 0,
        treeSize: 3,
        path: (epoch?.inclusion?.path ?? []).map(parseDigest),
        root: parseDigest(sealed.log_root),
      }),
    ).toBe(true);
  });

  it('finds an operation by its id in any case of letters', async () => {
    const record = (await registerAgent(owner)).next();
    await owner.client.ok('submitOperation', { body: record });
    const params = { operation_id: record.operation_id.toUpperCase() };
    expect((await owner.client.ok('getOperation', { params })).eor).toEqual(record);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'nonsense', '%', "' OR 1=1 --"])(
    'does not know %s',
    async (operation_id) => {
      expectError(await owner.client.call('getOperation', { params: { operation_id } }), 'NOT_FOUND');
      expectError(await owner.client.call('verifyOperation', { params: { operation_id } }), 'NOT_FOUND');
    },
  );
});
