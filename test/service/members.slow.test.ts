// docs/interface.md, Members.
import { describe, expect, it } from 'vitest';
import { ROLES, type Role, satisfiesRole } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, registerAgent, TestService } from '../support/service.ts';

const service = await TestService.start();
const founder = await service.signUp();
let organizations = 0;

/** An owner with an organization of their own. */
async function newOrganization(): Promise<Account> {
  const user = service.addUser(null);
  const { org_id } = await user.client.ok('onboardOrganization', { body: { org_name: `No. ${++organizations}` } });
  return { ...user, orgId: org_id };
}

const named = ({ userId }: Account) => ({ params: { user_id: userId } });
const change = (actor: Account, target: Account, role: string) =>
  actor.client.call('changeRole', { ...named(target), body: { role } });
const remove = (actor: Account, target: Account) => actor.client.call('removeMember', named(target));

describe('GET /v1/members', () => {
  it('lists the members in the order they joined, to every one of them', async () => {
    const owner = await newOrganization();
    const others = ROLES.map((role) => service.addMember(owner, role));
    for (const [index, { userId }] of others.entries()) {
      const joined = service.sql.prepare('UPDATE members SET joined_at = joined_at + ? WHERE user_id = ?');
      joined.run((index + 1) * 1000, userId);
    }
    const { members } = await (others[0] ?? owner).client.ok('listMembers');
    expect(members.map(({ user_id, role }) => [user_id, role])).toEqual([
      [owner.userId, 'org_owner'],
      ...others.map(({ userId }, index) => [userId, ROLES[index]]),
    ]);
    expect(members[1]).toEqual({
      member_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: others[0]?.userId,
      role: 'readonly_investigator',
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      email: others[0]?.email,
      display_name: 'A user',
    });
  });

  it('shows nobody of another organization', async () => {
    const { members } = await (await newOrganization()).client.ok('listMembers');
    expect(members).toHaveLength(1);
  });
});

describe('PATCH /v1/members/:user_id', () => {
  it('changes a role, with effect at once, on the session that is there', async () => {
    const member = service.addMember(founder, 'readonly_investigator');
    await expect(registerAgent(member)).rejects.toThrow('FORBIDDEN');
    const answer = await change(founder, member, 'integration_engineer');
    expect(answer.status).toBe(200);
    expect(answer.body.member).toMatchObject({ user_id: member.userId, role: 'integration_engineer' });
    await registerAgent(member);
    await change(founder, member, 'readonly_investigator');
    await expect(registerAgent(member)).rejects.toThrow('FORBIDDEN');
    const [event] = await eventsOf(founder);
    expect(event).toMatchObject({
      action: 'member.role_change',
      actor: founder.userId,
      target_type: 'member',
      target_id: member.userId,
      details: { email: member.email, from: 'integration_engineer', to: 'readonly_investigator' },
    });
  });

  describe.each<Role>(['security_admin', 'org_owner'])('by a %s', (actorRole) => {
    const cases = ROLES.flatMap((from) => ROLES.map((to): [Role, Role] => [from, to]));
    it.each(cases)('from %s to %s', async (from, to) => {
      const [actor, target] = [service.addMember(founder, actorRole), service.addMember(founder, from)];
      const answer = await change(actor, target, to);
      if (satisfiesRole(actorRole, from) && satisfiesRole(actorRole, to)) {
        expect(answer.status).toBe(200);
        expect((await target.client.ok('session')).role).toBe(to);
      } else {
        expectError(answer, 'FORBIDDEN', 'above your own');
        expect((await target.client.ok('session')).role).toBe(from);
      }
    });
  });

  it('takes back powers from whoever gives their own away', async () => {
    const admin = service.addMember(founder, 'security_admin');
    expectError(await change(admin, admin, 'org_owner'), 'FORBIDDEN', 'role');
    expect((await change(admin, admin, 'readonly_investigator')).status).toBe(200);
    expectError(await change(admin, admin, 'security_admin'), 'FORBIDDEN');
  });

  it('never leaves an organization without owner', async () => {
    const owner = await newOrganization();
    const before = service.trace();
    expectError(await change(owner, owner, 'security_admin'), 'CONFLICT', 'last owner');
    expect(service.trace()).toEqual(before);
    expect((await change(owner, owner, 'org_owner')).status).toBe(200);
    const second = service.addMember(owner, 'org_owner');
    expect((await change(owner, owner, 'security_admin')).status).toBe(200);
    expectError(await change(second, second, 'security_admin'), 'CONFLICT');
  });

  it('leaves one of two owners who go at once', async () => {
    const owner = await newOrganization();
    const second = service.addMember(owner, 'org_owner');
    const answers = await Promise.all([
      change(owner, owner, 'security_admin'),
      change(second, second, 'readonly_investigator'),
      remove(owner, owner),
      remove(second, second),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const left = service.sql.prepare("SELECT count(*) FROM members WHERE org_id = ? AND role = 'org_owner'");
    expect(left.pluck().get(owner.orgId)).toBe(1);
  });

  it.each([undefined, 'owner', 'ORG_OWNER', '', null, 5, ['org_owner']])('refuses the role %j', async (role) => {
    const member = service.addMember(founder, 'compliance_auditor');
    const answer = await founder.client.call('changeRole', { ...named(member), body: { role } });
    expectError(answer, 'VALIDATION_ERROR', 'role');
    expect((await member.client.ok('session')).role).toBe('compliance_auditor');
  });

  it('does not know members of other organizations, nor users of none', async () => {
    const stranger = await newOrganization();
    for (const target of [stranger, service.addUser(null)]) {
      const before = service.trace();
      expectError(await change(founder, target, 'readonly_investigator'), 'NOT_FOUND');
      expectError(await remove(founder, target), 'NOT_FOUND');
      expect(service.trace()).toEqual(before);
    }
    expect((await stranger.client.ok('session')).role).toBe('org_owner');
  });
});

describe('DELETE /v1/members/:user_id', () => {
  it('removes a member with API tokens and assignments; the account and its session stay', async () => {
    const member = service.addMember(founder, 'integration_engineer');
    const { token } = await member.client.ok('createToken', { body: {} });
    const { agentId } = await registerAgent(member);
    const agent = { params: { agent_id: agentId } };
    await founder.client.ok('assign', { ...agent, body: { user_id: member.userId } });

    expect(await founder.client.ok('removeMember', named(member))).toEqual({ success: true });
    expectError(await service.client(token).call('session'), 'UNAUTHORIZED');
    expect(await member.client.ok('session')).toMatchObject({ id: member.userId, orgId: null, role: null });
    expectError(await member.client.call('listAgents'), 'FORBIDDEN');
    expect(await founder.client.ok('listAssignments', agent)).toEqual({ assignments: [] });
    expect((await founder.client.ok('listMembers')).members.map(({ user_id }) => user_id)).not.toContain(member.userId);
    expectError(await remove(founder, member), 'NOT_FOUND');
    const [event] = await eventsOf(founder);
    expect(event).toMatchObject({
      action: 'member.remove',
      actor: founder.userId,
      target_type: 'member',
      target_id: member.userId,
      details: { email: member.email, role: 'integration_engineer' },
    });
    // Who comes back starts over: the token of before is dead for good.
    const { code } = await founder.client.ok('invite', {
      body: { email: member.email, role: 'readonly_investigator' },
    });
    await member.client.ok('acceptInvitation', { body: { code } });
    expectError(await service.client(token).call('session'), 'UNAUTHORIZED');
    expect(await member.client.ok('memberAgents', named(member))).toEqual({ agents: [] });
  });

  it("leaves others' tokens and assignments alone", async () => {
    const [leaving, staying] = [service.addMember(founder, 'org_owner'), service.addMember(founder, 'org_owner')];
    const { token } = await staying.client.ok('createToken', { body: {} });
    const { agentId } = await registerAgent(founder);
    const agent = { params: { agent_id: agentId } };
    for (const { userId } of [leaving, staying])
      await founder.client.ok('assign', { ...agent, body: { user_id: userId } });
    await founder.client.ok('removeMember', named(leaving));
    await service.client(token).ok('session');
    const { assignments } = await founder.client.ok('listAssignments', agent);
    expect(assignments.map(({ user_id }) => user_id)).toEqual([staying.userId]);
  });

  it.each(ROLES)('lets a %s leave', async (role) => {
    const member = service.addMember(founder, role);
    expect((await remove(member, member)).status).toBe(200);
    expect((await member.client.ok('session')).orgId).toBeNull();
    expect((await eventsOf(founder))[0]).toMatchObject({ action: 'member.remove', actor: member.userId });
  });

  it('does not let the last owner go', async () => {
    const owner = await newOrganization();
    const before = service.trace();
    expectError(await remove(owner, owner), 'CONFLICT', 'last owner');
    expectError(await remove(service.addMember(owner, 'security_admin'), owner), 'FORBIDDEN');
    expect(service.trace()).toMatchObject({ admin_events: before['admin_events'] });
    service.addMember(owner, 'org_owner');
    expect((await remove(owner, owner)).status).toBe(200);
  });

  it.each(ROLES.flatMap((actor) => ROLES.map((target): [Role, Role] => [actor, target])))(
    'by a %s of a %s',
    async (actorRole, targetRole) => {
      const [actor, target] = [service.addMember(founder, actorRole), service.addMember(founder, targetRole)];
      const answer = await remove(actor, target);
      const may = satisfiesRole(actorRole, 'security_admin') && satisfiesRole(actorRole, targetRole);
      if (may) expect(answer.status).toBe(200);
      else expectError(answer, 'FORBIDDEN');
      expect((await target.client.ok('session')).orgId).toBe(may ? null : founder.orgId);
    },
  );
});
