// docs/interface.md, Agents: POST /v1/agents/:agent_id/keys and /revoke.
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../src/protocol/index.ts';
import { revokeKey } from '../../src/service/people/agents/lifecycle.ts';
import { expectError } from '../support/client.ts';
import { TestLedger } from '../support/ledger.ts';
import {
  type Account,
  bundleOf,
  eventsOf,
  registerAgent,
  submitNext,
  TestService,
  verifyWith,
} from '../support/service.ts';
import { newKey, Signer } from '../support/signer.ts';
import { nextMillisecond } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;

const named = ({ agentId }: { readonly agentId: string }) => ({ params: { agent_id: agentId } });
const keyBody = (kid: string, public_key: unknown = toBase64Url(newKey().publicKey)) => ({
  kid,
  public_key,
  algorithm: 'ed25519',
});

/** Another key of the same agent. */
async function addKey(agent: Signer, kid: string, { client }: Account = owner): Promise<Signer> {
  const signer = new Signer(agent.orgId, agent.agentId, kid);
  await client.ok('addKey', { ...named(agent), body: keyBody(kid, signer.publicKey) });
  return signer;
}

const revoke = (agent: Signer, kid: string, reason: unknown = 'lost') =>
  client.call('revokeKey', { ...named(agent), body: { kid, reason } });

describe('POST /v1/agents/:agent_id/keys', () => {
  it.each<[string, (raw: Uint8Array) => string]>([
    ['base64url', (raw) => toBase64Url(raw)],
    ['base64', (raw) => Buffer.from(raw).toString('base64')],
    ['base64 without padding', (raw) => Buffer.from(raw).toString('base64').replace(/=+$/, '')],
    ['hexadecimal', (raw) => Buffer.from(raw).toString('hex')],
    ['SPKI DER in base64', (raw) => spki(raw).export({ format: 'der', type: 'spki' }).toString('base64')],
    ['SPKI PEM', (raw) => spki(raw).export({ format: 'pem', type: 'spki' }).toString()],
  ])('takes a key as %s and gives it back in one form', async (form, encode) => {
    const agent = await registerAgent(owner);
    const { publicKey } = newKey();
    const kid = `as ${form}`;
    const answer = await client.call('addKey', { ...named(agent), body: keyBody(kid, encode(publicKey)) });
    expect(answer.status).toBe(201);
    const { key } = answer.body;
    expect(key).toEqual({
      kid,
      agent_id: agent.agentId,
      public_key: toBase64Url(publicKey),
      algorithm: 'ed25519',
      status: 'active',
      created_at: expect.any(Number),
      retired_at: null,
    });
    expect((await client.ok('getAgent', named(agent))).keys).toContainEqual(key);
    expect((await eventsOf(owner))[0]).toMatchObject({
      action: 'agent.add_key',
      actor: owner.userId,
      target_type: 'agent',
      target_id: agent.agentId,
      details: { kid },
    });
  });

  it('lets the new key sign at once, the old one going on', async () => {
    const old = await registerAgent(owner);
    await submitNext(owner, old);
    const added = await addKey(old, 'key-2');
    added.head = old.head;
    await submitNext(owner, added);
    old.head = added.head;
    await submitNext(owner, old);
  });

  it('refuses a kid that the agent has, or had; another agent may use it', async () => {
    const agent = await registerAgent(owner);
    await addKey(agent, 'key-2');
    await revoke(agent, 'key-2');
    const before = service.trace();
    for (const kid of ['key-1', 'key-2']) {
      expectError(await client.call('addKey', { ...named(agent), body: keyBody(kid) }), 'CONFLICT', 'kid');
    }
    expect(service.trace()).toEqual(before);
    await addKey(await registerAgent(owner), 'key-2');
    // A kid is a name, to the letter.
    await addKey(agent, 'KEY-2');
  });

  it('gives a kid to one of many at once', async () => {
    const agent = await registerAgent(owner);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.call('addKey', { ...named(agent), body: keyBody('key-2') })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'CONFLICT', 'kid');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 5],
    ['an empty text', ''],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64url')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64url')],
    ['the neutral point', toBase64Url(Uint8Array.of(1, ...new Uint8Array(31)))],
    ['a point of small order', toBase64Url(new Uint8Array(32))],
    ['no point', toBase64Url(Uint8Array.of(2, ...new Uint8Array(31)))],
    ['a coordinate that is not canonical', Buffer.from(`${'ff'.repeat(31)}7f`, 'hex').toString('base64url')],
    ['stray characters', `${toBase64Url(newKey().publicKey)} `],
    [
      'a key of another kind',
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
    ],
    ['a very long text', 'A'.repeat(5000)],
  ])('refuses %s as public_key', async (_, public_key) => {
    const agent = await registerAgent(owner);
    const before = service.trace();
    const body = { kid: 'weak', public_key, algorithm: 'ed25519' };
    expectError(await client.call('addKey', { ...named(agent), body }), 'VALIDATION_ERROR', 'public_key');
    expect(service.trace()).toEqual(before);
  });

  it.each<[string, object]>([
    ['kid', { kid: '' }],
    ['kid', { kid: ' ' }],
    ['kid', { kid: 'k'.repeat(257) }],
    ['kid', { kid: undefined }],
    ['algorithm', { algorithm: 'rsa' }],
    ['algorithm', { algorithm: undefined }],
    ['status', { status: 'active' }],
  ])('refuses a wrong %s: %j', async (member, change) => {
    const agent = await registerAgent(owner);
    const body = { ...keyBody('key-2'), ...change };
    expectError(await client.call('addKey', { ...named(agent), body }), 'VALIDATION_ERROR', member);
  });
});

describe('POST /v1/agents/:agent_id/revoke', () => {
  it('revokes a key for good: what it signs from then on is refused, what it signed before verifies', async () => {
    const agent = await registerAgent(owner);
    const receipt = await submitNext(owner, agent);
    const added = await addKey(agent, 'key-2');
    await nextMillisecond();
    const before = Date.now();
    const answer = await revoke(agent, 'key-1', 'the laptop was stolen');
    expect(answer.status).toBe(200);
    const { key } = answer.body;
    expect(key).toMatchObject({
      kid: 'key-1',
      agent_id: agent.agentId,
      status: 'revoked',
      public_key: agent.publicKey,
    });
    expect(key.retired_at).toBeGreaterThanOrEqual(before);
    expect((await client.ok('getAgent', named(agent))).keys).toContainEqual(key);

    const refused = service.trace();
    expectError(await client.call('submitOperation', { body: agent.record() }), 'KEY_REVOKED');
    expect(service.trace()).toEqual(refused);
    added.head = agent.head;
    const later = await submitNext(owner, added);

    for (const { operation_id } of [receipt, later]) {
      const { valid, checks } = await client.ok('verifyOperation', { params: { operation_id } });
      expect(checks).toMatchObject({ signature_valid: true, chain_hash_valid: true });
      expect(valid).toBe(true);
    }
    const bytes = await bundleOf(owner);
    const { agents } = JSON.parse(bytes.toString('utf8')) as Bundle;
    expect(agents.find(({ agent_id }) => agent_id === agent.agentId)?.keys).toMatchObject([
      { kid: 'key-1', status: 'revoked', retired_at: key.retired_at },
      { kid: 'key-2', status: 'active', retired_at: null },
    ]);
    const report = await verifyWith(service.kid, bytes);
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect((await eventsOf(owner, 'agent.revoke_key'))[0]).toMatchObject({
      actor: owner.userId,
      target_type: 'agent',
      target_id: agent.agentId,
      details: { kid: 'key-1', reason: 'the laptop was stolen' },
    });
  });

  it('is a conflict the second time; the time of the first stays', async () => {
    const agent = await registerAgent(owner);
    const { key } = (await revoke(agent, 'key-1')).body;
    await nextMillisecond();
    const before = service.trace();
    expectError(await revoke(agent, 'key-1'), 'CONFLICT', 'kid');
    expect(service.trace()).toEqual(before);
    expect((await client.ok('getAgent', named(agent))).keys).toEqual([key]);
  });

  it('is never earlier than what the key signed, also where the clock stepped back', async () => {
    const ledger = await TestLedger.open();
    const signer = await ledger.agent('agent-1');
    ledger.clock += 60_000;
    const { receipt } = await ledger.submit(signer.next());
    ledger.clock -= 50_000;
    const { store, key, orgId, actor, clock: now } = ledger;
    const context = { store, key, orgId, actor, now, onStatusChange: () => undefined };
    await ledger.writer.transact(() => revokeKey(context, 'agent-1', 'key-1', 'lost'));
    expect((await ledger.verify([receipt])).findings).toEqual([]);
  });

  it('leaves the same kid of another agent alone', async () => {
    const [one, other] = [await registerAgent(owner), await registerAgent(owner)];
    await revoke(one, 'key-1');
    await submitNext(owner, other);
  });

  it('does not know a kid that the agent does not have', async () => {
    const [agent, other] = [await registerAgent(owner), await registerAgent(owner)];
    await addKey(other, 'key-2');
    const before = service.trace();
    for (const kid of ['key-2', 'KEY-1', '%']) expectError(await revoke(agent, kid), 'NOT_FOUND', 'kid');
    expect(service.trace()).toEqual(before);
  });

  it.each<[string, object]>([
    ['kid', { reason: 'lost' }],
    ['kid', { kid: null, reason: 'lost' }],
    ['reason', { kid: 'key-1' }],
    ['reason', { kid: 'key-1', reason: ' ' }],
    ['reason', { kid: 'key-1', reason: 'x'.repeat(1025) }],
    ['at', { kid: 'key-1', reason: 'lost', at: 0 }],
  ])('refuses %s: %j', async (member, body) => {
    const agent = await registerAgent(owner);
    expectError(await client.call('revokeKey', { ...named(agent), body }), 'VALIDATION_ERROR', member);
    expect((await client.ok('getAgent', named(agent))).keys).toMatchObject([{ status: 'active' }]);
  });
});

function spki(raw: Uint8Array) {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(raw) }, format: 'jwk' });
}
