// docs/interface.md, Onboarding.
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { eventsOf, registerAgent, TestService } from '../support/service.ts';

const service = await TestService.start();
const organization = (org_name: string) =>
  service.sql.prepare('SELECT org_id, name, description FROM organizations WHERE name = ?').get(org_name);

describe('GET /v1/onboarding/status', () => {
  it('tells whether the user has an organization', async () => {
    const { client } = service.addUser(null);
    expect(await client.ok('onboardingStatus')).toEqual({ onboarding_completed: 0, org_id: null });
    const { org_id } = await client.ok('onboardPersonal');
    expect(await client.ok('onboardingStatus')).toEqual({ onboarding_completed: 1, org_id });
  });

  it('is completed by sign-up, and starts over for somebody who was removed', async () => {
    const owner = await service.signUp();
    expect(await owner.client.ok('onboardingStatus')).toEqual({ onboarding_completed: 1, org_id: owner.orgId });
    const { client, userId } = service.addMember(owner, 'security_admin');
    await owner.client.ok('removeMember', { params: { user_id: userId } });
    expect(await client.ok('onboardingStatus')).toEqual({ onboarding_completed: 0, org_id: null });
    const { org_id } = await client.ok('onboardPersonal');
    expect(org_id).not.toBe(owner.orgId);
  });
});

describe('POST /v1/onboarding/personal', () => {
  it('makes a personal workspace, whose owner the user is', async () => {
    const user = service.addUser(null);
    const answer = await user.client.call('onboardPersonal');
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ org_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const { org_id } = answer.body;
    expect(await user.client.ok('session')).toMatchObject({ orgId: org_id, role: 'org_owner' });
    expect(service.sql.prepare('SELECT name FROM organizations WHERE org_id = ?').pluck().get(org_id)).toBe(
      'Personal Workspace',
    );
    const [event, ...others] = await eventsOf(user);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      org_id,
      actor: user.userId,
      action: 'org.create',
      target_type: 'organization',
      target_id: org_id,
      details: { name: 'Personal Workspace', type: 'personal' },
      prev_event_hash: null,
    });
    await registerAgent({ ...user, orgId: org_id });
  });

  it("refreshes the browser's cookie, with the session that continues", async () => {
    const { client } = service.addUser(null);
    const headers = { cookie: `countersign_session=${client.token}`, origin: service.url };
    const answer = await service.client().call('onboardPersonal', { headers });
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']).toEqual([
      `countersign_session=${client.token}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Strict`,
    ]);
    await client.ok('listAgents');
  });

  it('sets no cookie for an API token', async () => {
    const { client } = service.addUser(null);
    const { token } = await client.ok('createToken', { body: {} });
    const answer = await service.client(token).call('onboardPersonal');
    expect(answer.status).toBe(201);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});

describe('POST /v1/onboarding/organization', () => {
  it('makes an organization with a description', async () => {
    const user = service.addUser(null);
    const body = { org_name: 'Über & Söhne 🏭', description: 'Two lines\nof text' };
    const answer = await user.client.call('onboardOrganization', { body });
    expect(answer.status).toBe(201);
    const { org_id } = answer.body;
    expect(organization(body.org_name)).toEqual({ org_id, name: body.org_name, description: body.description });
    const [event] = await eventsOf(user, 'org.create');
    expect(event?.details).toEqual({ name: body.org_name, type: 'organization' });
    expect(await user.client.ok('session')).toMatchObject({ orgId: org_id, role: 'org_owner' });
  });

  it('invites at creation: each invitation is pending, recorded, and its code lets somebody in', async () => {
    const user = service.addUser(null);
    const invitations = ROLES.map((role) => ({ email: `${role}@onboarding.example`, role }));
    const answer = await user.client.ok('onboardOrganization', { body: { org_name: 'Inviters', invitations } });
    expect(answer.invitations?.map(({ email }) => email)).toEqual(invitations.map(({ email }) => email));
    const pending = (await user.client.ok('listInvitations')).invitations;
    expect(pending.map(({ email, role, inviter_id }) => ({ email, role, inviter_id })).toSorted(byEmail)).toEqual(
      invitations.map((invitation) => ({ ...invitation, inviter_id: user.userId })).toSorted(byEmail),
    );
    expect((await eventsOf(user, 'member.invite')).map(({ details }) => details)).toEqual(invitations.toReversed());
    const guest = service.addUser(null, 'compliance_auditor@onboarding.example');
    const code = answer.invitations?.find(({ email }) => email === guest.email)?.code;
    await guest.client.ok('acceptInvitation', { body: { code } });
    expect(await guest.client.ok('session')).toMatchObject({ orgId: answer.org_id, role: 'compliance_auditor' });
  });

  it.each([
    [128, 512],
    [1, 0],
  ])('takes a name of %i and a description of %i characters, whatever their bytes', async (name, description) => {
    const { client } = service.addUser(null);
    const body = { org_name: '👋'.repeat(name), description: '👋'.repeat(description) };
    expect((await client.call('onboardOrganization', { body })).status).toBe(201);
  });

  it.each<[string, object]>([
    ['org_name', {}],
    ['org_name', { org_name: '' }],
    ['org_name', { org_name: ' \t' }],
    ['org_name', { org_name: 7 }],
    ['org_name', { org_name: 'x'.repeat(129) }],
    ['description', { org_name: 'X', description: 'x'.repeat(513) }],
    ['description', { org_name: 'X', description: null }],
    ['invitations', { org_name: 'X', invitations: {} }],
    ['invitations', { org_name: 'X', invitations: Array(101).fill({ email: 'a@b.example', role: 'org_owner' }) }],
    ['invitations[0].email', { org_name: 'X', invitations: [{ role: 'org_owner' }] }],
    ['invitations[0].email', { org_name: 'X', invitations: [{ email: 'nobody', role: 'org_owner' }] }],
    ['invitations[1].role', { org_name: 'X', invitations: [someone('org_owner'), someone('owner')] }],
    ['invitations[0].name', { org_name: 'X', invitations: [{ ...someone('org_owner'), name: 'A' }] }],
    ['owner', { org_name: 'X', owner: 'me' }],
  ])('refuses %s: %j', async (member, body) => {
    const { client } = service.addUser(null);
    const before = service.trace();
    expectError(await client.call('onboardOrganization', { body }), 'VALIDATION_ERROR', member);
    expect(service.trace()).toEqual(before);
  });

  it('takes an e-mail address of 256 characters, and none longer', async () => {
    const { client } = service.addUser(null);
    const invite = (length: number) => ({
      org_name: 'Long addresses',
      invitations: [{ email: `${'a'.repeat(length - 10)}@b.example`, role: 'org_owner' }],
    });
    const tooLong = await client.call('onboardOrganization', { body: invite(257) });
    expectError(tooLong, 'VALIDATION_ERROR', 'invitations[0].email');
    await client.ok('onboardOrganization', { body: invite(256) });
  });
});

describe('onboarding twice', () => {
  it('is a conflict, whichever way came first, and changes nothing', async () => {
    const first = { onboardPersonal: {}, onboardOrganization: { body: { org_name: 'First' } } };
    const owner = await service.signUp();
    const [one, two] = [service.addUser(null), service.addUser(null)];
    await one.client.ok('onboardPersonal');
    await two.client.ok('onboardOrganization', first.onboardOrganization);
    const before = service.trace();
    for (const { client } of [owner, one, two]) {
      expectError(await client.call('onboardPersonal'), 'CONFLICT');
      expectError(await client.call('onboardOrganization', { body: { org_name: 'Second' } }), 'CONFLICT');
    }
    expect(service.trace()).toEqual(before);
  });

  it('at once is completed once', async () => {
    const { client } = service.addUser(null);
    const body = { org_name: 'At once' };
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => client.call('onboardPersonal')),
      ...Array.from({ length: 3 }, () => client.call('onboardOrganization', { body })),
    ]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'CONFLICT');
  });
});

describe('a user without organization', () => {
  it('may do nothing that needs a role', async () => {
    const { client, userId } = service.addUser(null);
    expectError(await client.call('listAgents'), 'FORBIDDEN');
    expectError(await client.call('removeMember', { params: { user_id: userId } }), 'FORBIDDEN');
    expectError(await client.call('memberAgents', { params: { user_id: userId } }), 'FORBIDDEN');
    expect(await client.ok('session')).toMatchObject({ orgId: null, role: null });
  });
});

function someone(role: string) {
  return { email: 'someone@example.org', role };
}

function byEmail(a: { readonly email: string }, b: { readonly email: string }): number {
  return a.email < b.email ? -1 : 1;
}
