// docs/interface.md, Members: invitations.
import { describe, expect, it } from 'vitest';
import { ROLES, type Role, satisfiesRole } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
let addresses = 0;

const newAddress = (): string => `guest-${++addresses}@invitations.example`;
const invite = (email = newAddress(), role: string = 'compliance_auditor', by: Account = owner) =>
  by.client.ok('invite', { body: { email, role } });
const NEW_ACCOUNT = { name: 'Grace', password: 'a new password' };
/** Accepts without any credential. */
const accept = (body: object) => service.client().call('acceptInvitation', { body });
const idOf = ({ invitation }: { readonly invitation: { readonly invitation_id: string } }) => ({
  params: { invitation_id: invitation.invitation_id },
});
const setTimes = (invitationId: string, times: { created?: number; expires?: number }): void => {
  const { created, expires } = times;
  const set = service.sql.prepare(
    `UPDATE invitations SET created_at = coalesce(?, created_at), expires_at = coalesce(?, expires_at)
     WHERE invitation_id = ?`,
  );
  set.run(created ?? null, expires ?? null, invitationId);
};

describe('POST /v1/members/invitations', () => {
  it('invites for seven days, and shows the code this once', async () => {
    const email = newAddress();
    const before = Date.now();
    const answer = await owner.client.call('invite', { body: { email, role: 'security_admin' } });
    expect(answer.status).toBe(201);
    const { invitation, code } = answer.body;
    expect(invitation).toEqual({
      invitation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      role: 'security_admin',
      status: 'pending',
      inviter_id: owner.userId,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(invitation.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(7 * 86_400_000);
    expect(code).toMatch(/^csn_inv_[\w-]{32}$/);
    expect(JSON.stringify(await owner.client.ok('listInvitations'))).not.toContain(code);
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({
      action: 'member.invite',
      actor: owner.userId,
      target_type: 'member',
      target_id: email,
      details: { email, role: 'security_admin' },
    });
    expect(JSON.stringify(event)).not.toContain(code);
    // Nor does whoever reads the database have it.
    const rows = service.sql.prepare('SELECT * FROM invitations WHERE email = ?').all(email);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it.each((['security_admin', 'org_owner'] as const).flatMap((by) => ROLES.map((role): [Role, Role] => [by, role])))(
    'by a %s as %s: nobody grants a role above their own',
    async (by, role) => {
      const inviter = service.addMember(owner, by);
      const before = service.trace();
      const answer = await inviter.client.call('invite', { body: { email: newAddress(), role } });
      if (satisfiesRole(by, role)) expect(answer.status).toBe(201);
      else {
        expectError(answer, 'FORBIDDEN', 'role');
        expect(service.trace()).toEqual(before);
      }
    },
  );

  it('refuses somebody who is a member, in any case of letters', async () => {
    const body = { email: owner.email.toUpperCase(), role: 'org_owner' };
    expectError(await owner.client.call('invite', { body }), 'CONFLICT', 'email');
  });

  it('to the same address again makes the older code useless', async () => {
    const email = newAddress();
    const first = await invite(email);
    const second = await invite(email.toUpperCase());
    expectError(await accept({ code: first.code, ...NEW_ACCOUNT }), 'CONFLICT', 'code');
    const { invitations } = await owner.client.ok('listInvitations');
    expect(invitations.filter((one) => one.email.toLowerCase() === email)).toEqual([second.invitation]);
    expect((await accept({ code: second.code, ...NEW_ACCOUNT })).status).toBe(201);
  });

  it.each<[string, object]>([
    ['email', { role: 'org_owner' }],
    ['email', { email: 'nobody', role: 'org_owner' }],
    ['email', { email: 'a b@example.org', role: 'org_owner' }],
    ['email', { email: `${'a'.repeat(251)}@b.org`, role: 'org_owner' }],
    ['role', { email: 'a@b.example' }],
    ['role', { email: 'a@b.example', role: 'root' }],
    ['code', { email: 'a@b.example', role: 'org_owner', code: 'mine' }],
  ])('refuses %s: %j', async (member, body) => {
    const before = service.trace();
    expectError(await owner.client.call('invite', { body }), 'VALIDATION_ERROR', member);
    expect(service.trace()).toEqual(before);
  });
});

describe('GET /v1/members/invitations', () => {
  it('lists those that can still be accepted, newest first', async () => {
    const boss = service.addUser(null);
    await boss.client.ok('onboardPersonal');
    expect(await boss.client.ok('listInvitations')).toEqual({ invitations: [] });
    const begin = Date.now() - 60_000;
    const make = async (place: number) => {
      const one = await invite(newAddress(), 'org_owner', boss);
      setTimes(one.invitation.invitation_id, { created: begin + place });
      return one;
    };
    const [oldest, accepted, revoked] = [await make(1), await make(2), await make(3)];
    // Made before the one that is older than it: the time counts, not the order of the rows.
    const [expired, newest, middle] = [await make(4), await make(6), await make(5)];
    await accept({ code: accepted.code, ...NEW_ACCOUNT });
    await boss.client.ok('revokeInvitation', idOf(revoked));
    setTimes(expired.invitation.invitation_id, { expires: Date.now() });
    const { invitations } = await boss.client.ok('listInvitations');
    expect(invitations.map(({ invitation_id }) => invitation_id)).toEqual(
      [newest, middle, oldest].map(({ invitation }) => invitation.invitation_id),
    );
    expect(invitations.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });
});

describe('POST /v1/invitations/accept', () => {
  it('joins with a new account, and signs in', async () => {
    const { invitation, code } = await invite(newAddress(), 'security_admin');
    const answer = await accept({ code, ...NEW_ACCOUNT });
    expect(answer.status).toBe(201);
    const { token = '', user } = answer.body;
    expect(user).toEqual({
      id: expect.any(String),
      email: invitation.email,
      orgId: owner.orgId,
      role: 'security_admin',
    });
    expect(answer.headers['set-cookie']?.[0]).toMatch(new RegExp(`^countersign_session=${token}; .*HttpOnly; Secure`));
    const session = await service.client(token).ok('session');
    expect(session).toMatchObject(user);
    await service.client().ok('signIn', { body: { email: invitation.email, password: NEW_ACCOUNT.password } });
    const { members } = await owner.client.ok('listMembers');
    expect(members.at(-1)).toMatchObject({ user_id: user.id, display_name: 'Grace', role: 'security_admin' });
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({
      action: 'member.join',
      actor: user.id,
      target_type: 'member',
      target_id: user.id,
      details: { email: invitation.email, role: 'security_admin', invitation_id: invitation.invitation_id },
    });
  });

  it('joins the account that is signed in, with the code alone, in any case of the address', async () => {
    const guest = service.addUser(null, newAddress());
    const { code } = await invite(guest.email.toUpperCase(), 'readonly_investigator');
    const answer = await guest.client.call('acceptInvitation', { body: { code } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: guest.userId, email: guest.email, orgId: owner.orgId, role: 'readonly_investigator' },
    });
    expect(await guest.client.ok('session')).toMatchObject({ orgId: owner.orgId, role: 'readonly_investigator' });
  });

  it('works by an API token and by the cookie of a page of the service', async () => {
    const guest = service.addUser(null, newAddress());
    const { token } = await guest.client.ok('createToken', { body: {} });
    const byToken = await invite(guest.email);
    await service.client(token).ok('acceptInvitation', { body: { code: byToken.code } });
    const other = service.addUser(null, newAddress());
    const byCookie = await invite(other.email);
    const body = { code: byCookie.code };
    const cookie = `countersign_session=${other.client.token}`;
    const call = (headers: Record<string, string>) => service.client().call('acceptInvitation', { body, headers });
    expectError(await call({ cookie, origin: 'https://example.org' }), 'FORBIDDEN');
    expect((await call({ cookie, origin: service.url })).status).toBe(200);
  });

  it('works once', async () => {
    const { code } = await invite();
    const body = { code, ...NEW_ACCOUNT };
    const answers = await Promise.all([accept(body), accept(body), accept(body)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'CONFLICT', 'code');
    expectError(await accept(body), 'CONFLICT', 'accepted');
  });

  it('is for the invited address only', async () => {
    const [other, invited] = [service.addUser(null), service.addUser(null, newAddress())];
    const [{ code }, second] = [await invite(), await invite(invited.email)];
    const before = service.trace();
    for (const offered of [code, second.code]) {
      expectError(await other.client.call('acceptInvitation', { body: { code: offered } }), 'FORBIDDEN', 'e-mail');
    }
    expect(service.trace()).toEqual(before);
    expect((await accept({ code, ...NEW_ACCOUNT })).status).toBe(201);
  });

  it('wants the account that the address has to be signed in', async () => {
    const guest = service.addUser(null, newAddress());
    // Not for the taking: somebody has shown that the address is theirs.
    service.sql.prepare('UPDATE users SET email_verified_at = 1 WHERE user_id = ?').run(guest.userId);
    const { code } = await invite(guest.email);
    const before = service.trace();
    expectError(await accept({ code, ...NEW_ACCOUNT }), 'UNAUTHORIZED', 'sign in');
    expectError(await service.client('csn_sess_nonsense').call('acceptInvitation', { body: { code } }), 'UNAUTHORIZED');
    expect(service.trace()).toEqual(before);
    await guest.client.ok('acceptInvitation', { body: { code } });
  });

  it('is a conflict for somebody who belongs to an organization; the invitation stays', async () => {
    const guest = service.addUser(null, newAddress());
    await guest.client.ok('onboardPersonal');
    const { code, invitation } = await invite(guest.email);
    const before = service.trace();
    expectError(await guest.client.call('acceptInvitation', { body: { code } }), 'CONFLICT');
    expect(service.trace()).toEqual(before);
    const { invitations } = await owner.client.ok('listInvitations');
    expect(invitations.map(({ invitation_id }) => invitation_id)).toContain(invitation.invitation_id);
  });

  it('ends after seven days', async () => {
    const guest = service.addUser(null, newAddress());
    const { code, invitation } = await invite(guest.email);
    setTimes(invitation.invitation_id, { expires: Date.now() });
    const before = service.trace();
    expectError(await guest.client.call('acceptInvitation', { body: { code } }), 'CONFLICT', 'expired');
    expectError(await accept({ code, ...NEW_ACCOUNT }), 'CONFLICT', 'expired');
    expect(service.trace()).toEqual(before);
    setTimes(invitation.invitation_id, { expires: Date.now() + 60_000 });
    await guest.client.ok('acceptInvitation', { body: { code } });
  });

  it('says what a new account needs, and keeps the invitation', async () => {
    const { code } = await invite();
    const before = service.trace();
    expectError(await accept({}), 'VALIDATION_ERROR', 'code');
    expectError(await accept({ code }), 'VALIDATION_ERROR', 'name');
    expectError(await accept({ code, name: 'Grace' }), 'VALIDATION_ERROR', 'password');
    expectError(await accept({ code, password: NEW_ACCOUNT.password }), 'VALIDATION_ERROR', 'name');
    expectError(await accept({ code, name: 'Grace', password: 'short' }), 'VALIDATION_ERROR', 'password');
    expectError(await accept({ code, ...NEW_ACCOUNT, role: 'org_owner' }), 'VALIDATION_ERROR', 'role');
    expectError(await accept({ code, ...NEW_ACCOUNT, email: 'other@example.org' }), 'VALIDATION_ERROR', 'email');
    expect(service.trace()).toEqual(before);
    expect((await accept({ code, ...NEW_ACCOUNT })).status).toBe(201);
  });

  it.each(['csn_inv_', `csn_inv_${'A'.repeat(32)}`, '%', "' OR 1=1 --"])('does not know the code %s', async (code) => {
    expectError(await accept({ code, ...NEW_ACCOUNT }), 'NOT_FOUND', 'code');
  });

  it('grants nothing any more where the inviter has left since', async () => {
    const inviter = service.addMember(owner, 'security_admin');
    const { code } = await invite(newAddress(), 'security_admin', inviter);
    await owner.client.ok('removeMember', { params: { user_id: inviter.userId } });
    expectError(await accept({ code, ...NEW_ACCOUNT }), 'CONFLICT', 'revoked');
  });
});

describe('DELETE /v1/members/invitations/:invitation_id', () => {
  it('takes an invitation back', async () => {
    const one = await invite();
    expect(await owner.client.ok('revokeInvitation', idOf(one))).toEqual({ success: true });
    expectError(await accept({ code: one.code, ...NEW_ACCOUNT }), 'CONFLICT', 'revoked');
    expectError(await owner.client.call('revokeInvitation', idOf(one)), 'CONFLICT');
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({
      action: 'invitation.revoke',
      actor: owner.userId,
      target_id: one.invitation.email,
      details: { invitation_id: one.invitation.invitation_id },
    });
  });

  it('does not take back what was accepted', async () => {
    const one = await invite();
    await accept({ code: one.code, ...NEW_ACCOUNT });
    expectError(await owner.client.call('revokeInvitation', idOf(one)), 'CONFLICT', 'accepted');
  });

  it("knows no other organization's invitations", async () => {
    const one = await invite();
    const stranger = service.addUser(null);
    await stranger.client.ok('onboardPersonal');
    const before = service.trace();
    expectError(await stranger.client.call('revokeInvitation', idOf(one)), 'NOT_FOUND');
    expectError(await owner.client.call('revokeInvitation', { params: {} }), 'NOT_FOUND');
    expect(service.trace()).toEqual(before);
    expect((await accept({ code: one.code, ...NEW_ACCOUNT })).status).toBe(201);
  });
});
