// docs/interface.md, Agents: update, freeze, unfreeze, delete. Registration has its own tests in agents.test.ts.
import { describe, expect, it } from 'vitest';
import { INTEGRATION_TYPES } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { bundleOf, eventsOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { Signer } from '../support/signer.ts';
import { nextMillisecond } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;

const named = ({ agentId }: Signer) => ({ params: { agent_id: agentId } });
const withReason = (signer: Signer, reason: unknown = 'under inquiry') => ({ ...named(signer), body: { reason } });

describe('PATCH /v1/agents/:agent_id', () => {
  it.each(INTEGRATION_TYPES)('changes the integration type to %s', async (integration_type) => {
    const signer = await registerAgent(owner);
    const { agent: before } = await client.ok('getAgent', named(signer));
    const { agent } = await client.ok('updateAgent', { ...named(signer), body: { integration_type } });
    expect(agent).toEqual({ ...before, integration_type, updated_at: agent.updated_at });
    expect(agent.updated_at).toBeGreaterThan(before.updated_at);
    expect((await client.ok('getAgent', named(signer))).agent).toEqual(agent);
    expect((await eventsOf(owner))[0]).toMatchObject({
      action: 'agent.update',
      actor: owner.userId,
      target_type: 'agent',
      target_id: signer.agentId,
      details: { from: 'sdk', to: integration_type },
    });
  });

  it('refuses sdk, which registration takes, and every unknown type', async () => {
    const signer = new Signer(owner.orgId, 'by-sdk');
    await client.ok('registerAgent', { body: { ...signer.registration, integration_type: 'sdk' } });
    const before = service.trace();
    for (const body of [
      { integration_type: 'sdk' },
      { integration_type: 'SDK' },
      { integration_type: '' },
      { integration_type: null },
      { integration_type: ['cursor'] },
      {},
    ]) {
      expectError(await client.call('updateAgent', { ...named(signer), body }), 'VALIDATION_ERROR', 'integration_type');
    }
    const more = { integration_type: 'cursor', display_name: 'other' };
    expectError(await client.call('updateAgent', { ...named(signer), body: more }), 'VALIDATION_ERROR', 'display_name');
    expect(service.trace()).toEqual(before);
  });

  it('does not thaw a frozen agent', async () => {
    const signer = await registerAgent(owner);
    await client.ok('freezeAgent', withReason(signer));
    const { agent } = await client.ok('updateAgent', { ...named(signer), body: { integration_type: 'gui' } });
    expect(agent.status).toBe('frozen');
  });
});

describe('POST /v1/agents/:agent_id/freeze and unfreeze', () => {
  it('refuse the operations of an agent, and take them again; history and keys are kept', async () => {
    const signer = await registerAgent(owner);
    const receipt = await submitNext(owner, signer);
    const { agent: before, keys } = await client.ok('getAgent', named(signer));

    const { agent: frozen } = await client.ok('freezeAgent', withReason(signer, 'odd behaviour, ticket 7 🧊'));
    expect(frozen).toEqual({ ...before, status: 'frozen', updated_at: frozen.updated_at });
    expect(frozen.updated_at).toBeGreaterThan(before.updated_at);
    expect(await client.ok('getAgent', named(signer))).toEqual({ agent: frozen, keys });
    const record = signer.next();
    const refused = service.trace();
    expectError(await client.call('submitOperation', { body: record }), 'AGENT_FROZEN');
    expect(service.trace()).toEqual(refused);
    const operation = { params: { operation_id: receipt.operation_id } };
    expect(await client.ok('verifyOperation', operation)).toMatchObject({
      valid: true,
      checks: { agent_status: 'frozen' },
    });

    const { agent: active } = await client.ok('unfreezeAgent', withReason(signer, 'cleared'));
    expect(active).toEqual({ ...before, updated_at: active.updated_at });
    // The very record that was refused: it consumed nothing.
    await client.ok('submitOperation', { body: record });

    const [unfreeze, freeze] = await eventsOf(owner);
    const target = { actor: owner.userId, target_type: 'agent', target_id: signer.agentId };
    expect(freeze).toMatchObject({
      ...target,
      action: 'agent.freeze',
      details: { reason: 'odd behaviour, ticket 7 🧊' },
    });
    expect(unfreeze).toMatchObject({ ...target, action: 'agent.unfreeze', details: { reason: 'cleared' } });
  });

  it('are conflicts where there is nothing to change', async () => {
    const signer = await registerAgent(owner);
    const before = service.trace();
    expectError(await client.call('unfreezeAgent', withReason(signer)), 'CONFLICT');
    expect(service.trace()).toEqual(before);
    await client.ok('freezeAgent', withReason(signer));
    const frozen = service.trace();
    expectError(await client.call('freezeAgent', withReason(signer)), 'CONFLICT');
    expect(service.trace()).toEqual(frozen);
    await client.ok('unfreezeAgent', withReason(signer));
    expectError(await client.call('unfreezeAgent', withReason(signer)), 'CONFLICT');
  });

  it('freeze once of many at once', async () => {
    const signer = await registerAgent(owner);
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.call('freezeAgent', withReason(signer))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 'CONFLICT');
  });

  it.each(['freezeAgent', 'unfreezeAgent'] as const)('%s: wants a reason', async (route) => {
    const signer = await registerAgent(owner);
    const before = service.trace();
    for (const reason of [undefined, null, '', '  ', 7, 'x'.repeat(1025)]) {
      expectError(await client.call(route, { ...named(signer), body: { reason } }), 'VALIDATION_ERROR', 'reason');
    }
    const more = { reason: 'x', until: 'tomorrow' };
    expectError(await client.call(route, { ...named(signer), body: more }), 'VALIDATION_ERROR', 'until');
    expect(service.trace()).toEqual(before);
  });

  it('leave other agents alone, those of the same name elsewhere too', async () => {
    const signer = await registerAgent(owner, 'namesake');
    const [neighbour, stranger] = [await registerAgent(owner), await service.signUp('stranger')];
    const namesake = await registerAgent(stranger, 'namesake');
    await client.ok('freezeAgent', withReason(signer));
    await submitNext(owner, neighbour);
    await submitNext(stranger, namesake);
    expectError(await stranger.client.call('unfreezeAgent', withReason(namesake)), 'CONFLICT');
    await stranger.client.ok('deleteAgent', named(namesake));
    expect((await client.ok('getAgent', named(signer))).agent.status).toBe('frozen');
  });
});

describe('DELETE /v1/agents/:agent_id', () => {
  it('removes an agent from every listing; what it did stays, and verifies', async () => {
    const signer = await registerAgent(owner);
    const other = await registerAgent(owner);
    const receipts = [await submitNext(owner, signer), await submitNext(owner, signer), await submitNext(owner, other)];
    await client.ok('assign', { ...named(signer), body: { user_id: owner.userId } });
    expect(await client.ok('deleteAgent', named(signer))).toEqual({ deleted: true });

    const { agents } = await client.ok('listAgents');
    expect(agents.map(({ agent_id }) => agent_id)).not.toContain(signer.agentId);
    const mine = await client.ok('memberAgents', { params: { user_id: owner.userId } });
    expect(mine.agents.map(({ agent_id }) => agent_id)).not.toContain(signer.agentId);
    for (const route of ['getAgent', 'agentHead', 'agentOperations', 'listAssignments'] as const) {
      expectError(await client.call(route, named(signer)), 'NOT_FOUND');
    }
    const before = service.trace();
    expectError(await client.call('submitOperation', { body: signer.record() }), 'UNKNOWN_AGENT');
    expectError(await client.call('deleteAgent', named(signer)), 'NOT_FOUND');
    expectError(await client.call('freezeAgent', withReason(signer)), 'NOT_FOUND');
    expectError(await client.call('unfreezeAgent', withReason(signer)), 'NOT_FOUND');
    const update = { ...named(signer), body: { integration_type: 'gui' } };
    expectError(await client.call('updateAgent', update), 'NOT_FOUND');
    const revoke = { ...named(signer), body: { kid: signer.kid, reason: 'too late' } };
    expectError(await client.call('revokeKey', revoke), 'NOT_FOUND');
    const key = { kid: 'key-2', public_key: other.publicKey, algorithm: 'ed25519' };
    expectError(await client.call('addKey', { ...named(signer), body: key }), 'NOT_FOUND');
    expectError(await client.call('assign', { ...named(signer), body: { user_id: owner.userId } }), 'NOT_FOUND');
    expectError(await client.call('registerAgent', { body: signer.registration }), 'CONFLICT', 'agent_id');
    expect(service.trace()).toEqual(before);

    for (const { operation_id } of receipts.slice(0, 2)) {
      const { ear } = await client.ok('getOperation', { params: { operation_id } });
      expect(receipts).toContainEqual(ear);
      expect(await client.ok('verifyOperation', { params: { operation_id } })).toMatchObject({
        valid: true,
        checks: { signature_valid: true, chain_hash_valid: true, agent_status: 'deleted' },
      });
    }
    const found = await client.ok('auditQuery', { body: { agentId: signer.agentId } });
    expect(found.data.map(({ operation_id }) => operation_id)).toEqual(
      receipts
        .slice(0, 2)
        .map(({ operation_id }) => operation_id)
        .toReversed(),
    );

    const bytes = await bundleOf(owner);
    const bundle = JSON.parse(bytes.toString('utf8')) as Bundle;
    const inBundle = bundle.agents.find(({ agent_id }) => agent_id === signer.agentId);
    expect(inBundle).toMatchObject({ status: 'deleted', keys: [{ kid: signer.kid, public_key: signer.publicKey }] });
    const report = await verifyWith(service.kid, bytes);
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect((await eventsOf(owner, 'agent.delete'))[0]).toMatchObject({
      actor: owner.userId,
      target_type: 'agent',
      target_id: signer.agentId,
      details: { status: 'active' },
    });
  });

  it('takes a frozen one too, and one that did nothing', async () => {
    const signer = await registerAgent(owner);
    await client.ok('freezeAgent', withReason(signer));
    await nextMillisecond();
    expect(await client.ok('deleteAgent', named(signer))).toEqual({ deleted: true });
    expectError(await client.call('submitOperation', { body: signer.record() }), 'UNKNOWN_AGENT');
  });
});
