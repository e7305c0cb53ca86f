// An invitation holds no longer than its sender's right to make it: whoever is removed has no way back.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();

interface Kept {
  readonly email: string;
  readonly code: string;
  readonly id: string;
}

async function invitationBy(inviter: Account, role: Role): Promise<Kept> {
  const email = `backdoor-${randomUUID()}@example.org`;
  const { code, invitation } = await inviter.client.ok('invite', { body: { email, role } });
  return { email, code, id: invitation.invitation_id };
}

function accept({ code }: Kept) {
  return service.client().call('acceptInvitation', { body: { code, name: 'Back', password: 'a new password' } });
}

async function isPending({ id }: Kept): Promise<boolean> {
  const { invitations } = await owner.client.ok('listInvitations');
  return invitations.some(({ invitation_id }) => invitation_id === id);
}

describe('an administrator who is removed', () => {
  it('does not come back by an invitation that was put aside', async () => {
    const admin = service.addMember(owner, 'security_admin');
    const [kept, others] = [await invitationBy(admin, 'security_admin'), await invitationBy(owner, 'security_admin')];
    await owner.client.ok('removeMember', { params: { user_id: admin.userId } });
    expectError(await accept(kept), 'CONFLICT', 'revoked');
    expect([await isPending(kept), await isPending(others)]).toEqual([false, true]);
    const [event] = await eventsOf(owner, 'invitation.revoke');
    expect(event).toMatchObject({
      actor: owner.userId,
      target_id: kept.email,
      details: { invitation_id: kept.id, inviter_id: admin.userId },
    });
    expect((await accept(others)).status).toBe(201);
  });

  it('nor when the row was left pending by whatever means', async () => {
    const admin = service.addMember(owner, 'security_admin');
    const kept = await invitationBy(admin, 'readonly_investigator');
    service.sql.prepare('DELETE FROM members WHERE user_id = ?').run(admin.userId);
    expectError(await accept(kept), 'CONFLICT', 'code');
    // In the next organization the same person's role counts for nothing here.
    const elsewhere = await service.signUpGuest();
    const add = service.sql.prepare(
      'INSERT INTO members (member_id, org_id, user_id, role, joined_at) VALUES (?, ?, ?, ?, 0)',
    );
    add.run(randomUUID(), elsewhere.orgId, admin.userId, 'org_owner');
    expectError(await accept(kept), 'CONFLICT', 'code');
  });
});

it('ends the invitations of whoever leaves', async () => {
  const admin = service.addMember(owner, 'security_admin');
  const kept = await invitationBy(admin, 'security_admin');
  await admin.client.ok('removeMember', { params: { user_id: admin.userId } });
  expectError(await accept(kept), 'CONFLICT', 'revoked');
});

it('ends, with a lower role, the invitations that the role could not make', async () => {
  const second = service.addMember(owner, 'org_owner');
  const [above, within] = [await invitationBy(second, 'org_owner'), await invitationBy(second, 'security_admin')];
  const params = { user_id: second.userId };
  await owner.client.ok('changeRole', { params, body: { role: 'security_admin' } });
  expectError(await accept(above), 'CONFLICT', 'revoked');
  expect(await isPending(within)).toBe(true);
  await owner.client.ok('changeRole', { params, body: { role: 'compliance_auditor' } });
  expectError(await accept(within), 'CONFLICT', 'revoked');
  // A role that comes back brings no invitation back.
  await owner.client.ok('changeRole', { params, body: { role: 'org_owner' } });
  expectError(await accept(above), 'CONFLICT', 'revoked');
});

it('is looked at again at acceptance, where the role changed without a word', async () => {
  const admin = service.addMember(owner, 'security_admin');
  const kept = await invitationBy(admin, 'security_admin');
  service.setRole(admin, 'integration_engineer');
  expectError(await accept(kept), 'CONFLICT', 'code');
  service.setRole(admin, 'security_admin');
  expect((await accept(kept)).status).toBe(201);
});
