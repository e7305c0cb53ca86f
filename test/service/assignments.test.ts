// docs/interface.md, Agents and Members: who looks after which agents.
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, registerAgent, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const stranger = await service.signUp('stranger');

const agent = (agent_id: string) => ({ params: { agent_id } });
const pair = (agent_id: string, { userId }: Account) => ({ params: { agent_id, user_id: userId } });
const assign = (agentId: string, { userId }: Account, by = client) =>
  by.call('assign', { ...agent(agentId), body: { user_id: userId } });

describe('POST /v1/agents/:agent_id/assignments', () => {
  it('ties a member to an agent', async () => {
    const { agentId } = await registerAgent(owner);
    const member = service.addMember(owner, 'readonly_investigator');
    expect(await client.ok('listAssignments', agent(agentId))).toEqual({ assignments: [] });
    const before = Date.now();
    const answer = await assign(agentId, member);
    expect(answer.status).toBe(201);
    const { assignment } = answer.body;
    expect(assignment).toEqual({
      agent_id: agentId,
      user_id: member.userId,
      assigned_by: owner.userId,
      assigned_at: expect.any(Number),
    });
    expect(assignment.assigned_at).toBeGreaterThanOrEqual(before);
    expect(await client.ok('listAssignments', agent(agentId))).toEqual({ assignments: [assignment] });
    expect((await eventsOf(owner))[0]).toMatchObject({
      action: 'agent.assign',
      actor: owner.userId,
      target_type: 'agent',
      target_id: agentId,
      details: { user_id: member.userId },
    });
  });

  it('of the same two again is a conflict', async () => {
    const { agentId } = await registerAgent(owner);
    await assign(agentId, owner);
    const before = service.trace();
    expectError(await assign(agentId, owner), 'CONFLICT', 'user_id');
    expect(service.trace()).toEqual(before);
  });

  it('knows neither users of elsewhere nor agents of elsewhere', async () => {
    const { agentId } = await registerAgent(owner);
    const theirs = await registerAgent(stranger);
    const before = service.trace();
    for (const user of [stranger, service.addUser(null)]) {
      expectError(await assign(agentId, user), 'NOT_FOUND', 'user_id');
    }
    expectError(await assign(theirs.agentId, owner), 'NOT_FOUND');
    expectError(await assign(agentId, stranger, stranger.client), 'NOT_FOUND');
    expectError(await client.call('assign', { ...agent(agentId), body: { user_id: 'nobody' } }), 'NOT_FOUND');
    expect(service.trace()).toMatchObject({ agent_assignments: before['agent_assignments'] });
  });

  it.each<[string, object]>([
    ['user_id', {}],
    ['user_id', { user_id: '' }],
    ['user_id', { user_id: 5 }],
    ['user_id', { user_id: 'x'.repeat(65) }],
    ['role', { user_id: 'x', role: 'owner' }],
  ])('refuses a wrong %s: %j', async (member, body) => {
    const { agentId } = await registerAgent(owner);
    expectError(await client.call('assign', { ...agent(agentId), body }), 'VALIDATION_ERROR', member);
  });
});

describe('DELETE /v1/agents/:agent_id/assignments/:user_id', () => {
  it('takes an assignment back, that one alone', async () => {
    const { agentId } = await registerAgent(owner);
    const member = service.addMember(owner, 'integration_engineer');
    for (const user of [owner, member]) await assign(agentId, user);
    expect(await client.ok('unassign', pair(agentId, member))).toEqual({ success: true });
    const { assignments } = await client.ok('listAssignments', agent(agentId));
    expect(assignments.map(({ user_id }) => user_id)).toEqual([owner.userId]);
    expectError(await client.call('unassign', pair(agentId, member)), 'NOT_FOUND');
    expect((await eventsOf(owner))[0]).toMatchObject({
      action: 'agent.unassign',
      actor: owner.userId,
      target_id: agentId,
      details: { user_id: member.userId },
    });
    expect((await assign(agentId, member)).status).toBe(201);
  });

  it('knows nothing of elsewhere', async () => {
    const theirs = await registerAgent(stranger, 'namesake');
    await assign(theirs.agentId, stranger, stranger.client);
    await registerAgent(owner, 'namesake');
    expectError(await client.call('unassign', pair('namesake', stranger)), 'NOT_FOUND');
    expect((await stranger.client.ok('listAssignments', agent('namesake'))).assignments).toHaveLength(1);
    expect((await client.ok('listAssignments', agent('namesake'))).assignments).toEqual([]);
  });
});

describe('GET /v1/members/:user_id/agents', () => {
  it("lists a member's agents, in the order of their registration", async () => {
    const member = service.addMember(owner, 'readonly_investigator');
    const ids: string[] = [];
    for (const n of [1, 2, 3]) {
      const { agentId } = await registerAgent(owner, `ordered-${n}-${member.userId}`);
      ids.push(agentId);
    }
    for (const id of ids.toReversed()) await assign(id, member);
    const { agents } = await member.client.ok('memberAgents', { params: { user_id: member.userId } });
    expect(agents.map(({ agent_id }) => agent_id)).toEqual(ids);
    expect(agents[0]).toEqual((await client.ok('getAgent', agent(ids[0] ?? ''))).agent);
  });

  it.each(ROLES)('may be asked by a %s of themself', async (role) => {
    const member = service.addMember(owner, role);
    expect(await member.client.ok('memberAgents', { params: { user_id: member.userId } })).toEqual({ agents: [] });
  });

  it.each([
    ['readonly_investigator', 'FORBIDDEN'],
    ['integration_engineer', 'FORBIDDEN'],
    ['compliance_auditor', 'FORBIDDEN'],
    ['security_admin', null],
    ['org_owner', null],
  ] as const)('by a %s of somebody else: %s', async (role, error) => {
    const actor = service.addMember(owner, role);
    const answer = await actor.client.call('memberAgents', { params: { user_id: owner.userId } });
    if (error === null) expect(answer.status).toBe(200);
    else expectError(answer, error);
  });

  it('does not know users of elsewhere', async () => {
    for (const { userId } of [stranger, service.addUser(null)]) {
      expectError(await client.call('memberAgents', { params: { user_id: userId } }), 'NOT_FOUND');
    }
  });
});
