// docs/security.md, Decisions of people: nobody but the person, present in a session, submits a record of the person's own agent.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS, ROLES, satisfiesRole } from '../../src/api/index.ts';
import type { Client } from '../support/client.ts';

import { expectError } from '../support/client.ts';
import { type Account, bundleOf, eventsOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { newKey, Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();

/** As somebody who has just signed in. */
function present(account: Account): Account {
  service.sql.prepare('UPDATE sessions SET proved_at = ? WHERE user_id = ?').run(Date.now(), account.userId);
  return account;
}

/** A member with an agent of their own. */
async function person(role: (typeof ROLES)[number] = 'integration_engineer') {
  const account = present(service.addMember(owner, role));
  const made = new Signer(owner.orgId, 'to be named');
  const { registration } = made;
  const { key } = await account.client.ok('addDecisionKey', { body: registration.keys[0] });
  const signer = Object.assign(made, { agentId: key.agent_id });
  return { ...account, signer };
}

const submit = (client: Client, signer: Signer) => client.call('submitDecision', { body: signer.record() });

describe("a person's own agent", () => {
  it('is registered with the first key, and takes that person’s records', async () => {
    const ada = await person();
    const { decider } = await ada.client.ok('decisionAgent');
    expect(decider?.agent).toMatchObject({
      agent_id: ada.signer.agentId,
      integration_type: 'person',
      responsible_entity: ada.email,
    });
    const record = ada.signer.next();
    const answer = await ada.client.call('submitDecision', { body: record });
    expect(answer.status).toBe(201);
    expect((await ada.client.call('submitDecision', { body: record })).status).toBe(200);
    const [event] = (await eventsOf(owner, 'agent.register')).filter(({ actor }) => actor === ada.userId);
    expect(event?.details).toMatchObject({ integration_type: 'person', user_id: ada.userId });
  });

  it('has one key for each window, which the person revokes', async () => {
    const ada = await person();
    const second = new Signer(owner.orgId, ada.signer.agentId, 'key-2');
    await ada.client.ok('addDecisionKey', { body: second.registration.keys[0] });
    expectError(await ada.client.call('addDecisionKey', { body: second.registration.keys[0] }), 'CONFLICT');
    expect((await submit(ada.client, second)).status).toBe(201);
    await ada.client.ok('revokeDecisionKey', { params: { kid: 'key-2' } });
    expectError(await ada.client.call('revokeDecisionKey', { params: { kid: 'key-2' } }), 'CONFLICT');
    expectError(await submit(ada.client, second), 'KEY_REVOKED');
  });

  it('has a limited number of active keys, and a revoked one makes room', async () => {
    const ada = await person();
    const add = (n: number) => {
      const { registration } = new Signer(owner.orgId, ada.signer.agentId, `window-${n}`);
      return ada.client.call('addDecisionKey', { body: registration.keys[0] });
    };
    for (let n = 2; n <= LIMITS.decisionKeys; n++) expect((await add(n)).status).toBe(201);
    expectError(await add(LIMITS.decisionKeys + 1), 'QUOTA_EXCEEDED', 'revoke those of browsers');
    await ada.client.ok('revokeDecisionKey', { params: { kid: 'window-2' } });
    expect((await add(LIMITS.decisionKeys + 1)).status).toBe(201);
  });

  const outsiders: [string, (of: Account & { signer: Signer }) => Promise<Client>][] = [
    ['a full token of the person', async ({ client }) => tokenOf(client, {})],
    ['a token for that agent, which nobody is given', async ({ signer }) => tokenFor(signer)],
    ['another person', async () => (await person()).client],
    ['an administrator', async () => present(service.addMember(owner, 'security_admin')).client],
    ['the owner', async () => owner.client],
  ];

  async function tokenFor({ agentId }: Signer): Promise<Client> {
    const other = await registerAgent(owner);
    const client = await tokenOf(owner.client, { scope: 'submit', agent_id: other.agentId });
    service.sql.prepare('UPDATE api_tokens SET agent_id = ? WHERE agent_id = ?').run(agentId, other.agentId);
    return client;
  }

  async function tokenOf(client: Client, body: object): Promise<Client> {
    return service.client((await client.ok('createToken', { body })).token);
  }

  it.each(outsiders)('takes no record from %s, by any route, whoever signed it', async (_, by) => {
    const ada = await person();
    const client = await by(ada);
    const before = service.trace();
    expectError(await submit(client, ada.signer), 'FORBIDDEN');
    expectError(await client.call('submitOperation', { body: ada.signer.record() }), 'FORBIDDEN');
    const { results } = await client.ok('submitBatch', { body: { records: [ada.signer.record()] } });
    expect(results).toMatchObject([{ status: 403, error: { code: 'FORBIDDEN' } }]);
    expect(service.trace()).toEqual(before);
  });

  it('takes no record from the person by the routes of agents, where a thread finds it sound', async () => {
    const ada = await person();
    // From now on threads know the key, and find sound what it signs.
    await ada.client.ok('submitDecision', { body: ada.signer.next() });
    const records = Array.from({ length: 64 }, () => ada.signer.next());
    const { results } = await ada.client.ok('submitBatch', { body: { records } });
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([403]));
  });

  it('has no token that submits its records, whoever asks for one', async () => {
    const ada = await person();
    for (const { client } of [ada, owner, present(service.addMember(owner, 'security_admin'))]) {
      const body = { scope: 'submit', agent_id: ada.signer.agentId };
      expectError(await client.call('createToken', { body }), 'FORBIDDEN', 'agent_id');
    }
  });

  it('has a name that no other agent is given', async () => {
    const { registration } = new Signer(owner.orgId, `person-${randomUUID()}`);
    expectError(await owner.client.call('registerAgent', { body: registration }), 'VALIDATION_ERROR', 'agent_id');
  });

  it('is given no key and no other type by anybody else', async () => {
    const { signer } = await person();
    const params = { agent_id: signer.agentId };
    const before = service.trace();
    const key = new Signer(owner.orgId, signer.agentId, 'key-9').registration.keys[0];
    expectError(await owner.client.call('addKey', { params, body: key }), 'FORBIDDEN');
    expectError(await owner.client.call('updateAgent', { params, body: { integration_type: 'gui' } }), 'FORBIDDEN');
    const again = { ...signer.registration, integration_type: 'person', again: true };
    expectError(await owner.client.call('enrolAgent', { body: again }), 'VALIDATION_ERROR', 'integration_type');
    const { registration } = new Signer(owner.orgId, 'person-like');
    const like = { ...registration, integration_type: 'person' };
    expectError(await owner.client.call('registerAgent', { body: like }), 'VALIDATION_ERROR', 'integration_type');
    expect(service.trace()).toEqual(before);
  });

  it('wants a person who proved who they are within ten minutes', async () => {
    const ada = await person();
    service.sql.prepare('UPDATE sessions SET proved_at = 0 WHERE user_id = ?').run(ada.userId);
    expectError(await submit(ada.client, ada.signer), 'FRESH_SIGN_IN_REQUIRED');
  });

  it('is no way for a record of another agent, nor for a key of another', async () => {
    const ada = await person();
    const other = await registerAgent(owner);
    const before = service.trace();
    expectError(await submit(ada.client, other), 'FORBIDDEN');
    const forged = new Signer(owner.orgId, ada.signer.agentId);
    expectError(await submit(ada.client, forged), 'INVALID_SIGNATURE');
    expect(service.trace()).toEqual(before);
  });

  it.each(ROLES)('is for roles that may write: %s', async (role) => {
    const account = present(service.addMember(owner, role));
    const publicKey = Buffer.from(newKey().publicKey).toString('base64url');
    const body = { kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' };
    const { status } = await account.client.call('addDecisionKey', { body });
    expect(status).toBe(satisfiesRole(role, 'integration_engineer') ? 201 : 403);
  });

  it('ends where the person is frozen, demoted or removed, and its records stay evidence', async () => {
    const ada = await person();
    const params = { agent_id: ada.signer.agentId };
    await ada.client.ok('submitDecision', { body: ada.signer.next() });
    await owner.client.ok('freezeAgent', { params, body: { reason: 'for the test' } });
    expectError(await submit(ada.client, ada.signer), 'AGENT_FROZEN');
    await owner.client.ok('unfreezeAgent', { params, body: { reason: 'for the test' } });
    service.setRole(ada, 'readonly_investigator');
    expectError(await submit(ada.client, ada.signer), 'FORBIDDEN', 'role');
    service.setRole(ada, 'integration_engineer');
    await owner.client.ok('removeMember', { params: { user_id: ada.userId } });
    expectError(await submit(ada.client, ada.signer), 'FORBIDDEN');
    expectError(await owner.client.call('getAgent', { params }), 'NOT_FOUND');
    // Invited again, the person begins with another agent: nothing signed before counts as theirs now.
    service.sql
      .prepare("INSERT INTO members (member_id, org_id, user_id, role, joined_at) VALUES (?, ?, ?, 'org_owner', 1)")
      .run(`again-${ada.userId}`, owner.orgId, ada.userId);
    expectError(await submit(ada.client, ada.signer), 'UNKNOWN_AGENT');
    expect(await ada.client.ok('decisionAgent')).toEqual({ decider: null });
    const bundle = JSON.parse((await bundleOf(owner)).toString('utf8'));
    const agents: { agent_id: string; status: string; integration_type: string }[] = bundle.agents;
    const own = agents.find(({ agent_id }) => agent_id === ada.signer.agentId);
    expect(own).toMatchObject({ status: 'deleted', integration_type: 'person' });
  });
});

/** A record of the payload profile about an action. */
const action = (phase: string, id: string, members = {}) => ({
  payload: {
    profile: 'countersign.agent-action/1',
    phase,
    action_id: id,
    ...(phase === 'decided' ? {} : { tool: { name: 'pay' }, input: { value: { to: 'ACME' } } }),
    ...members,
  },
});

describe('GET /v1/decisions/waiting', () => {
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

  it('lists what was asked until it is decided or carried out', async () => {
    const ada = await person();
    const agent = await registerAgent(owner);
    const waiting = async () => (await ada.client.ok('waitingDecisions')).data.map(({ operation_id: id }) => id);
    const first = await submitNext(owner, agent, action('asked', ids[0]));
    const second = await submitNext(owner, agent, action('asked', ids[1]));
    expect(await waiting()).toEqual([second.operation_id, first.operation_id]);
    const again = await submitNext(owner, agent, action('asked', ids[1]));
    expect(await waiting()).toEqual([again.operation_id, first.operation_id]);
    const decision = { outcome: 'denied', by: { kind: 'human', id: ada.email } };
    await ada.client.ok('submitDecision', { body: ada.signer.next(action('decided', ids[1], { decision })) });
    expect(await waiting()).toEqual([first.operation_id]);
    const query = { operation_id: first.operation_id };
    expect(await ada.client.ok('waitingDecisions', { query })).toMatchObject({ total: 1 });
    await submitNext(owner, agent, action('started', ids[0]));
    expect(await ada.client.ok('waitingDecisions', { query })).toMatchObject({ total: 0, data: [] });
  });

  it('lets no other agent take a question off the list, and the one that asked settle its own', async () => {
    const ada = await person();
    const [agent, other] = [await registerAgent(owner), await registerAgent(owner)];
    const id = randomUUID();
    const decision = { outcome: 'denied', by: { kind: 'human', id: ada.email } };
    const { operation_id } = await submitNext(owner, agent, action('asked', id));
    const total = async () => (await ada.client.ok('waitingDecisions', { query: { operation_id } })).total;
    await submitNext(owner, other, action('decided', id, { decision }));
    await submitNext(owner, other, action('started', id));
    await submitNext(owner, other, action('asked', id));
    expect(await total()).toBe(1);
    await submitNext(owner, agent, action('decided', id, { decision }));
    expect(await total()).toBe(0);
  });
});

describe('GET /v1/agents/:agent_id/decisions/:operation_id', async () => {
  const ada = await person();
  const agent = await registerAgent(owner);
  const decide = (id: string, outcome: string, signer = ada.signer) =>
    signer.next(action('decided', id, { decision: { outcome, by: { kind: 'human', id: ada.email } } }));
  const byAda = (id: string, outcome: string) => ada.client.ok('submitDecision', { body: decide(id, outcome) });
  const asked = async (id: string) => (await submitNext(owner, agent, action('asked', id))).operation_id;
  const answer = (operation_id: string, client = owner.client) =>
    client.ok('agentDecision', { params: { agent_id: agent.agentId, operation_id } });
  const waiting = { state: 'waiting', decision: null };
  const closed = { state: 'closed', decision: null };

  it('answers with record, receipt and key once a person has decided, to everybody who reads', async () => {
    const id = randomUUID();
    const question = await asked(id);
    const reader = service.addMember(owner, 'readonly_investigator');
    expect(await answer(question, reader.client)).toEqual(waiting);
    const record = decide(id, 'approved');
    const receipt = await ada.client.ok('submitDecision', { body: record });
    const { state, decision } = await answer(question, reader.client);
    expect(state).toBe('decided');
    expect(decision?.operation).toMatchObject({ eor: record, ear: receipt });
    expect(decision?.decider).toEqual({
      agent_id: ada.signer.agentId,
      responsible_entity: ada.email,
      key: expect.objectContaining({ kid: ada.signer.kid, public_key: ada.signer.publicKey, status: 'active' }),
    });
  });

  it('hands over what the payload of a decision is read by, where it is salted', async () => {
    const id = randomUUID();
    const question = await asked(id);
    const { payload } = action('decided', id, { decision: { outcome: 'denied', by: { kind: 'human', id: 'ada' } } });
    const body = ada.signer.nextSalted(payload);
    await ada.client.ok('submitDecision', { body });
    expect((await answer(question)).decision?.operation.disclosures).toEqual(body.disclosures);
  });

  it('tells the newest decision, and the one that counted where the action was carried out', async () => {
    const id = randomUUID();
    const question = await asked(id);
    await byAda(id, 'approved');
    const { operation_id: denial } = await byAda(id, 'denied');
    expect((await answer(question)).decision?.operation.ear.operation_id).toBe(denial);
    await submitNext(owner, agent, action('started', id));
    await byAda(id, 'approved');
    expect((await answer(question)).decision?.operation.ear.operation_id).toBe(denial);
  });

  it('is closed where the agent asked again or went on before anybody decided', async () => {
    const [again, gone] = [randomUUID(), randomUUID()];
    const first = await asked(again);
    await byAda(again, 'approved');
    const second = await asked(again);
    expect(await answer(first)).toEqual(closed);
    expect(await answer(second)).toEqual(waiting);
    const question = await asked(gone);
    await submitNext(owner, agent, action('started', gone));
    expect(await answer(question)).toEqual(closed);
  });

  it('believes no other agent, nor the one that asked, that somebody decided or carried anything out', async () => {
    const id = randomUUID();
    const question = await asked(id);
    const other = await registerAgent(owner);
    for (const signer of [agent, other]) {
      await owner.client.ok('submitOperation', { body: decide(id, 'approved', signer) });
    }
    await submitNext(owner, other, action('started', id));
    await submitNext(owner, other, action('asked', id));
    expect(await answer(question)).toEqual(waiting);
  });

  it('tells what a person decided who has left', async () => {
    const grace = await person();
    const id = randomUUID();
    const question = await asked(id);
    await grace.client.ok('submitDecision', { body: decide(id, 'denied', grace.signer) });
    await owner.client.ok('removeMember', { params: { user_id: grace.userId } });
    expect((await answer(question)).decision?.decider.key).toMatchObject({ agent_id: grace.signer.agentId });
  });
});
