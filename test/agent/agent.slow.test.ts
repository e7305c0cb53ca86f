import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Agent, AgentError, type AgentErrorCode, type AgentOptions, type Operation } from '../../src/agent/index.ts';
import type { ErrorCode } from '../../src/api/index.ts';
import { nodeSigner } from '../../src/node/index.ts';
import {
  isSalted,
  ProtocolError,
  parseTime,
  type Receipt,
  receiptSignedBytes,
  type SubmittedRecord,
  shownPayload,
  toBase64Url,
  toHex,
} from '../../src/protocol/index.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestProxy } from '../support/proxy.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { pemOf, type Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

const OPERATIONS = /^\/v1\/operations$/;
const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `receipts-${files++}.jsonl`);

const service = await TestService.start();
const owner = await service.signUp();

const operation = (n = 1, members: Partial<Operation> = {}): Operation => ({
  operationType: 'file.write',
  subject: `file ${n}`,
  action: 'write',
  payload: { n },
  ...members,
});

function optionsOf(signer: Signer, account: Account = owner): AgentOptions {
  return {
    serviceUrl: account.client.url,
    token: account.client.token ?? '',
    orgId: signer.orgId,
    agentId: signer.agentId,
    kid: signer.kid,
    privateKey: signer.seed,
    retryForMs: 10_000,
  };
}

async function newAgent(options: Partial<AgentOptions> = {}): Promise<{ agent: Agent; signer: Signer }> {
  const signer = await registerAgent(owner);
  return { agent: new Agent({ ...optionsOf(signer), ...options }), signer };
}

/** An agent with a proxy between it and the service. */
async function behindProxy(options: Partial<AgentOptions> = {}) {
  const proxy = await TestProxy.start(service.url);
  return { proxy, ...(await newAgent({ ...options, serviceUrl: proxy.url })) };
}

async function codeOf(act: () => Promise<unknown> | unknown): Promise<AgentErrorCode | ErrorCode | 'fine'> {
  try {
    await act();
    return 'fine';
  } catch (error) {
    if (error instanceof AgentError) return error.code;
    throw error;
  }
}

const storedWhole = ({ operation_id }: Receipt) => owner.client.ok('getOperation', { params: { operation_id } });
const stored = async (receipt: Receipt): Promise<SubmittedRecord> =>
  (await storedWhole(receipt)).eor as SubmittedRecord;

/** Checks that the receipts are those of one unbroken chain, in this order. */
async function expectChain(signer: Signer, receipts: readonly Receipt[]): Promise<void> {
  let head: string | null = null;
  for (const receipt of receipts) {
    const record: SubmittedRecord = await stored(receipt);
    expect(record.prev_chain_hash).toBe(head);
    head = receipt.chain_hash;
  }
  const params = { agent_id: signer.agentId };
  expect((await owner.client.ok('agentHead', { params })).chain_hash).toBe(head);
}

const lines = (path: string): Receipt[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Receipt);

describe('submit', () => {
  it('has an operation countersigned as it was given', async () => {
    const { agent, signer } = await newAgent();
    const payload = { text: 'Grüße 👋', list: [1, null, { a: -0.5 }] };
    const receipt = await agent.submit(operation(7, { payload }));
    expect(receipt).toMatchObject({ org_id: owner.orgId, agent_id: signer.agentId, service_kid: service.kid });
    const { eor, disclosures } = await storedWhole(receipt);
    expect(shownPayload(eor.payload ?? {}, disclosures)).toEqual(payload);
    expect(isSalted(eor.payload)).toBe(true);
    expect(eor).toMatchObject({
      operation_type: 'file.write',
      subject: 'file 7',
      action: 'write',
      ttl_ms: 300_000,
      agent_pubkey_kid: signer.kid,
    });
    await agent.close();
  });

  it('signs a payload as it is where it is told not to salt, and where there is nothing to salt', async () => {
    const { signer } = await newAgent();
    const plain = new Agent({ ...optionsOf(signer), salted: false });
    expect((await stored(await plain.submit(operation(1, { payload: { n: 1 } })))).payload).toEqual({ n: 1 });
    await plain.close();
    const agent = new Agent(optionsOf(signer));
    expect((await stored(await agent.submit(operation(2, { payload: {} })))).payload).toEqual({});
    await agent.close();
  });

  it('keeps the chain, also over several lives of the agent', async () => {
    const { agent, signer } = await newAgent();
    const receipts: Receipt[] = [];
    for (let n = 0; n < 3; n++) receipts.push(await agent.submit(operation(n)));
    const next = new Agent(optionsOf(signer));
    for (let n = 3; n < 5; n++) receipts.push(await next.submit(operation(n)));
    await expectChain(signer, receipts);
  });

  it('keeps the order of calls that do not wait for one another', async () => {
    const { agent, signer } = await newAgent();
    const receipts = await Promise.all(Array.from({ length: 12 }, (_, n) => agent.submit(operation(n))));
    for (const [n, receipt] of receipts.entries()) expect((await stored(receipt)).subject).toBe(`file ${n}`);
    await expectChain(signer, receipts);
    await agent.close();
  });

  it('continues after an operation that was refused', async () => {
    const { agent, signer } = await newAgent();
    const results = await Promise.allSettled([
      agent.submit(operation(1)),
      agent.submit(operation(2, { operationType: 'not a name' })),
      agent.submit(operation(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'SHAPE_INVALID' } });
    await expectChain(
      signer,
      results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    );
  });

  it.each<[string, Partial<Operation>]>([
    ['an empty subject', { subject: '' }],
    ['an operation_id that is none', { operationId: 'seven' }],
    ['a payload that is a list', { payload: [] as unknown as Operation['payload'] }],
    ['a payload with a lone surrogate', { payload: { text: '\ud800' } }],
    ['a payload with a number that JSON has not', { payload: { n: Number.POSITIVE_INFINITY } }],
  ])('refuses %s before it sends anything', async (_, members) => {
    const { agent, proxy } = await behindProxy();
    await expect(agent.submit(operation(1, members))).rejects.toThrow(ProtocolError);
    expect(proxy.bodies(OPERATIONS)).toEqual([]);
  });

  it('takes an operation_id of its caller', async () => {
    const { agent } = await newAgent();
    const operationId = crypto.randomUUID();
    expect(await agent.submit(operation(1, { operationId }))).toMatchObject({ operation_id: operationId });
  });

  it("passes on the service's own code where it refuses", async () => {
    const { agent, signer } = await newAgent();
    await agent.submit(operation());
    const set = (status: string) =>
      service.sql.prepare('UPDATE agents SET status = ? WHERE agent_id = ?').run(status, signer.agentId);
    set('frozen');
    expect(await codeOf(() => agent.submit(operation()))).toBe('AGENT_FROZEN');
    set('active');
    service.sql.prepare("UPDATE agent_keys SET status = 'revoked' WHERE agent_id = ?").run(signer.agentId);
    expect(await codeOf(() => agent.submit(operation()))).toBe('KEY_REVOKED');
    const options = optionsOf(signer);
    expect(await codeOf(() => new Agent({ ...options, token: 'x' }).submit(operation()))).toBe('UNAUTHORIZED');
    expect(await codeOf(() => new Agent({ ...options, agentId: 'nobody' }).submit(operation()))).toBe('NOT_FOUND');
    expect(await codeOf(() => new Agent({ ...options, kid: 'nothing' }).submit(operation()))).toBe('INVALID_SIGNATURE');
    expect(await codeOf(() => new Agent({ ...options, orgId: 'other' }).submit(operation()))).toBe('FORBIDDEN');
  });

  it('works at an address with a slash at its end', async () => {
    const { agent } = await newAgent({ serviceUrl: `${service.url}/` });
    await agent.submit(operation());
  });
});

describe('the private key', () => {
  it('is taken in every encoding', async () => {
    const signer = await registerAgent(owner);
    const { seed } = signer;
    const encodings = [
      seed,
      toBase64Url(seed),
      toHex(seed),
      toHex(seed).toUpperCase(),
      pemOf(seed),
      ` ${toBase64Url(seed)}\n`,
      `\n${pemOf(seed)}\n`,
      `${pemOf(seed).replaceAll('\n', '\r\n')}`,
    ];
    for (const privateKey of encodings) await new Agent({ ...optionsOf(signer), privateKey }).submit(operation());
  });

  it('of another agent is refused by the service', async () => {
    const [one, two] = [await registerAgent(owner), await registerAgent(owner)];
    const agent = new Agent({ ...optionsOf(one), privateKey: two.seed });
    expect(await codeOf(() => agent.submit(operation()))).toBe('INVALID_SIGNATURE');
  });

  it('is the agent’s own: changing the bytes given changes nothing', async () => {
    const signer = await registerAgent(owner);
    const seed = Uint8Array.from(signer.seed);
    const agent = new Agent({ ...optionsOf(signer), privateKey: seed });
    seed.fill(0);
    await agent.submit(operation());
  });

  const seed = new Uint8Array(32).fill(7);
  const rsa =
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n-----END PRIVATE KEY-----\n';
  it.each<[string, Uint8Array | string]>([
    ['nothing', ''],
    ['31 bytes', seed.slice(1)],
    ['64 bytes', new Uint8Array(64).fill(7)],
    ['base64url cut short', toBase64Url(seed).slice(1)],
    ['base64url with a stray character', `${toBase64Url(seed).slice(1)}!`],
    ['hexadecimal cut short', toHex(seed).slice(2)],
    ['a PEM that is damaged', pemOf(seed).replace('MC4', 'MC5')],
    ['a PEM of another kind of key', rsa],
    ['a PEM of nothing', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----'],
  ])('is refused at once where it is not valid, and not quoted: %s', async (_, privateKey) => {
    const signer = await registerAgent(owner);
    const make = (): Agent => new Agent({ ...optionsOf(signer), privateKey });
    expect(await codeOf(make)).toBe('KEY_INVALID');
    try {
      make();
    } catch (error) {
      const told = error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : '';
      if (typeof privateKey === 'string' && privateKey.length > 20) expect(told).not.toContain(privateKey.slice(0, 20));
    }
  });
});

describe('an answer that is lost', () => {
  it('is asked for again with the same record, and gives the one receipt', async () => {
    const { agent, proxy, signer } = await behindProxy();
    proxy.next(OPERATIONS, { kind: 'lose answer' }, { kind: 'lose request' }, { kind: 'lose answer' });
    const receipts = [await agent.submit(operation(1)), await agent.submit(operation(2))];
    const bodies = proxy.bodies(OPERATIONS);
    expect(bodies).toHaveLength(5);
    expect(new Set(bodies.slice(0, 4)).size).toBe(1);
    await expectChain(signer, receipts);
  });

  it.each<[string, { status: number; body: string; headers?: Record<string, string> }]>([
    ['500', { status: 500, body: '{"error":{"code":"INTERNAL_ERROR","message":"m","request_id":"r"}}' }],
    ['502 of a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['429', { status: 429, body: '{"error":{"code":"RATE_LIMITED","message":"m"}}', headers: { 'retry-after': '0' } }],
    ['half of a body', { status: 201, body: '{"receipt_id":' }],
  ])('is tried again after %s', async (_, answer) => {
    const { agent, proxy, signer } = await behindProxy();
    proxy.next(OPERATIONS, { kind: 'answer', ...answer });
    const receipt = await agent.submit(operation());
    expect(new Set(proxy.bodies(OPERATIONS)).size).toBe(1);
    await expectChain(signer, [receipt]);
  });

  it('is waited for as long as the service says', async () => {
    const { agent, proxy } = await behindProxy();
    const body = '{"error":{"code":"RATE_LIMITED","message":"m"}}';
    proxy.next(OPERATIONS, { kind: 'answer', status: 429, body, headers: { 'retry-after': '1' } });
    const before = performance.now();
    await agent.submit(operation());
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
  });

  it('is given up in the end, and the next operation works', async () => {
    const { agent, proxy, signer } = await behindProxy({ retryForMs: 200 });
    const first = await agent.submit(operation(1));
    proxy.next(OPERATIONS, ...Array(20).fill({ kind: 'lose answer' }));
    const lost = operation(2, { operationId: crypto.randomUUID() });
    expect(await codeOf(() => agent.submit(lost))).toBe('SERVICE_UNAVAILABLE');
    const params = { operation_id: lost.operationId ?? '' };
    // It had been accepted after all, only nobody was told.
    const { ear } = await owner.client.ok('getOperation', { params });
    const unreliable = new Agent({ ...optionsOf(signer) });
    await expectChain(signer, [first, ear, await unreliable.submit(operation(3))]);
  });

  it('can be asked for again by the caller, with the same operation_id', async () => {
    const { agent, proxy, signer } = await behindProxy({ retryForMs: 100 });
    proxy.next(OPERATIONS, ...Array(20).fill({ kind: 'lose answer' }));
    const lost = operation(1, { operationId: crypto.randomUUID() });
    expect(await codeOf(() => agent.submit(lost))).toBe('SERVICE_UNAVAILABLE');
    proxy.clear();
    const receipt = await agent.submit(lost);
    expect(receipt.operation_id).toBe(lost.operationId);
    await expectChain(signer, [receipt]);
  });
});

describe('a token that only submits', () => {
  /** An agent with such a token, behind a proxy. */
  async function submitting(options: Partial<AgentOptions> = {}) {
    const made = await behindProxy(options);
    const { agentId } = made.signer;
    const { token } = await owner.client.ok('createToken', { body: { scope: 'submit', agent_id: agentId } });
    const given = { ...optionsOf(made.signer), ...options, token, serviceUrl: made.proxy.url };
    return { ...made, agent: new Agent(given), given };
  }

  it('is enough for a chain, also over several lives of the agent', async () => {
    const { agent, given, signer } = await submitting();
    const receipts = [await agent.submit(operation(1)), await agent.submit(operation(2))];
    receipts.push(await new Agent(given).submit(operation(3)));
    await expectChain(signer, receipts);
  });

  it('gets the receipt of an operation whose answer was lost, where the caller asks again', async () => {
    const { agent, proxy, signer } = await submitting({ retryForMs: 100 });
    proxy.next(OPERATIONS, ...Array(20).fill({ kind: 'lose answer' }));
    const lost = operation(1, { operationId: crypto.randomUUID() });
    expect(await codeOf(() => agent.submit(lost))).toBe('SERVICE_UNAVAILABLE');
    proxy.clear();
    const receipt = await agent.submit(lost);
    expect(receipt.operation_id).toBe(lost.operationId);
    await expectChain(signer, [receipt]);
  });

  it('gets the receipt of a record that was accepted although a later form of it was sent', async () => {
    const { agent, proxy, signer } = await submitting();
    const other = new Agent(optionsOf(signer));
    await agent.submit(operation(1));
    await other.submit(operation(2));
    const denied =
      '{"error":{"code":"PREV_HASH_MISMATCH","message":"m","request_id":"r","expected_prev_chain_hash":null}}';
    proxy.next(OPERATIONS, { kind: 'pass' }, { kind: 'lose answer' }, { kind: 'answer', status: 409, body: denied });
    expect((await stored(await agent.submit(operation(3)))).subject).toBe('file 3');
  });

  it('leaves it at the refusal where this process did not send the operation', async () => {
    const { agent, given } = await submitting();
    const done = operation(1, { operationId: crypto.randomUUID() });
    await agent.submit(done);
    expect(await codeOf(() => new Agent(given).submit(done))).toBe('REPLAY_DETECTED');
  });
});

describe('an operation_id that was used', () => {
  const operationId = crypto.randomUUID();

  it('gives the receipt of the same operation, also to a later life of the agent', async () => {
    const { agent, signer } = await newAgent();
    const given = operation(1, { operationId });
    const receipt = await agent.submit(given);
    const between = await agent.submit(operation(2));
    const receiptsFile = newFile();
    const next = new Agent({ ...optionsOf(signer), receiptsFile });
    expect(await next.submit(given)).toEqual(receipt);
    expect(lines(receiptsFile)).toEqual([receipt]);
    await expectChain(signer, [receipt, between, await next.submit(operation(3))]);
  });

  it.each<[string, Partial<Operation>]>([
    ['type', { operationType: 'file.read' }],
    ['subject', { subject: 'another' }],
    ['action', { action: 'another' }],
    ['payload', { payload: { n: 2 } }],
  ])('is refused for an operation of another %s', async (_, members) => {
    const { agent } = await newAgent();
    const given = operation(1, { operationId: crypto.randomUUID() });
    await agent.submit(given);
    expect(await codeOf(() => agent.submit({ ...given, ...members }))).toBe('REPLAY_DETECTED');
  });

  it('is refused where another agent used it', async () => {
    const [one, two] = [await newAgent(), await newAgent()];
    const given = operation(1, { operationId: crypto.randomUUID() });
    await one.agent.submit(given);
    expect(await codeOf(() => two.agent.submit(given))).toBe('REPLAY_DETECTED');
  });
});

describe('a service that goes and comes', () => {
  it('is tried until it is there again', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const signer = await registerAgent(account);
    const proxy = await TestProxy.start(other.url);
    const agent = new Agent({ ...optionsOf(signer, account), serviceUrl: proxy.url });
    const receipts = [await agent.submit(operation(1))];
    await other.stop();
    const submitted = agent.submit(operation(2));
    const tries = proxy.seen.length;
    await until('two tries', () => proxy.seen.length >= tries + 2);
    await other.restart();
    proxy.target = other.url;
    receipts.push(await submitted);
    expect(receipts.map(({ seq_no }) => seq_no)).toEqual([1, 2]);
  });

  it('is given up after the time that was given', async () => {
    const { agent } = await newAgent({ serviceUrl: 'http://127.0.0.1:1', retryForMs: 100 });
    expect(await codeOf(() => agent.submit(operation()))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('resynchronisation', () => {
  it('continues after another process used the same key', async () => {
    const { agent, signer } = await newAgent();
    const first = await agent.submit(operation(1));
    const other = new Agent(optionsOf(signer));
    const second = await other.submit(operation(2));
    const third = await agent.submit(operation(3));
    const fourth = await other.submit(operation(4));
    await expectChain(signer, [first, second, third, fourth]);
  });

  it('continues also where both submit at once', async () => {
    const { agent, signer } = await newAgent();
    const other = new Agent(optionsOf(signer));
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, n) => [agent.submit(operation(n)), other.submit(operation(n + 10))]).flat(),
    );
    const receipts = results.toSorted((a, b) => a.seq_no - b.seq_no);
    await expectChain(signer, receipts);
  });

  it('signs an operation again that had to wait longer than its time to live', async () => {
    const { agent, proxy, signer } = await behindProxy({ ttlMs: 150 });
    const late = (body: string): boolean => {
      const { issued_at, ttl_ms } = JSON.parse(body) as SubmittedRecord;
      return Date.now() > parseTime(issued_at) + ttl_ms + 5;
    };
    proxy.next(OPERATIONS, { kind: 'hold', until: late });
    const receipt = await agent.submit(operation());
    const [first, second] = proxy.bodies(OPERATIONS).map((body) => JSON.parse(body) as SubmittedRecord);
    expect(second?.operation_id).toBe(first?.operation_id);
    expect(second?.nonce).not.toBe(first?.nonce);
    await expectChain(signer, [receipt]);
  });

  it('finds the receipt of a record that was accepted although a later form of it was sent', async () => {
    const { agent, proxy, signer } = await behindProxy({ ttlMs: 60_000 });
    const other = new Agent(optionsOf(signer));
    await agent.submit(operation(1));
    await other.submit(operation(2));
    // The first form is refused for the chain had moved on; the second is accepted, its answer lost and then denied.
    const expired =
      '{"error":{"code":"PREV_HASH_MISMATCH","message":"m","request_id":"r","expected_prev_chain_hash":null}}';
    proxy.next(OPERATIONS, { kind: 'pass' }, { kind: 'lose answer' }, { kind: 'answer', status: 409, body: expired });
    const receipt = await agent.submit(operation(3));
    expect((await stored(receipt)).subject).toBe('file 3');
    expect((await owner.client.ok('agentHead', { params: { agent_id: signer.agentId } })).chain_hash).toBe(
      receipt.chain_hash,
    );
  });
});

describe('the time to live', () => {
  it('is the one that was given', async () => {
    const { agent } = await newAgent({ ttlMs: 86_400_000 });
    expect(await stored(await agent.submit(operation()))).toMatchObject({ ttl_ms: 86_400_000 });
  });

  it.each([0, -1, 1.5, 86_400_001])('is refused where the protocol has no such: %d', async (ttlMs) => {
    const { agent } = await newAgent({ ttlMs });
    await expect(agent.submit(operation())).rejects.toMatchObject({ code: 'SHAPE_INVALID' });
  });
});

describe('a receipt', () => {
  it('of the pinned service key is taken', async () => {
    const { agent } = await newAgent({ serviceKid: service.kid });
    await agent.submit(operation());
  });

  // Without the proof the receipt itself shows it.
  it.each<[AgentErrorCode, boolean]>([
    ['SERVICE_UNKNOWN', true],
    ['RECEIPT_INVALID', false],
  ])('of any other is refused, and not kept: %s', async (code, proveService) => {
    const receiptsFile = newFile();
    const { agent } = await newAgent({ serviceKid: 'A'.repeat(43), receiptsFile, proveService });
    expect(await codeOf(() => agent.submit(operation()))).toBe(code);
    await agent.close();
    expect(() => readFileSync(receiptsFile)).toThrow();
  });

  const change = (members: Partial<Receipt>) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...members });
  it.each<[string, AgentErrorCode, (text: string) => string]>([
    ['with another number', 'RECEIPT_INVALID', change({ seq_no: 1_000_000 })],
    ['with another time', 'RECEIPT_INVALID', change({ server_received_at: '2020-01-01T00:00:00.000Z' })],
    ['with another chain hash', 'RECEIPT_INVALID', change({ chain_hash: `sha256:${'0'.repeat(64)}` })],
    ['of another operation', 'RECEIPT_INVALID', change({ operation_id: crypto.randomUUID() })],
    ['of another agent', 'RECEIPT_INVALID', change({ agent_id: 'another' })],
    ['of another organization', 'RECEIPT_INVALID', change({ org_id: 'another' })],
    ['by a key that nobody published', 'RECEIPT_INVALID', change({ service_kid: 'B'.repeat(43) })],
    ['without a signature', 'ANSWER_INVALID', change({ service_signature: '' })],
    ['that is none', 'ANSWER_INVALID', () => '[]'],
    ['with a member too many', 'ANSWER_INVALID', (text) => text.replace('{', '{"more":1,')],
  ])('%s: %s', async (_, code, changed) => {
    const receiptsFile = newFile();
    const { agent, proxy, signer } = await behindProxy({ receiptsFile });
    proxy.next(OPERATIONS, { kind: 'change', change: changed });
    expect(await codeOf(() => agent.submit(operation(1)))).toBe(code);
    // The service has the record; what counts is that the agent finds its way again.
    const receipt = await agent.submit(operation(2));
    await agent.close();
    expect(lines(receiptsFile)).toEqual([receipt]);
    expect((await owner.client.ok('agentHead', { params: { agent_id: signer.agentId } })).seq_no).toBe(receipt.seq_no);
  });

  it('that was given for another record is refused, however genuine', async () => {
    const { agent, proxy } = await behindProxy();
    const earlier = await agent.submit(operation(1));
    const other = await submitNext(owner, await registerAgent(owner));
    for (const receipt of [earlier, other]) {
      proxy.next(OPERATIONS, { kind: 'change', change: () => JSON.stringify(receipt) });
      expect(await codeOf(() => agent.submit(operation(2)))).toBe('RECEIPT_INVALID');
      // The record had been accepted: the next submission reads the head again.
      await agent.submit(operation(3));
    }
  });

  it('is not believed by a key set that calls one key by the name of another', async () => {
    const { agent, proxy } = await behindProxy({ serviceKid: service.kid, proveService: false });
    const stranger = await registerAgent(owner);
    const signed = (text: string): string => {
      const { service_signature: _, ...statement } = JSON.parse(text) as Receipt;
      const signature = toBase64Url(nodeSigner(stranger.seed).sign(receiptSignedBytes(statement)));
      return JSON.stringify({ ...statement, service_signature: signature });
    };
    const renamed = (text: string): string => text.replace(/"x":"[^"]*"/, `"x":"${stranger.publicKey}"`);
    proxy.next(/jwks/, { kind: 'change', change: renamed });
    proxy.next(OPERATIONS, { kind: 'change', change: signed });
    expect(await codeOf(() => agent.submit(operation()))).toBe('RECEIPT_INVALID');
  });

  it.each<[string, string, AgentErrorCode]>([
    ['a status that the interface has not', '{}', 'ANSWER_INVALID'],
    ['a code that the interface has not', '{"error":{"code":"TEAPOT","message":"m"}}', 'ANSWER_INVALID'],
  ])('is not what %s is', async (_, body, code) => {
    const { agent, proxy } = await behindProxy();
    proxy.next(OPERATIONS, { kind: 'answer', status: 418, body });
    expect(await codeOf(() => agent.submit(operation()))).toBe(code);
  });

  it('is not what a head is', async () => {
    const { agent, proxy } = await behindProxy();
    proxy.next(/head$/, { kind: 'answer', status: 200, body: '{"head":null}' });
    expect(await codeOf(() => agent.submit(operation()))).toBe('ANSWER_INVALID');
    await agent.submit(operation());
  });
});

describe('history', () => {
  it('that a receipt proves and the service lacks is lost, and is not overwritten', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const signer = await registerAgent(account);
    const receiptsFile = newFile();
    const first = new Agent({ ...optionsOf(signer, account), receiptsFile });
    await first.submit(operation(1));
    await first.close();
    await other.stop();
    const copy = join(temporaryFolder(), 'older');
    cpSync(other.dataDir, copy, { recursive: true });
    await other.restart();
    const second = new Agent({ ...optionsOf(signer, account), serviceUrl: other.url, receiptsFile });
    const receipts = [await second.submit(operation(2)), await second.submit(operation(3))];
    await second.close();
    await other.stop();

    const older = await TestService.start({ dataDir: copy });
    const options = { ...optionsOf(signer, account), serviceUrl: older.url, receiptsFile };
    const third = new Agent(options);
    expect(await codeOf(() => third.submit(operation(4)))).toBe('HISTORY_LOST');
    expect(await codeOf(() => third.submit(operation(4)))).toBe('HISTORY_LOST');
    await third.close();

    // An older ledger that went on elsewhere, as far as the receipts or farther: another history all the same.
    const amnesiac = new Agent({ ...optionsOf(signer, account), serviceUrl: older.url });
    await amnesiac.submit(operation(5));
    await amnesiac.submit(operation(6));
    expect(receipts.map(({ seq_no }) => seq_no)).toEqual([2, 3]);
    expect(await codeOf(() => new Agent(options).submit(operation(7)))).toBe('HISTORY_LOST');
    expect(lines(receiptsFile).map(({ seq_no }) => seq_no)).toEqual([1, 2, 3]);
  });

  it('that went on elsewhere is no loss', async () => {
    const receiptsFile = newFile();
    const { agent, signer } = await newAgent({ receiptsFile });
    await agent.submit(operation(1));
    await agent.close();
    await new Agent(optionsOf(signer)).submit(operation(2));
    await new Agent({ ...optionsOf(signer), receiptsFile }).submit(operation(3));
  });
});

describe('what an agent submitted', () => {
  it('verifies offline with its own receipts', async () => {
    const account = await service.signUp('verifier');
    const signer = await registerAgent(account);
    const receiptsFile = newFile();
    const agent = new Agent({ ...optionsOf(signer, account), receiptsFile, serviceKid: service.kid });
    await Promise.all(Array.from({ length: 5 }, (_, n) => agent.submit(operation(n))));
    await agent.close();
    await submitNext(account, await registerAgent(account));
    const receipts = [{ name: 'receipts', source: () => [readFileSync(receiptsFile)] }];
    const report = await verifyWith(service.kid, await bundleOf(account), receipts);
    expect(report).toMatchObject({ verdict: 'verified', checks: { reconciliation: { status: 'pass' } } });
  });
});
